// SPDX-License-Identifier: Apache-2.0
// Why comparisons are unclear and what would settle them. Pure functions; any thread.
#pragma once

#include "compute/base/statistics.h"

#include <cstddef>
#include <span>
#include <string>

namespace heteroscope::profiling {

/// So many samples of each side settle what samples can settle: those of the preset thesis.
inline constexpr std::size_t kSamplesThatSettle = 30;

enum class Doubt {
    None,       ///< the comparison is not unclear
    NoInterval, ///< fewer than 5 samples on one side
    OneProcess, ///< two studies, and fewer than kProcessesForVerdict processes on one side
    Processes, ///< over processes, the 98 % interval contains 1 or the difference is small, but not surely so
    FewSamples,   ///< fewer than kSamplesThatSettle
    RangesMeet,   ///< the interval excludes 1, but the samples' ranges are less than 0.5 % apart
    HoldsEquality ///< the interval contains 1, and the times differ or spread too much to be the same
};

/// `samples`: of the side that has fewer.
Doubt doubtOf(const Comparison& comparison, std::size_t samples);

/// For a line of a table: "fewer than 30 samples", "the ranges of the times meet" ...; empty without doubt.
std::string doubtText(Doubt doubt);
/// What to do about it: "repeat both sides with 30 samples (preset thesis)" ...; empty without doubt.
std::string doubtAdvice(Doubt doubt);

/// One comparison for each doubt: "UNCLEAR comparisons: 3. Of 1: fewer than 30 samples; repeat both sides
/// with 30 samples (preset thesis). Of 2: ...". Empty when none is in doubt.
std::string unclearAdvice(std::span<const Doubt> doubts);

} // namespace heteroscope::profiling
