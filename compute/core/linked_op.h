// SPDX-License-Identifier: Apache-2.0
// Operations that follow one another on the same tensors, which an implementation may compute as one. Plain
// values.
#pragma once

#include "compute/core/op.h"

#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// An operation with the numbers of its operands' memory: equal numbers are the same memory.
struct LinkedOp {
    Op op;
    std::vector<int> src, dst;
};

/// Each operation reads what the one before wrote first.
using OpChain = std::vector<LinkedOp>;

/// Everything the operations do as one that reads `src` and writes `dst`, with the bytes of those alone.
/// `postOps` is added to the detail: what follows the first operation ("+relu").
OpFacts chainFacts(const OpChain& chain, const std::string& postOps, std::span<const int> src,
                   std::span<const int> dst);

} // namespace heteroscope::compute
