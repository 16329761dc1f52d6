// SPDX-License-Identifier: Apache-2.0
// Dropout with a mask that is computed, never stored.
#pragma once

#include "compute/core/ops/op_facts.h"

namespace heteroscope::compute {

/// dst[i] = src[i] / (1 - rate) where dropoutKeeps() (dropout_mask.h), else 0. The gradient is the same
/// operation on dstGrad. Operands: src [0], step [1] (one element, whose bits are an unsigned 32-bit number
/// that differs from one training step to the next) -> dst [0], which may be src's memory.
struct Dropout {
    std::int64_t elements = 1;
    double rate = 0.5; ///< 0 <= rate < 1
    std::uint64_t seed = 0;
    std::uint32_t stream = 0; ///< one a layer, so that layers differ
    bool backward = false;    ///< the name it has in traces
};

OpFacts opFacts(const Dropout& op);

} // namespace heteroscope::compute
