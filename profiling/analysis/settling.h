// SPDX-License-Identifier: Apache-2.0
// How many processes, and how long, would settle comparisons that are UNCLEAR over processes. Pure functions;
// any thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/unclear.h"
#include "profiling/stream/study.h"

#include <span>
#include <string>

namespace heteroscope::profiling {

/// Seconds from the first sample of the study to its last, by process; 0 without samples.
double secondsPerProcess(const Study& study);

/// "As many as 14 processes would settle 3 of them, if all are like those that there are: --processes 14,
/// about 4 minutes. Of 1, not even 100 would." Empty where nothing is UNCLEAR over processes. `seconds`: that
/// a process takes; 0: not known.
std::string settlingText(std::span<const Comparison> comparisons, double seconds);

/// "Preset standard takes about 2 min at most.", of a study whose comparisons lack samples or processes: as
/// many processes as a verdict needs, each as long as those that there are, and the time limit of each run.
/// Empty where nothing lacks them, or nothing was measured.
std::string standardPresetText(std::span<const Doubt> doubts, const Study& study);

} // namespace heteroscope::profiling
