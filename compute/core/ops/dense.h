// SPDX-License-Identifier: Apache-2.0
// The fully connected layer: every output sees every input.
#pragma once

#include "compute/core/ops/op_facts.h"

namespace heteroscope::compute {

struct DenseParams {
    std::int64_t inputs = 1, units = 1;
    bool bias = true;
    bool operator==(const DenseParams&) const = default;
};

/// dst[n,u] = bias[u] + sum over i of src[n,i] weights[u,i].
/// Operands: src (batch x inputs) [0], weights (units x inputs) [1], bias [2] where there is one -> dst [0].
struct DenseForward {
    DenseParams params;
    std::int64_t batch = 1;
};

/// Operands: dstGrad [0], weights [1] -> srcGrad [0].
struct DenseBackwardData {
    DenseParams params;
    std::int64_t batch = 1;
};

/// Summed over the batch. Operands: src [0], dstGrad [1] -> weightGrad [0], biasGrad [1] where there is a
/// bias.
struct DenseBackwardWeights {
    DenseParams params;
    std::int64_t batch = 1;
};

OpFacts opFacts(const DenseForward& op);
OpFacts opFacts(const DenseBackwardData& op);
OpFacts opFacts(const DenseBackwardWeights& op);

} // namespace heteroscope::compute
