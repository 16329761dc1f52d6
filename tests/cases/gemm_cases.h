// SPDX-License-Identifier: Apache-2.0
// The one list of matrix multiplications that every implementation is tried on.
#pragma once

#include "compute/core/op.h"

#include <vector>

namespace heteroscope::compute {

/// Sizes around tiles, slices and tasks of blocked implementations, and degenerate ones.
const std::vector<Gemm>& gemmCases();

} // namespace heteroscope::compute
