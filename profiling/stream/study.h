// SPDX-License-Identifier: Apache-2.0
// A study as read from a stream or file: everything but the trace. A plain value that grows frame by frame.
// Field names equal the keys of the frames' CBOR maps.
#pragma once

#include "compute/base/disturbance.h"
#include "compute/base/json.h"
#include "compute/base/statistics.h"
#include "profiling/stream/training_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

struct Transfer {
    std::int64_t count = 0, bytes = 0, pinnedBytes = 0;
    double ms = 0;
};

struct StudySample {
    int run = 0, sample = 0, process = 0;
    bool warmup = false, traced = false;
    std::int64_t startNs = 0;
    double wallMs = 0;
    std::optional<double> deviceMs;
    int repetitions = 1;
    Transfer h2d, d2h, d2d;
    std::optional<Disturbance> disturbance; ///< nothing in files that were written before it was measured
    std::optional<DeviceClocks> clocks;     ///< of the GPU; nothing on processors, or where no driver told
    /// How often a repetition of this sample did the work of StudyRun::flops and minimumBytes: traced ones of
    /// a long repetition do a part of it. Nothing in files that were written before it was said.
    std::optional<double> workPerRepetition;
    /// Of a traced sample, spans beyond those of a sample and windows beyond those of a repetition: their
    /// operations have no span. Nothing where nothing was recorded, and in files that were written before it
    /// was counted.
    std::optional<std::int64_t> leftOut;
    /// Of the warm-up with which a process ended warming up: whether times and clock had become stable
    /// (WarmUpRule). Nothing on others, and in files that were written before it was judged.
    std::optional<bool> warmupStable;

    bool counts() const { return !warmup && !traced; } ///< in the statistics
};

enum class StudyRunStatus { Planned, Running, Ok, Failed, Skipped, Cancelled };

struct StudyRun {
    int run = 0;
    std::string target;
    Json point = Json::object();
    std::int64_t estimatedBytes = 0;
    double flops = 0, minimumBytes = 0;
    StudyRunStatus status = StudyRunStatus::Planned;
    std::string reason, implementation, outputDigest;
    std::string stopRule; ///< sentence of stoppedBy, for those that do not know its codes
    /// Which rules ended the sampling, as in compute/base/stop_rule.h. Null where none did, and in files that
    /// were written before it was recorded; of a later version it may be anything.
    Json stoppedBy;
    double firstUseMs = 0;
    std::optional<double> maxAbsError, maxRelError;
    Json metrics = Json::object();
    std::vector<StudySample> samples; ///< in order of arrival, warm-ups and traced ones included
    TrainingRecord training;          ///< empty when the run is no training

    /// Wall times in ms of the samples that count: neither warm-up nor traced.
    std::vector<double> timesMs() const;
    /// The same by the process that took them.
    ProcessSamples processTimesMs() const;
};

struct StudyLog {
    std::int64_t timeNs = 0;
    std::string level, text; ///< level: "info", "warning", "error"
};

struct StudyProgress {
    double fraction = 0;
    double remainingS = -1; ///< negative: unknown
    int run = -1;           ///< that went on; negative: none yet, or all are through
    int process = 0, processes = 1;
};

/// What a run was about to do. The next one replaces it, and the run's end takes it away.
struct StudyActivity {
    int run = 0;
    std::string target, step;
    std::int64_t forecastBytes = 0; ///< of host memory that the run takes
    std::int64_t freeBytes = 0;     ///< of host memory before it took any; 0: not known

    /// "run 3, cpu/onednn?threads=4, layer \"conv1\", conv.forward; forecast 1.2 GiB, 0.9 GiB were free"
    std::string sentence() const;
    /// Whether it was forecast to take more memory than was free.
    bool wantsMoreThanFree() const { return freeBytes > 0 && forecastBytes > freeBytes; }
};

struct Study {
    std::string id; ///< unique, e.g. "2026-11-21T02-36-22Z-3fa9c1d2"
    std::string program, version;
    std::string file;         ///< that it was read from; empty of what is recorded now
    std::string startedUtc;   ///< ISO 8601
    std::int64_t clockNs = 0; ///< steady clock at startedUtc
    Json environment = Json::object();
    Json experiment = Json::object();
    std::vector<Json> devices;
    std::vector<StudyRun> runs; ///< runs[i].run == i
    std::vector<StudyLog> log;
    StudyProgress progress;
    std::optional<StudyActivity> activity; ///< as long as it goes on
    bool ended = false;                    ///< an End frame was seen
    std::string endStatus;                 ///< "done", "failed", "cancelled"; empty without End
    std::string endReason;

    std::string name() const; ///< the experiment's name, or its kind
};

} // namespace heteroscope::profiling
