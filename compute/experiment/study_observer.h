// SPDX-License-Identifier: Apache-2.0
// What the runner reports while a study runs. The command line turns it into frames, progress and tables.
// Threads: all calls on the runner's thread, except OpObserver::threadShare.
#pragma once

#include "compute/base/disturbance.h"
#include "compute/base/json.h"
#include "compute/base/training_events.h"
#include "compute/core/op_observer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct RunDefinition {
    int run = 0;        ///< index in the study, from 0
    std::string target; ///< canonical text
    Json point;         ///< axis pointer -> value
    std::int64_t estimatedBytes = 0;
    double flops = 0, minimumBytes = 0;
};

struct TransferTotals {
    std::int64_t count = 0, bytes = 0, pinnedBytes = 0;
    double ms = 0;
};

struct SampleRecord {
    int run = 0;
    int sample = 0;  ///< from 0 within the run; warm-ups count apart
    int process = 0; ///< index of the process that took it (presets standard and thesis use several)
    bool warmup = false;
    bool traced = false;      ///< taken with tracing on: kept apart, never in the statistics
    std::int64_t startNs = 0; ///< steady clock
    double wallMs = 0;        ///< per repetition
    std::optional<double> deviceMs;
    int repetitions = 1;          ///< how often the work ran inside the timed span of at least 10 ms
    TransferTotals h2d, d2h, d2d; ///< per repetition
    std::optional<Disturbance> disturbance; ///< what else the processors did meanwhile
    std::optional<DeviceClocks> clocks;     ///< of the GPU; nothing on a processor
    double workPerRepetition = 1;           ///< how often a repetition did the work of RunDefinition::flops
    std::optional<std::int64_t>
        leftOut; ///< spans and windows without a place on the timeline; by who draws it
    /// Of the warm-up with which warming up ended (WarmUpRule): whether it had become stable.
    std::optional<bool> warmupStable;
};

/// What a run is about to do. It is told before it happens, so that whoever reads knows it when the process
/// is killed in the middle.
struct RunActivity {
    int run = 0;
    std::string target; ///< canonical text
    std::string step;   ///< "layer \"conv1\", convolution forward", "max pooling forward, timed samples"
    std::int64_t forecastBytes = 0; ///< of host memory that the run takes
    std::int64_t freeBytes = 0;     ///< of host memory that was free before it took any
};

enum class RunStatus { Ok, Failed, Skipped, Cancelled };

struct RunOutcome {
    int run = 0;
    RunStatus status = RunStatus::Ok;
    std::string reason;         ///< why failed or skipped
    bool badInput = false;      ///< failed because data that a person gave is damaged or wrong
    std::string implementation; ///< name of what ran
    Json stoppedBy;             ///< which rules ended sampling (stop_rule.h); null: none did
    double firstUseMs = 0;      ///< open, prepare and first execution
    std::optional<double> maxAbsError, maxRelError; ///< against sequential, when checked
    std::string outputDigest; ///< of the output's bytes; equal digests are equal outputs
    Json metrics =
        Json::object(); ///< name -> number; names carry units (bandwidth_gb_s, tracing_overhead_percent)
};

/// How far a study is.
struct ProgressRecord {
    double fraction = 0;    ///< in [0, 1]
    double remainingS = -1; ///< estimated from what was measured so far; negative: unknown
    int run = -1;           ///< that went on; negative: none yet, or all are through
};

enum class LogLevel { Info, Warning, Error };

class StudyObserver : public OpObserver {
  public:
    virtual void studyBegin(const Json& /*environment*/, const Json& /*experiment*/,
                            const std::vector<RunDefinition>& /*runs*/) {}
    virtual void runBegin(int /*run*/) {}
    /// Each operation of a run's preparation and first use, and where its samples go on; never within a timed
    /// repetition.
    virtual void activity(const RunActivity&) {}
    virtual void sampleBegin(int /*run*/, int /*sample*/, bool /*warmup*/, bool /*traced*/) {}
    /// Not called for a sample that was stopped or failed on the way: the run's end follows.
    virtual void sampleEnd(const SampleRecord&) {}
    /// Before a sample, for other programs to be done. Times on the steady clock (steadyNowNs()).
    virtual void waitedForQuiet(int /*run*/, std::int64_t /*startNs*/, std::int64_t /*endNs*/) {}
    virtual void runEnd(const RunOutcome&) {}
    /// Of a training on a dataset, between its samples' beginnings and ends. Steps come in batches, about ten
    /// a second at most, and all of an epoch before its end.
    virtual void trainingSteps(const TrainingSteps&) {}
    virtual void trainingEpoch(const TrainingEpoch&) {}
    virtual void trainingEvaluation(const TrainingEvaluation&) {}
    virtual void progress(const ProgressRecord&) {}
    virtual void log(LogLevel, const std::string& /*text*/) {}
    virtual void studyEnd() {}
};

} // namespace heteroscope::compute
