// SPDX-License-Identifier: Apache-2.0
// Every repetition of an op in a trace, with the kernels that it submitted. Times in ns on the trace's clock.
// Pure functions; any thread.
#pragma once

#include "profiling/analysis/device_work.h"
#include "profiling/analysis/run_figures.h"
#include "profiling/stream/study.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// What an op says of itself, from the args of its spans.
struct OpFacts {
    std::string op, detail, implementation;
    double bytes = 0, flops = 0; ///< of one repetition; 0 when not told
};

struct OpRepetition {
    NsRange time; ///< of its span on the host
    TrackId track = kNoTrack;
    std::uint32_t facts = 0;   ///< into OpRepetitions::facts
    int run = -1;              ///< of the study
    bool onDevice = false;     ///< its target is a GPU
    std::int64_t kernelNs = 0; ///< union of its kernels; 0 without any
    Place kernels;             ///< from the first kernel's start to the last one's end, on the first's row
};

struct OpRepetitions {
    std::map<std::uint32_t, OpFacts> facts;
    std::vector<OpRepetition> repetitions; ///< by start
    /// Kernels with an op that ran inside a traced sample and belong to none of the repetitions: the spans of
    /// a sample beyond a limit are not kept.
    std::uint64_t kernelsWithout = 0;
};

/// Of traced samples that are no warm-ups, those that begin in the window. `work` is that of the trace.
OpRepetitions opRepetitions(const Trace& trace, const Study& study, const DeviceWork& work,
                            NsRange window = kAllTime);

/// Whether a target is on a GPU: "cuda:0/cublas".
bool onDevice(const std::string& target);

/// "12 582 912" (with any blanks between groups) or "12.0 MiB" as a number; 0 for another text.
double numberOf(const std::string& text);

} // namespace heteroscope::profiling
