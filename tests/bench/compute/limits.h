// SPDX-License-Identifier: Apache-2.0
// Limits of the memory, measured beside the kernels that run against them.
#pragma once

#include "tests/bench/compute/harness.h"
#include "tests/bench/compute/limit_table.h"

#include <cstdint>
#include <vector>

namespace heteroscope::bench {

struct LimitBuffers {
    float* large; ///< 4 * outputs elements
    float* largeOut;
    float* small; ///< outputs elements, and as many as there are in `large` when `dense`
    float* smallOut;
    std::int64_t outputs;
    bool dense; ///< stride 1: as many outputs as inputs, 4 * outputs
};

/// Copies, and the traffic of pooling with stride 2 or, when dense, 1 on buffers of that size, on `threads`
/// threads. (Forward and dense: the copies are that.)
void addCopyLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                   int threads);
void addForwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                      int threads);
void addBackwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                       int threads);

} // namespace heteroscope::bench
