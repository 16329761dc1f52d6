// SPDX-License-Identifier: Apache-2.0
// The matrix product.
#pragma once

#include "compute/core/ops/op_facts.h"

#include <string>

namespace heteroscope::compute {

/// C = A * B, all row-major and dense. Operands: A (m x k) [0], B (k x n) [1] -> C (m x n) [0].
struct Gemm {
    std::int64_t m = 1, n = 1, k = 1;
    /// Wanted product kernel ("guarded", "loops", "tiled", ...) where an implementation has several and its
    /// target names none; the others compute the same product their own way. Empty: the implementation's
    /// choice.
    std::string kernel = {};
};

OpFacts opFacts(const Gemm& op);

} // namespace heteroscope::compute
