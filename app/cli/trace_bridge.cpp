// SPDX-License-Identifier: Apache-2.0
// A sink that fails is left out by the writer and reported once at the end of the study, so the statuses of
// single frames are not looked at here.
#include "app/cli/trace_bridge.h"

#include "app/cli/device_record.h"
#include "app/cli/study_records.h"
#include "compute/base/clock.h"
#include "profiling/stream/training_codec.h"

#include <utility>

namespace heteroscope::cli {
namespace {

constexpr std::int64_t kProgressFrameNs = 50'000'000;

void sent(const Status&) {}

} // namespace

TraceBridge::TraceBridge(profiling::StreamWriter& writer, BridgeOptions options)
    : m_writer(writer), m_options(std::move(options)), m_study(newStudy()) {}

profiling::StudyRun* TraceBridge::runOf(int run) {
    const auto index = static_cast<std::size_t>(run);
    return run >= 0 && index < m_study.runs.size() ? &m_study.runs[index] : nullptr;
}

void TraceBridge::studyBegin(const Json& environment, const Json& experiment,
                             const std::vector<compute::RunDefinition>& runs) {
    m_begun = true;
    m_study.environment = environment;
    m_study.experiment = experiment;
    sent(m_writer.begin(m_study));
    sent(m_writer.environment(environment));
    sent(m_writer.experiment(experiment));
    for (const compute::DeviceInfo& device : m_options.devices) {
        m_study.devices.push_back(deviceRecord(device));
        sent(m_writer.device(m_study.devices.back()));
    }
    for (const compute::RunDefinition& definition : runs) {
        m_study.runs.push_back(toStudyRun(definition));
        sent(m_writer.run(m_study.runs.back()));
    }
    for (const profiling::StudyLog& entry : m_study.log) // what came before the study began
        sent(m_writer.log(entry));
    sent(m_writer.flush());
    if (m_options.trace) {
        m_recorder.emplace(m_writer, m_options.gpu, m_options.traceNotes);
        m_recorder->watch(m_options.devices);
        m_recorder->studyBegin(m_study.name());
    }
    if (m_options.onBegun)
        m_options.onBegun();
}

void TraceBridge::runBegin(int run) {
    if (profiling::StudyRun* record = runOf(run)) {
        record->status = profiling::StudyRunStatus::Running;
        if (m_recorder)
            m_recorder->runBegin(*record);
    }
}

void TraceBridge::activity(const compute::RunActivity& activity) {
    sent(m_writer.activity(
        {activity.run, activity.target, activity.step, activity.forecastBytes, activity.freeBytes}));
    if (profiling::StudyRun* record = runOf(activity.run); record && m_recorder)
        m_recorder->activity(*record);
}

void TraceBridge::sampleBegin(int run, int, bool, bool) {
    if (profiling::StudyRun* record = runOf(run); record && m_recorder)
        m_recorder->sampleBegin(*record);
}

void TraceBridge::sampleEnd(const compute::SampleRecord& record) {
    profiling::StudySample sample = toStudySample(record);
    profiling::StudyRun* const run = runOf(record.run);
    if (m_recorder && run && sample.traced)
        sample.leftOut = m_recorder->leftOutOfSample();
    sent(m_writer.sample(sample));
    sent(m_writer.flush());
    if (run) {
        run->samples.push_back(sample);
        if (m_recorder)
            m_recorder->sampleEnd(sample, *run);
    }
}

void TraceBridge::waitedForQuiet(int run, std::int64_t startNs, std::int64_t endNs) {
    const profiling::StudyRun* const waiting = runOf(run);
    if (m_recorder && waiting)
        m_recorder->waitedForQuiet(*waiting, startNs, endNs);
}

void TraceBridge::runEnd(const compute::RunOutcome& outcome) {
    profiling::StudyRun* run = runOf(outcome.run);
    if (!run)
        return;
    const bool began =
        run->status == profiling::StudyRunStatus::Running; // a stopped study ends all others, too
    applyOutcome(*run, outcome);
    sent(m_writer.runEnd(*run));
    sent(m_writer.flush());
    if (m_recorder && began)
        m_recorder->runEnd(*run);
}

void TraceBridge::training(const TrainingEvent& event) {
    profiling::StudyRun* const run = runOf(profiling::runOfTraining(event));
    if (run == nullptr)
        return;
    if (const Status added = run->training.add(event); !added) {
        if (m_trainingsCut.insert(run->run).second)
            log(compute::LogLevel::Warning,
                "run " + std::to_string(run->run) +
                    ": no further steps of its training are kept: " + added.error().sentence());
        return;
    }
    sent(m_writer.training(event));
    sent(m_writer.flush());
}

void TraceBridge::progress(const compute::ProgressRecord& record) {
    progress(profiling::StudyProgress{record.fraction, record.remainingS, record.run, 0, 1});
}

void TraceBridge::progress(const profiling::StudyProgress& progress) {
    m_study.progress = progress;
    const std::int64_t now = steadyNowNs();
    if (now - m_lastProgressNs >= kProgressFrameNs || progress.fraction >= 1.0) {
        m_lastProgressNs = now;
        sent(m_writer.progress(m_study.progress));
        sent(m_writer.flush());
    }
    if (m_options.onProgress)
        m_options.onProgress(m_study);
}

void TraceBridge::log(compute::LogLevel level, const std::string& text) {
    m_study.log.push_back({steadyNowNs(), levelName(level), text});
    if (m_begun) {
        sent(m_writer.log(m_study.log.back()));
        sent(m_writer.flush());
    }
    if (m_options.onLog)
        m_options.onLog(level, text);
}

void TraceBridge::layerBegin(std::string_view layer, std::string_view phase) {
    if (m_recorder)
        m_recorder->layerBegin(layer, phase);
}

void TraceBridge::layerEnd() {
    if (m_recorder)
        m_recorder->layerEnd();
}

void TraceBridge::opBegin(const compute::OpEvent& event) {
    if (m_recorder)
        m_recorder->opBegin(event);
}

void TraceBridge::opEnd() {
    if (m_recorder)
        m_recorder->opEnd();
}

void TraceBridge::threadShare(int threadIndex, std::int64_t startNs, std::int64_t endNs) {
    if (m_recorder)
        m_recorder->threadShare(threadIndex, startNs, endNs);
}

void TraceBridge::phaseBegin(const compute::PhaseEvent& event) {
    if (m_recorder)
        m_recorder->phaseBegin(event);
}

void TraceBridge::phaseEnd() {
    if (m_recorder)
        m_recorder->phaseEnd();
}

void TraceBridge::windowsNotTraced(std::int64_t count) {
    if (m_recorder)
        m_recorder->windowsNotTraced(count);
}

void TraceBridge::copied(compute::CopyDirection direction, std::int64_t bytes, std::int64_t startNs,
                         std::int64_t endNs) {
    if (m_recorder)
        m_recorder->copied(direction, bytes, startNs, endNs);
}

void TraceBridge::metric(int run, const std::string& name, const Json& value) {
    profiling::StudyRun* record = runOf(run);
    if (record == nullptr)
        return;
    record->metrics[name] = value;
    sent(m_writer.metric(run, name, value));
}

void TraceBridge::finish(const std::string& status, const std::string& reason) {
    for (profiling::StudyRun& run : m_study.runs)
        if (run.status == profiling::StudyRunStatus::Running) { // the runner was left by an exception
            run.status = profiling::StudyRunStatus::Failed;
            run.reason = reason;
            sent(m_writer.runEnd(run));
        }
    if (m_recorder)
        m_recorder->studyEnd();
    m_study.ended = true;
    m_study.endStatus = status;
    m_study.endReason = reason;
    if (!m_begun)
        return;
    sent(m_writer.end(status, reason));
    sent(m_writer.flush());
}

} // namespace heteroscope::cli
