// SPDX-License-Identifier: Apache-2.0
// Operations with typed parameters. They say nothing of who computes them. A new operation is a struct with
// its opFacts() in ops/, and a word in Op.
#pragma once

#include "compute/core/ops/activation.h"
#include "compute/core/ops/adaptive_pool.h"
#include "compute/core/ops/batch_norm.h"
#include "compute/core/ops/convolution.h"
#include "compute/core/ops/dense.h"
#include "compute/core/ops/dropout.h"
#include "compute/core/ops/elementwise.h"
#include "compute/core/ops/gemm.h"
#include "compute/core/ops/layer_norm.h"
#include "compute/core/ops/loss.h"
#include "compute/core/ops/multiply.h"
#include "compute/core/ops/optimizer.h"
#include "compute/core/ops/pool.h"

#include <string>
#include <variant>

namespace heteroscope::compute {

using Op =
    std::variant<PoolForward, PoolBackward, Gemm, ConvForward, ConvBackwardData, ConvBackwardWeights,
                 DenseForward, DenseBackwardData, DenseBackwardWeights, ActivationForward, ActivationBackward,
                 SoftmaxForward, SoftmaxBackward, BatchNormTrain, BatchNormInfer, BatchNormBackward,
                 LayerNormForward, LayerNormBackward, Dropout, Add, Multiply, MultiplyBackward, CopyChannels,
                 SumOfSquares, AdaptivePoolForward, AdaptivePoolBackward, Loss, Sgd, Adam>;

OpFacts opFacts(const Op& op);

/// Single facts, for callers who want one.
std::string opName(const Op& op);
std::string opDetail(const Op& op);
Result<OperandSizes> operandElements(const Op& op);
double opMinimumBytes(const Op& op);
double opFlops(const Op& op);

} // namespace heteroscope::compute
