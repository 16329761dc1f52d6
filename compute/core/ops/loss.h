// SPDX-License-Identifier: Apache-2.0
// What training makes smaller. Every loss is a mean, as PyTorch's default reduction.
#pragma once

#include "compute/core/ops/op_facts.h"

namespace heteroscope::compute {

enum class LossKind { SoftmaxCrossEntropy, BinaryCrossEntropy, MeanSquaredError };

/// "softmax_cross_entropy", "binary_cross_entropy", "mean_squared_error"
const char* lossName(LossKind kind);

/// With x the network's output (batch x units) and t the target:
///   softmax_cross_entropy: mean over the batch of log(sum of e^x) - x[t]; t holds one class number (0 to
///   units - 1) an
///     image. Second figure: how many images have their largest output (the first of equal ones) at t.
///   binary_cross_entropy, x before the sigmoid: mean over all elements of max(x, 0) - x t + log(1 + e^-|x|);
///   t is 0 to 1.
///     Second figure: how many elements have x > 0 exactly where t > 0.5.
///   mean_squared_error: mean over all elements of (x - t)^2. Second figure: the mean of |x - t|.
/// Operands: output [0], target [1] -> the two figures [0] and, where wanted, the gradient of the loss [1].
/// A class number that is none gives NaN as the loss and gradient.
struct Loss {
    LossKind kind = LossKind::SoftmaxCrossEntropy;
    std::int64_t batch = 1, units = 1;
    bool gradient = true;
};

/// Elements of the target.
std::optional<std::int64_t> lossTargetElements(LossKind kind, std::int64_t batch, std::int64_t units);

OpFacts opFacts(const Loss& op);

} // namespace heteroscope::compute
