// SPDX-License-Identifier: Apache-2.0
// Why comparisons are unclear and what would settle them. Pure functions; any thread.
#pragma once

#include "compute/base/statistics.h"

#include <span>
#include <string>

namespace heteroscope::profiling {

enum class Doubt {
    None,           ///< the comparison is not unclear
    NoInterval,     ///< fewer than 5 samples on one side
    OneProcess,     ///< fewer than kProcessesForVerdict processes on one side
    Disturbed,      ///< two studies, one of which other programs disturbed
    DisturbedStudy, ///< one study that other programs disturbed, sides that differ by too little for that
    OneMoment,      ///< two studies that differ, but by less than kClearBetweenMoments
    Pairs,          ///< over pairs of studies, as Processes
    Processes ///< over processes, the 98 % interval contains 1 or the difference is small, but not surely so
};

Doubt doubtOf(const Comparison& comparison);

/// For a line of a table: "fewer than 3 processes a side ..."; empty without doubt.
std::string doubtText(Doubt doubt);
/// What to do about it: "repeat in 3 fresh processes (preset standard)" ...; empty without doubt.
std::string doubtAdvice(Doubt doubt);

/// One comparison for each doubt: "UNCLEAR comparisons: 3. Of 1: fewer than 5 samples, which give no
/// interval; repeat in 3 fresh processes (preset standard). Of 2: ...". Empty when none is in doubt.
std::string unclearAdvice(std::span<const Doubt> doubts);

} // namespace heteroscope::profiling
