// SPDX-License-Identifier: Apache-2.0
// The one list of pooling problems that every implementation is tried on.
#pragma once

#include "compute/core/op.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

struct PoolCase {
    std::string name; ///< unique; tables of exceptions refer to it
    PoolParams params;
    Shape4 src;
};

const std::vector<PoolCase>& poolCases();

/// Larger than the caches, for the paths that only such sizes take.
const std::vector<PoolCase>& largePoolCases();

} // namespace heteroscope::compute
