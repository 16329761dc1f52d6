// SPDX-License-Identifier: Apache-2.0
// Limits of the memory, measured beside the kernels that run against them.
#pragma once

#include "tests/bench/compute/harness.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::bench {

struct LimitKernels {
    void (*copy)(const float*, float*, std::int64_t);
    void (*streamCopy)(const float*, float*, std::int64_t);
    void (*fourToOne)(const float*, float*, std::int64_t);
    void (*streamFourToOne)(const float*, float*, std::int64_t);
    void (*fiveToFour)(const float*, const float*, float*, std::int64_t);
    void (*streamFiveToFour)(const float*, const float*, float*, std::int64_t);
};

extern const LimitKernels kLimitsBaseline;
extern const LimitKernels kLimitsAvx512;

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
