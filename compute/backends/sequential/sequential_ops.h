// SPDX-License-Identifier: Apache-2.0
// The plain loops, one function an operation. Operands are host pointers in the order and of the sizes that
// the operation documents; shapes are valid. dst may be src's memory where the operation allows it.
#pragma once

#include "compute/core/host_session.h"
#include "compute/core/op.h"

namespace heteroscope::compute::sequential {

void compute(const PoolForward& op, const HostOperands& operands);
void compute(const PoolBackward& op, const HostOperands& operands);
void compute(const Gemm& op, const HostOperands& operands);
void compute(const ConvForward& op, const HostOperands& operands);
void compute(const ConvBackwardData& op, const HostOperands& operands);
void compute(const ConvBackwardWeights& op, const HostOperands& operands);
void compute(const DenseForward& op, const HostOperands& operands);
void compute(const DenseBackwardData& op, const HostOperands& operands);
void compute(const DenseBackwardWeights& op, const HostOperands& operands);
void compute(const ActivationForward& op, const HostOperands& operands);
void compute(const ActivationBackward& op, const HostOperands& operands);
void compute(const SoftmaxForward& op, const HostOperands& operands);
void compute(const SoftmaxBackward& op, const HostOperands& operands);
void compute(const BatchNormTrain& op, const HostOperands& operands);
void compute(const BatchNormInfer& op, const HostOperands& operands);
void compute(const BatchNormBackward& op, const HostOperands& operands);
void compute(const LayerNormForward& op, const HostOperands& operands);
void compute(const LayerNormBackward& op, const HostOperands& operands);
void compute(const Dropout& op, const HostOperands& operands);
void compute(const Add& op, const HostOperands& operands);
void compute(const Multiply& op, const HostOperands& operands);
void compute(const MultiplyBackward& op, const HostOperands& operands);
void compute(const CopyChannels& op, const HostOperands& operands);
void compute(const SumOfSquares& op, const HostOperands& operands);
void compute(const AdaptivePoolForward& op, const HostOperands& operands);
void compute(const AdaptivePoolBackward& op, const HostOperands& operands);
void compute(const Loss& op, const HostOperands& operands);
void compute(const Sgd& op, const HostOperands& operands);
void compute(const Adam& op, const HostOperands& operands);

} // namespace heteroscope::compute::sequential
