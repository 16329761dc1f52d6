// SPDX-License-Identifier: Apache-2.0
// What has to be known to trust the figures of a study, as sentences. Pure functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/analysis/results.h"

#include <string>
#include <vector>

namespace heteroscope::profiling {

/// "tracing overhead: median 1.2 %, -0.5 to 8.9 % over 15 runs (most: cpu/openmp, size=16); ...". Says so
/// when it was not measured. Empty for a study without samples.
Phrase tracingOverheadNote(const Study& study);

/// "machine: governor performance, load average 0.12 on 2 cores, Release build", with OMP_WAIT_POLICY where
/// it was set; without the load where a note of the environment tells it; empty when the environment says
/// none of these.
Phrase machineStateNote(const Study& study);

/// "sampling ended before its rule: cpu/sequential, size=4096 (time limit 1 s after 16 of 50 samples)", of
/// runs that the time limit ended; empty where there are none. Names the first eight.
Phrase timeLimitNote(const Study& study);

/// "repetitions from a CUDA graph, without their launches; launched one by one: cuda:0/cuda?graph=on, size=16
/// 8.13 µs for 3.02 µs", medians; empty where none was recorded. Names the first eight.
Phrase launchedNote(const Study& study);

/// "cuda:0/cuda, network=Model 0 86.9 us for 68.0 us" of a run whose steps, timed one by one, add up to more
/// or less than a repetition by more than kSameSum; else empty.
Phrase stepTimesText(const StudyRun& run);
constexpr double kSameSum = 0.01;
/// "steps were timed one by one and do not add up to a repetition: ...", the largest gap first; empty where
/// all do. Names the first eight.
Phrase stepTimesNote(const Study& study);

/// Of teams on all of four processors or more, whose slowest thread all others wait for: runs with a sample
/// that took twice the fastest or longer, "a team on all 16 processors waits whenever something else runs:
/// cpu/openmp, size=256 (37.3 µs, 27.1 µs to 179 µs); try threads=15"; empty where there are none. Names the
/// first eight.
Phrase fullTeamNote(const Study& study);

/// All of the above in this order, with those of disturbed.h before the machine's state, and those that the
/// environment record holds (recorded_phrase.h); what stands under a table of results.
std::vector<std::string> studyNotes(const Study& study);

} // namespace heteroscope::profiling
