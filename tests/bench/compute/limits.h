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
    float* small; ///< outputs elements
    float* smallOut;
    std::int64_t outputs;
};

/// Copies and the two traffic patterns of k2 s2 pooling on buffers of that size, on `threads` threads.
void addCopyLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                   int threads);
void addForwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                      int threads);
void addBackwardLimits(std::vector<Work>& works, const std::string& group, const LimitBuffers& buffers,
                       int threads);

} // namespace heteroscope::bench
