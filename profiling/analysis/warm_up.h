// SPDX-License-Identifier: Apache-2.0
// How the runs of a study were warmed up, and what the caches held when a sample began. Pure functions; any
// thread.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <cstdint>
#include <optional>

namespace heteroscope::profiling {

/// Of one run, over the processes that say how their warm-up ended.
struct WarmUp {
    int processes = 0, stable = 0;   ///< those that say it; those of them that had become stable
    std::int64_t repetitions = 0;    ///< all that came before the samples
    double ms = 0;                   ///< the time that they took
    std::optional<Interval> smClock; ///< of the GPU after the last of them, lowest and highest, MHz
};

WarmUp warmUpOf(const StudyRun& run);

/// "5 000 repetitions in 210 ms, stable in 2 of 3 processes, SM clock 1980 MHz"; empty where nothing says how
/// the warm-up ended.
Phrase warmUpText(const StudyRun& run);

/// `warm_up` of a run in the results; null where nothing says how it ended.
Json warmUpJson(const WarmUp& warmUp);

/// "warmed up until no repetition of 3 in a row was faster by 5 %, the GPU's clock within 1 %: 31.0 to
/// 410 ms a process", and which runs had not become stable; empty where nothing says it.
Phrase warmUpNote(const Study& study);

/// The same for a caption: "warmed up until stable", or of how many runs it was not so.
Phrase warmUpCaption(const Study& study);

/// For a caption: "caches kept", "caches flushed before each sample"; empty for a study that timed nothing.
Phrase cacheCaption(const Study& study);

/// "caches are flushed before each sample, which is one repetition: 64.0 MiB written on cpu"; empty for a
/// study that keeps them, or timed nothing.
Phrase cacheNote(const Study& study);

} // namespace heteroscope::profiling
