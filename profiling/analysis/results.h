// SPDX-License-Identifier: Apache-2.0
// From a study to the figures in tables, charts and result files. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "compute/base/statistics.h"
#include "profiling/analysis/phrase.h"
#include "profiling/analysis/run_time.h"
#include "profiling/stream/study.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::profiling {

struct RunResult {
    const StudyRun* run = nullptr;     ///< into the study given; the caller keeps it alive
    Summary timeMs;                    ///< runTime()
    std::optional<Comparison> speedup; ///< speedupOver() the reference target at the same point
    std::string equalWork;             ///< "equal", "within 1e-6", "differs", "not checked"
};

struct StudyResults {
    std::string reference; ///< target text
    std::vector<RunResult> runs;
};

/// What speedups are against unless somebody asks for another: cpu/sequential when it is a target, else the
/// first target; empty without a run.
std::string referenceTarget(const Study& study);

/// `reference` empty: referenceTarget().
StudyResults summarizeStudy(const Study& study, std::string reference = {});

/// The machine and method in one line for figures: "Median of 30 samples (95 % interval) ... CPU ...;
/// Heteroscope 0.1.0".
Phrase machineCaption(const Study& study, const StudyResults& results);

struct DeviceReport;

/// "heteroscope-results" JSON, version 1. With the trace's report, runs that used a GPU get `device_time`
/// (per repetition of the traced samples, in ms, by the parts of device_time.h) and their `transfers`
/// are what the device itself recorded: count, bytes, pinned bytes and ms of a repetition (`source` "device
/// records", the host's own measure beside it as `host_ms`). Without it, or where the device was not
/// recorded, `source` is "host clock". `status` of a run: "ok", "failed", "skipped", "cancelled", "planned",
/// and "unfinished" of one that was running where the recording ends. `end_status` of the study: "done",
/// "failed", "cancelled", null where the recording has no end; `end_reason`: null where none is known.
/// `disturbance` of a run: what else the processors did while its samples were taken, as sums over these
/// (disturbed.h); null where it was not measured. `processes_that_settle` of a speedup: how many fresh
/// processes would make an UNCLEAR one clear.
Json resultsToJson(const Study& study, const StudyResults& results, const DeviceReport* device = nullptr);
/// One header line, one row a sample, C locale. "disturbed" is 1 where something else ran on processors that
/// the sample needed (isDisturbed()); the measures beside it are those of Disturbance.
std::string resultsToCsv(const Study& study);
/// A table for the terminal.
std::string resultsToTable(const Study& study, const StudyResults& results);

struct RunComparison {
    std::string target;
    Json point;
    std::optional<Comparison> comparison; ///< B against A; nothing when one side is missing
    std::string note;
    std::size_t samplesA = 0, samplesB = 0; ///< of each side, of pairs of all their studies
    /// runTimeMs(), of pairs their geometric mean; 0 where a side is missing.
    double medianAMs = 0, medianBMs = 0;
    std::vector<double> pairRatios; ///< A / B of each pair, in their order; empty for two studies
    bool outputsDiffer = false;     ///< `note` says so, too
};
/// Run by run, matched by point and target, and where a point occurs more than once by their order there.
/// `differences`: what differs between the environments and
/// experiments.
struct StudyComparison {
    std::vector<RunComparison> runs;
    std::vector<Phrase> differences;
    /// Of three pairs or more: whether each ended before the next began, by the times of the studies. Where
    /// they did not, pairs differ in their moment no more than two studies do.
    bool tookTurns = true;
};
StudyComparison compareStudies(const Study& a, const Study& b);

/// Studies of A and B that ran one after the other; not null.
struct StudyPair {
    const Study *a = nullptr, *b = nullptr;
};
/// One pair: as above. More: comparePairs() of the times of each run. A run that one of the studies lacks,
/// did not finish, or has fewer than kSamplesForInterval samples of is not compared, nor any run where a side
/// is of another experiment in a later pair (but for its name); the note says which. `differences` of one
/// experiment between the pairs are among them.
StudyComparison compareStudies(std::span<const StudyPair> pairs);

} // namespace heteroscope::profiling
