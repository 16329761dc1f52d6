// SPDX-License-Identifier: Apache-2.0
// One step of an optimiser over many weights at once; all weights of a network may lie in one tensor.
#pragma once

#include "compute/core/ops/op_facts.h"

namespace heteroscope::compute {

/// g = grad + weightDecay w; without momentum: w -= rate g. With it: v = momentum v + g, then w -= rate v, or
/// with nesterov w -= rate (g + momentum v). PyTorch's rule, with v zero before the first step. Operands: w
/// [0], grad [1], hyper [2] (4 elements: rate, and three that are not read), v [3] where there is momentum ->
/// w [0], v [1]; the memory of the old ones may be given.
struct Sgd {
    std::int64_t elements = 1;
    double momentum = 0;
    bool nesterov = false;
    double weightDecay = 0;
};

/// g = grad + weightDecay w; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g g;
/// w -= rate (m c1) / (sqrt(v c2) + epsilon), with c1 = 1 / (1 - beta1^t), c2 = 1 / (1 - beta2^t) at step t
/// from 1. (Kingma and Ba 2015, algorithm 1.) Operands: w [0], grad [1], hyper [2] (4 elements: rate, c1, c2,
/// and one that is not read), m [3], v [4] -> w [0], m [1], v [2]; the memory of the old ones may be given.
struct Adam {
    std::int64_t elements = 1;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double weightDecay = 0;
};

inline constexpr std::int64_t kHyperElements = 4;

OpFacts opFacts(const Sgd& op);
OpFacts opFacts(const Adam& op);

} // namespace heteroscope::compute
