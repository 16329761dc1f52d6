// SPDX-License-Identifier: Apache-2.0
// Operations that follow one another on the same tensors, which an implementation may compute as one. Plain
// values.
#pragma once

#include "compute/core/op.h"

#include <span>
#include <vector>

namespace heteroscope::compute {

/// An operation with the numbers of its operands' memory: equal numbers are the same memory.
struct LinkedOp {
    Op op;
    std::vector<int> src, dst;
};

/// Each operation reads what the one before wrote first.
using OpChain = std::vector<LinkedOp>;

} // namespace heteroscope::compute
