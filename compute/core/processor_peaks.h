// SPDX-License-Identifier: Apache-2.0
// What the processor does at most, measured: the roofs of a roofline (Williams, Waterman and Patterson 2009).
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace heteroscope::compute {

/// Of all processors that this process may use, one thread on each; rates are of the best of several passes.
struct ProcessorPeaks {
    int threads = 1;
    std::string simd;            ///< simdName() of the loop of fused multiply-adds
    std::int64_t arrayBytes = 0; ///< of each of the three arrays
    std::int64_t cacheBytes = 0; ///< lastLevelCacheBytes(), which the arrays ought to exceed four times
    double readBytesPerS = 0;    ///< sum over the arrays
    /// a = b + s c (McCalpin's STREAM); three arrays count. On x86-64 with streaming stores, so that nothing
    /// else moves.
    double triadBytesPerS = 0;
    double fp32FlopPerS = 0; ///< independent fused multiply-adds in registers; each counts two

    double memoryBytesPerS() const;   ///< the faster of the two
    std::string memorySource() const; ///< how it was measured, in words with the figures
    std::string fp32Source() const;
};

/// Told before each step, on the caller's thread: its number from 1 on, of how many, and what it measures.
using PeakSteps = std::function<void(int step, int steps, const std::string& what)>;

/// Takes seconds; nothing else ought to run meanwhile. Errors: OutOfMemory, where there is no room for arrays
/// of 1 MiB or for the threads.
Result<ProcessorPeaks> measureProcessorPeaks(const PeakSteps& told = {});

/// What a measurement holds for: name, processors that may be used, instruction set, quota of time.
std::string processorIdentity();

} // namespace heteroscope::compute
