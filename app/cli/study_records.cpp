// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_records.h"

#include "compute/base/clock.h"
#include "compute/base/stop_rule.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <random>

namespace heteroscope::cli {
namespace {

profiling::Transfer toTransfer(const compute::TransferTotals& totals) {
    profiling::Transfer transfer;
    transfer.count = totals.count;
    transfer.bytes = totals.bytes;
    transfer.pinnedBytes = totals.pinnedBytes;
    transfer.ms = totals.ms;
    return transfer;
}

compute::TransferTotals toTotals(const profiling::Transfer& transfer) {
    compute::TransferTotals totals;
    totals.count = transfer.count;
    totals.bytes = transfer.bytes;
    totals.pinnedBytes = transfer.pinnedBytes;
    totals.ms = transfer.ms;
    return totals;
}

compute::RunStatus fromStatus(profiling::StudyRunStatus status) {
    switch (status) {
    case profiling::StudyRunStatus::Ok:
        return compute::RunStatus::Ok;
    case profiling::StudyRunStatus::Failed:
        return compute::RunStatus::Failed;
    case profiling::StudyRunStatus::Skipped:
        return compute::RunStatus::Skipped;
    case profiling::StudyRunStatus::Planned:
    case profiling::StudyRunStatus::Running:
    case profiling::StudyRunStatus::Cancelled:
        break;
    }
    return compute::RunStatus::Cancelled;
}

profiling::StudyRunStatus toStatus(compute::RunStatus status) {
    switch (status) {
    case compute::RunStatus::Ok:
        return profiling::StudyRunStatus::Ok;
    case compute::RunStatus::Failed:
        return profiling::StudyRunStatus::Failed;
    case compute::RunStatus::Skipped:
        return profiling::StudyRunStatus::Skipped;
    case compute::RunStatus::Cancelled:
        break;
    }
    return profiling::StudyRunStatus::Cancelled;
}

std::string utcText(const char* format) {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), format, &parts);
    return text.data();
}

std::string newStudyId() {
    std::array<char, 16> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "-%08x", static_cast<unsigned>(std::random_device{}()));
    return utcText("%Y-%m-%dT%H-%M-%SZ") + suffix.data();
}

} // namespace

profiling::StudyRun toStudyRun(const compute::RunDefinition& definition) {
    profiling::StudyRun run;
    run.run = definition.run;
    run.target = definition.target;
    run.point = definition.point;
    run.estimatedBytes = definition.estimatedBytes;
    run.flops = definition.flops;
    run.minimumBytes = definition.minimumBytes;
    return run;
}

profiling::StudySample toStudySample(const compute::SampleRecord& record) {
    profiling::StudySample sample;
    sample.run = record.run;
    sample.sample = record.sample;
    sample.process = record.process;
    sample.warmup = record.warmup;
    sample.traced = record.traced;
    sample.startNs = record.startNs;
    sample.wallMs = record.wallMs;
    sample.deviceMs = record.deviceMs;
    sample.repetitions = record.repetitions;
    sample.h2d = toTransfer(record.h2d);
    sample.d2h = toTransfer(record.d2h);
    sample.d2d = toTransfer(record.d2d);
    sample.disturbance = record.disturbance;
    sample.clocks = record.clocks;
    sample.workPerRepetition = record.workPerRepetition;
    sample.leftOut = record.leftOut;
    sample.warmupStable = record.warmupStable;
    return sample;
}

void applyOutcome(profiling::StudyRun& run, const compute::RunOutcome& outcome) {
    run.status = toStatus(outcome.status);
    run.reason = outcome.reason;
    run.implementation = outcome.implementation;
    run.stopRule = stopPhrase(outcome.stoppedBy).text();
    run.stoppedBy = outcome.stoppedBy;
    run.outputDigest = outcome.outputDigest;
    run.firstUseMs = outcome.firstUseMs;
    run.maxAbsError = outcome.maxAbsError;
    run.maxRelError = outcome.maxRelError;
    run.metrics = outcome.metrics;
}

compute::SampleRecord toSampleRecord(const profiling::StudySample& sample) {
    compute::SampleRecord record;
    record.run = sample.run;
    record.sample = sample.sample;
    record.process = sample.process;
    record.warmup = sample.warmup;
    record.traced = sample.traced;
    record.startNs = sample.startNs;
    record.wallMs = sample.wallMs;
    record.deviceMs = sample.deviceMs;
    record.repetitions = sample.repetitions;
    record.h2d = toTotals(sample.h2d);
    record.d2h = toTotals(sample.d2h);
    record.d2d = toTotals(sample.d2d);
    record.disturbance = sample.disturbance;
    record.clocks = sample.clocks;
    record.workPerRepetition = sample.workPerRepetition.value_or(1.0);
    record.leftOut = sample.leftOut;
    record.warmupStable = sample.warmupStable;
    return record;
}

compute::RunOutcome toOutcome(const profiling::StudyRun& run) {
    compute::RunOutcome outcome;
    outcome.run = run.run;
    outcome.status = fromStatus(run.status);
    outcome.reason = run.reason;
    outcome.implementation = run.implementation;
    outcome.stoppedBy = run.stoppedBy;
    outcome.firstUseMs = run.firstUseMs;
    outcome.maxAbsError = run.maxAbsError;
    outcome.maxRelError = run.maxRelError;
    outcome.outputDigest = run.outputDigest;
    outcome.metrics = run.metrics;
    return outcome;
}

compute::LogLevel levelOf(const std::string& name) {
    if (name == "error")
        return compute::LogLevel::Error;
    return name == "warning" ? compute::LogLevel::Warning : compute::LogLevel::Info;
}

const char* levelName(compute::LogLevel level) {
    switch (level) {
    case compute::LogLevel::Warning:
        return "warning";
    case compute::LogLevel::Error:
        return "error";
    case compute::LogLevel::Info:
        break;
    }
    return "info";
}

profiling::Study newStudy() {
    profiling::Study study;
    study.id = newStudyId();
    study.program = "heteroscope-cli";
    study.version = HETEROSCOPE_VERSION;
    study.startedUtc = utcText("%Y-%m-%dT%H:%M:%SZ");
    study.clockNs = steadyNowNs();
    return study;
}

} // namespace heteroscope::cli
