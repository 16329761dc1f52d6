// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_merge.h"

#include "app/cli/study_agreement.h"
#include "app/cli/study_records.h"
#include "compute/base/clock.h"
#include "compute/base/statistics.h"
#include "compute/base/stop_rule.h"
#include "profiling/analysis/run_time.h"
#include "profiling/stream/training_codec.h"

#include <algorithm>
#include <utility>

namespace heteroscope::cli {
namespace {

using profiling::FrameKind;
using profiling::StudyRunStatus;

/// Warm-ups, traced and timed samples are numbered apart.
int classOf(const profiling::StudySample& sample) {
    return sample.warmup ? 0 : sample.traced ? 1 : 2;
}

bool isFinal(StudyRunStatus status) {
    return status != StudyRunStatus::Planned && status != StudyRunStatus::Running;
}

/// The worse of two: failed, cancelled, skipped, ok.
int severity(compute::RunStatus status) {
    switch (status) {
    case compute::RunStatus::Failed:
        return 3;
    case compute::RunStatus::Cancelled:
        return 2;
    case compute::RunStatus::Skipped:
        return 1;
    case compute::RunStatus::Ok:
        break;
    }
    return 0;
}

} // namespace

StudyMerge::StudyMerge(TraceBridge& bridge, profiling::StreamWriter& writer,
                       std::vector<compute::RunDefinition> runs, std::vector<WorkerRole> workers)
    : m_bridge(bridge), m_runs(std::move(runs)), m_workers(std::move(workers)), m_relay(writer) {}

int StudyMerge::timedWorkers() const {
    return static_cast<int>(std::count(m_workers.begin(), m_workers.end(), WorkerRole::Timed));
}

bool StudyMerge::isTimed() const {
    return m_workers[static_cast<std::size_t>(m_process)] == WorkerRole::Timed;
}

void StudyMerge::beginProcess(int index) {
    m_process = index;
    m_processStartNs = steadyNowNs();
    m_reader = std::make_unique<profiling::StreamReader>(workerName());
    m_seen.clear();
    m_builder = std::make_unique<profiling::StudyBuilder>(profiling::StudyBuilder::Repeated::Kept);
    m_trace = std::make_unique<profiling::Trace>();
    m_traceBuilder = std::make_unique<profiling::TraceBuilder>(*m_trace);
    m_relay.beginStream(m_workers[static_cast<std::size_t>(index)] == WorkerRole::Recorded
                            ? std::string("recorded process")
                            : "process " + std::to_string(index + 1) + " of " +
                                  std::to_string(m_workers.size()));
}

std::string StudyMerge::workerName() const {
    return "worker process " + std::to_string(m_process);
}

Status StudyMerge::feed(std::span<const std::uint8_t> bytes) {
    m_reader->feed(bytes);
    while (true) {
        auto frame = m_reader->next();
        if (!frame)
            return frame.error();
        if (!*frame)
            return {};
        if (const Status status = apply(**frame); !status)
            return status;
    }
}

Status StudyMerge::apply(const profiling::Frame& frame) {
    if (profiling::isTraceFrame(frame.kind)) {
        if (const Status status = m_traceBuilder->apply(frame); !status)
            return status;
        return m_relay.pass(frame);
    }
    const std::size_t logged = m_builder->study().log.size();
    if (const Status status = m_builder->apply(frame); !status)
        return status;
    if (frame.kind == FrameKind::Run)
        if (const Status status = agreesWithPlan(m_builder->study().runs.back(), m_runs, workerName());
            !status)
            return status;
    if (frame.kind == FrameKind::Environment)
        takeEnvironment();
    if (frame.kind == FrameKind::Sample)
        takeSample(frame);
    if (frame.kind == FrameKind::RunEnd)
        takeEnding(frame);
    if (frame.kind == FrameKind::Training)
        takeTraining(frame);
    if (frame.kind == FrameKind::Progress)
        takeProgress(frame);
    if (frame.kind == FrameKind::Activity)
        takeActivity();
    for (std::size_t i = logged; i < m_builder->study().log.size(); ++i)
        m_bridge.log(levelOf(m_builder->study().log[i].level), m_builder->study().log[i].text);
    return {};
}

void StudyMerge::takeSample(const profiling::Frame& frame) {
    const Json fields = Json::from_cbor(frame.payload, true, false);
    const int run = fields.value("run", -1); // the builder has checked the frame
    const auto& runs = m_builder->study().runs;
    if (run < 0 || static_cast<std::size_t>(run) >= runs.size() ||
        runs[static_cast<std::size_t>(run)].samples.empty())
        return;
    profiling::StudySample sample = runs[static_cast<std::size_t>(run)].samples.back();
    if (!m_seen.insert({run, classOf(sample), sample.sample}).second) {
        m_bridge.log(compute::LogLevel::Warning, workerName() + " reported sample " +
                                                     std::to_string(sample.sample) + " of run " +
                                                     std::to_string(run) + " twice; the first one counts");
        return;
    }
    sample.process = m_process;
    sample.sample = m_taken[{run, classOf(sample)}]++;
    if (sample.traced && m_workers[static_cast<std::size_t>(m_process)] == WorkerRole::Recorded)
        m_tracedMs[run].push_back(sample.wallMs);
    if (isTimed() && !sample.warmup && !sample.traced)
        m_sampledIn[run].insert(m_process);
    m_bridge.sampleEnd(toSampleRecord(sample));
}

void StudyMerge::takeEnding(const profiling::Frame& frame) {
    const int run = Json::from_cbor(frame.payload, true, false).value("run", -1);
    const auto& runs = m_builder->study().runs;
    if (!isTimed() || run < 0 || static_cast<std::size_t>(run) >= runs.size() ||
        runs[static_cast<std::size_t>(run)].status != StudyRunStatus::Ok)
        return;
    m_sampledIn[run].insert(m_process);
    m_endedIn[run].insert(m_process);
    const profiling::StudyRun& ended = runs[static_cast<std::size_t>(run)];
    if (!stopPhrase(ended.stoppedBy).empty())
        m_stoppedBy[run].push_back(ended.stoppedBy);
    else if (!ended.stopRule.empty())
        m_stoppedBy[run].push_back(stoppedBySentence(ended.stopRule));
}

void StudyMerge::takeEnvironment() {
    for (const std::string& difference :
         environmentDifferences(m_bridge.study().environment, m_builder->study().environment))
        m_bridge.log(compute::LogLevel::Warning, workerName() + ": " + difference);
}

/// Every timed worker trains the same: the first one's figures are the study's.
void StudyMerge::takeTraining(const profiling::Frame& frame) {
    const auto first = std::find(m_workers.begin(), m_workers.end(), WorkerRole::Timed) - m_workers.begin();
    if (m_process != first)
        return;
    auto payload = profiling::Payload::parse(frame);
    if (!payload)
        return; // the builder has checked the frame
    if (auto event = profiling::decodeTraining(*payload))
        m_bridge.training(*event);
}

void StudyMerge::takeProgress(const profiling::Frame&) {
    profiling::StudyProgress progress = m_builder->study().progress;
    const double elapsedS = static_cast<double>(steadyNowNs() - m_processStartNs) * 1e-9;
    const auto processes = static_cast<int>(m_workers.size());
    const double later = processes - 1 - m_process;
    if (progress.remainingS >= 0)
        progress.remainingS += later * (elapsedS + progress.remainingS);
    progress.fraction = (m_process + progress.fraction) / processes;
    progress.process = m_process;
    progress.processes = processes;
    m_bridge.progress(progress);
}

/// The study goes on telling it, for its own reader.
void StudyMerge::takeActivity() {
    if (const auto& doing = m_builder->study().activity)
        m_bridge.activity({doing->run, doing->target, doing->step, doing->forecastBytes, doing->freeBytes});
}

std::string StudyMerge::activity() const {
    return m_builder->study().activity ? m_builder->study().activity->sentence() : std::string();
}

bool StudyMerge::wantedMoreThanFree() const {
    const auto& doing = m_builder->study().activity;
    return doing && doing->wantsMoreThanFree();
}

void StudyMerge::endProcess() {
    joinOutcomes();
    if (m_workers[static_cast<std::size_t>(m_process)] != WorkerRole::Recorded)
        return;
    m_traceBuilder.reset(); // it refers to the trace
    m_recorded = std::move(m_trace);
    m_recorded->publish();
}

void StudyMerge::joinOutcomes() {
    const bool recorded = m_workers[static_cast<std::size_t>(m_process)] == WorkerRole::Recorded;
    for (const profiling::StudyRun& run : m_builder->study().runs) {
        if (!isFinal(run.status))
            continue;
        compute::RunOutcome outcome = toOutcome(run);
        if (recorded && outcome.status == compute::RunStatus::Ok)
            continue; // what counts comes from the timed workers
        const auto [entry, isNew] = m_outcomes.try_emplace(run.run, outcome);
        if (isNew)
            continue;
        compute::RunOutcome& joined = entry->second;
        if (const auto waited = outcome.metrics.find("quiet_wait_s");
            waited != outcome.metrics.end() && waited->is_number())
            joined.metrics["quiet_wait_s"] =
                joined.metrics.value("quiet_wait_s", 0.0) + waited->get<double>();
        if (joined.outputDigest != outcome.outputDigest &&
            severity(joined.status) + severity(outcome.status) == 0)
            m_bridge.log(compute::LogLevel::Warning,
                         "run " + std::to_string(run.run) + ": the processes computed different outputs");
        if (severity(outcome.status) > severity(joined.status)) {
            joined.status = outcome.status;
            joined.reason = outcome.reason;
        }
    }
}

/// Timed samples in the study against those that the recorded worker took.
void StudyMerge::addTracingOverhead(compute::RunOutcome& outcome) const {
    const auto traced = m_tracedMs.find(outcome.run);
    const auto run = static_cast<std::size_t>(outcome.run);
    if (traced == m_tracedMs.end() || run >= m_bridge.study().runs.size())
        return;
    const double timedMs = profiling::runTimeMs(m_bridge.study().runs[run]);
    std::vector<double> recorded = traced->second;
    if (!(timedMs > 0))
        return;
    std::sort(recorded.begin(), recorded.end());
    // Recorded repetitions of a CUDA graph are launched one by one.
    const auto launched = outcome.metrics.find("launched_ms");
    const double untraced =
        launched != outcome.metrics.end() && launched->is_number() ? launched->get<double>() : timedMs;
    // A recorded repetition may do a part of what a timed one does.
    const double share = profiling::tracedShare(m_bridge.study().runs[run]).value_or(1.0);
    outcome.metrics["tracing_overhead_percent"] =
        (quantileSorted(recorded, 0.5) / share / untraced - 1.0) * 100.0;
}

bool StudyMerge::workerEnded() const {
    return m_builder->study().ended;
}

std::string StudyMerge::endReason() const {
    return m_builder->study().endReason;
}

Json StudyMerge::stoppedBy(int run, bool cancelled) const {
    const auto workersIn = [run](const std::map<int, std::set<int>>& byRun) {
        const auto found = byRun.find(run);
        return found == byRun.end() ? 0 : static_cast<int>(found->second.size());
    };
    const auto found = m_stoppedBy.find(run);
    return stoppedInProcesses(found == m_stoppedBy.end() ? std::vector<Json>() : found->second,
                              {timedWorkers(), workersIn(m_sampledIn), workersIn(m_endedIn), cancelled});
}

void StudyMerge::finish(bool cancelled) {
    for (const compute::RunDefinition& definition : m_runs) {
        const auto known = m_outcomes.find(definition.run);
        if (known == m_outcomes.end())
            continue;
        compute::RunOutcome outcome = known->second;
        addTracingOverhead(outcome);
        if (outcome.status == compute::RunStatus::Ok && !m_refused.empty()) {
            outcome.status = compute::RunStatus::Failed;
            outcome.reason = m_refused;
        }
        if (outcome.status == compute::RunStatus::Ok)
            outcome.stoppedBy = stoppedBy(definition.run, cancelled);
        m_bridge.runEnd(outcome);
    }
}

} // namespace heteroscope::cli
