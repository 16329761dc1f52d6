// SPDX-License-Identifier: Apache-2.0
// Where the wall time of the traced samples of a processor's runs went: parts that add up to it, with the
// time of an untraced repetition beside them, since recording takes time too. Of runs on a GPU:
// device_time.h. Pure functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/analysis/time_set.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Of all traced samples of one run that are no warm-ups.
struct SampleParts {
    int run = -1;
    std::string target;
    Phrase point;                  ///< "size=64"; empty without axes
    std::int64_t wallNs = 0;       ///< of the samples; the parts add up to it
    std::int64_t operationsNs = 0; ///< union of the spans of operations and reorders
    std::int64_t copiesNs = 0;     ///< union of the copies outside of them
    std::int64_t restNs = 0;       ///< what has no span: between operations, and what recording takes there
    std::int64_t repetitions = 0;
    double untracedMs = 0;     ///< runTimeMs()
    double recordedShare = 1;  ///< of the work of a repetition that counts
    bool spansLeftOut = false; ///< of many operations those beyond a limit have no span: restNs holds them
    /// How many spans and windows these are; nothing in files that were written before they were counted.
    std::optional<std::int64_t> leftOut;

    double recordedMs() const; ///< of a repetition
    /// "mean of the recorded samples 6.80 ms: operations 6.65 ms, copies 0 ns, rest 150 us; median untraced
    /// 2.20 ms": parts add up to a mean only, and the median is the time that is shown everywhere.
    std::string sentence() const;
};

/// Of the runs on processors that have traced samples in the window, in the study's order.
std::vector<SampleParts> sampleParts(const Trace& trace, const Study& study, NsRange window = kAllTime);

} // namespace heteroscope::profiling
