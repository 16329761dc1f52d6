// SPDX-License-Identifier: Apache-2.0
// How many processes, and how long, would settle comparisons that are UNCLEAR over processes. Pure functions;
// any thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/unclear.h"
#include "profiling/stream/study.h"

#include <optional>
#include <span>
#include <string>

namespace heteroscope::profiling {

/// Seconds from the first sample of the study to its last, by process; 0 without samples.
double secondsPerProcess(const Study& study);

/// Of comparisons that are UNCLEAR over processes.
struct Settling {
    int settled = 0;    ///< that more processes would settle, if all are like those that there are
    int processes = 0;  ///< that settle all of these
    int open = 0;       ///< that not even kMostProcesses would
    double seconds = 0; ///< that so many processes take; 0: not known
};
Settling settlingOf(std::span<const Comparison> comparisons, double secondsPerProcess);

/// Seconds below a minute, else minutes, rounded up: "12 s", "4 min".
std::string settlingTimeText(double seconds);

/// "As many as 14 processes would settle 3 of them, if all are like those that there are: --processes 14,
/// about 4 minutes. Of 1, not even 100 would." Empty where nothing is UNCLEAR over processes. `seconds`: that
/// a process takes; 0: not known.
std::string settlingText(std::span<const Comparison> comparisons, double seconds);

/// What preset standard takes at most, of a study whose comparisons lack samples or processes: as many
/// processes as a verdict needs, each as long as those that there are, and the time limit of each run.
/// Nothing where nothing lacks them, or nothing was measured.
struct StandardPreset {
    double seconds = 0;
    bool waits = false; ///< and beside that for a quiet machine
};
std::optional<StandardPreset> standardPreset(std::span<const Doubt> doubts, const Study& study);
/// "Preset standard takes about 2 min at most."; empty without.
std::string standardPresetText(std::span<const Doubt> doubts, const Study& study);

} // namespace heteroscope::profiling
