// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_recorder.h"

#include "compute/base/activity.h"
#include "compute/base/axis_name.h"
#include "compute/base/clock.h"
#include "compute/base/units.h"
#include "compute/exec/window_work.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

using profiling::kNoTrack;
using profiling::TrackKind;

constexpr int kStudyRow = -3, kTargetRows = -2; // before the devices and all else
constexpr int kRunDepth = 0, kSampleDepth = 1, kOpDepth = 2;
constexpr int kLayerDepth = 2; // a layer's operations lie one deeper

/// Resident memory of this process; nothing when the system does not tell.
std::optional<double> residentBytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (!file)
        return std::nullopt;
    long total = 0, resident = 0;
    const int fields = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    if (fields != 2)
        return std::nullopt;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string sampleName(const profiling::StudySample& sample) {
    const std::string number = std::to_string(sample.sample);
    if (sample.warmup)
        return "warm-up " + number;
    return (sample.traced ? "traced sample " : "sample ") + number;
}

std::string runName(const profiling::StudyRun& run) {
    return run.target + (run.point.empty() ? "" : " " + pointName(run.point));
}

std::int64_t endOf(const profiling::StudySample& sample) {
    return sample.startNs + static_cast<std::int64_t>(sample.wallMs * 1e6 * sample.repetitions);
}

} // namespace

TraceRecorder::TraceRecorder(profiling::StreamWriter& writer, GpuTracing* gpu,
                             const std::vector<std::string>& notes)
    : m_writer(writer), m_collector(writer), m_gpu(gpu) {
    m_quality.notes = notes;
    for (auto& track : m_threadTracks)
        track = kNoTrack;
    m_process = m_collector.addTrack("heteroscope-cli", TrackKind::Group);
    m_threadGroup = m_collector.addTrack("threads", TrackKind::Group, m_process);
    m_memoryTrack = m_collector.addTrack("memory in use", TrackKind::Counter, m_process, "bytes");
    m_bandwidthTrack = m_collector.addTrack("achieved bandwidth", TrackKind::Counter, m_process, "B/s");
    if (m_gpu != nullptr)
        m_gpu->attach(m_collector, m_process);
}

void TraceRecorder::recordSpan(profiling::TrackId track, std::int64_t startNs, std::int64_t endNs,
                               const OpIds& ids, int depth) {
    profiling::Span span;
    span.track = track;
    span.startNs = startNs;
    span.durationNs = std::max<std::int64_t>(0, endNs - startNs);
    span.name = ids.name;
    span.category = ids.category;
    span.args = ids.args;
    span.depth = static_cast<std::int16_t>(depth);
    m_collector.record(span);
}

void TraceRecorder::memoryPoint(std::int64_t timeNs) {
    if (const auto bytes = residentBytes())
        m_collector.counter(m_memoryTrack, timeNs, *bytes);
}

void TraceRecorder::watch(const std::vector<compute::DeviceInfo>& devices) {
    if (m_gpu == nullptr)
        return;
    for (const compute::DeviceInfo& device : devices)
        if (device.kind == "gpu" && device.unavailableReason.empty() &&
            device.properties.contains("pci_bus_id"))
            m_gpu->watch(device.id, device.properties.at("pci_bus_id").get<std::string>());
}

void TraceRecorder::studyBegin(const std::string& name) {
    m_studyStartNs = steadyNowNs();
    m_study = {m_collector.intern(name), m_collector.intern("study"), 0};
    memoryPoint(m_studyStartNs);
}

/// Made when there is something on it, which for most studies is at their end.
profiling::TrackId TraceRecorder::studyTrack() {
    if (m_studyTrack == kNoTrack)
        m_studyTrack = m_collector.addTrack("study", TrackKind::Thread, m_process, {}, kStudyRow);
    return m_studyTrack;
}

profiling::TrackId TraceRecorder::targetTrack(const std::string& target) {
    const auto [entry, isNew] = m_targetTracks.try_emplace(target, kNoTrack);
    if (isNew)
        entry->second = m_collector.addTrack(target, TrackKind::Thread, m_process, {}, kTargetRows);
    return entry->second;
}

void TraceRecorder::runBegin(const profiling::StudyRun& run) {
    const std::int64_t now = steadyNowNs();
    m_runStartNs[run.run] = now;
    activity(run);
    memoryPoint(now);
}

void TraceRecorder::activity(const profiling::StudyRun& run) {
    m_mainTrack = targetTrack(run.target);
}

void TraceRecorder::sampleBegin(const profiling::StudyRun& run) {
    activity(run);
    m_gpuCopies = m_gpu != nullptr && compute::namesGpu(run.target);
    m_spansOfSample = 0;
    m_clippedOfSample = 0;
    m_windowsLeftOut = 0;
}

void TraceRecorder::waitedForQuiet(const profiling::StudyRun& run, std::int64_t startNs, std::int64_t endNs) {
    const OpIds ids{m_collector.intern(activity_step::kQuiet), m_collector.intern("pause"), 0};
    recordSpan(targetTrack(run.target), startNs, endNs, ids, kSampleDepth);
}

void TraceRecorder::sampleEnd(const profiling::StudySample& sample, const profiling::StudyRun& run) {
    const std::int64_t end = endOf(sample);
    OpIds ids{m_collector.intern(sampleName(sample)), m_collector.intern("sample"), 0};
    recordSpan(targetTrack(run.target), sample.startNs, end, ids, kSampleDepth);
    if (run.minimumBytes > 0 && sample.wallMs > 0 && sample.workPerRepetition) {
        m_collector.counter(m_bandwidthTrack, sample.startNs,
                            *sample.workPerRepetition * run.minimumBytes / (sample.wallMs * 1e-3));
        m_collector.counter(m_bandwidthTrack, end, 0.0);
    }
    memoryPoint(end);
    if (m_clippedOfSample > 0)
        noteClipped(run);
    if (m_windowsLeftOut > 0)
        noteWindows(run);
    // The next sample finds room for all its spans, however slowly they are written.
    if (sample.traced)
        m_collector.flush();
}

void TraceRecorder::note(const profiling::StudyRun& run, const std::string& what) {
    constexpr std::size_t kMaxNotes = 100;
    std::string text = "run " + std::to_string(run.run) + " (" + runName(run) + "): " + what;
    const auto& notes = m_quality.notes; // every sample of a run may say the same
    if (notes.size() < kMaxNotes && std::find(notes.begin(), notes.end(), text) == notes.end())
        m_quality.notes.push_back(std::move(text));
}

void TraceRecorder::noteClipped(const profiling::StudyRun& run) {
    m_quality.clipped += m_clippedOfSample;
    note(run, formatCount(static_cast<std::int64_t>(m_clippedOfSample.load())) + " spans beyond the first " +
                  formatCount(kSpansPerSample) + " of a sample are counted here and not drawn");
}

void TraceRecorder::noteWindows(const profiling::StudyRun& run) {
    m_quality.clipped += m_windowsLeftOut;
    note(run, formatCount(static_cast<std::int64_t>(m_windowsLeftOut)) +
                  " windows of a sample lie beyond the first " +
                  formatCount(compute::WindowWork::kTracedWindows) +
                  " of a repetition; they were computed and timed, and their operations have no spans");
}

void TraceRecorder::runEnd(const profiling::StudyRun& run) {
    const OpIds ids{m_collector.intern(runName(run)), m_collector.intern("run"),
                    m_collector.addArgs({{"run", std::to_string(run.run)},
                                         {"target", run.target},
                                         {"point", run.point.dump()},
                                         {"implementation", run.implementation}})};
    recordSpan(targetTrack(run.target), m_runStartNs[run.run], steadyNowNs(), ids, kRunDepth);
    m_runStartNs.erase(run.run);
}

void TraceRecorder::studyEnd() {
    recordSpan(studyTrack(), m_studyStartNs, steadyNowNs(), m_study, 0);
    finishGpu();
    m_collector.stop();
    m_quality.droppedEvents += m_collector.dropped();
    if (m_collector.dropped() > 0)
        m_quality.notes.push_back("spans were dropped: they came faster than they could be written");
    (void)m_writer.dataQuality(m_quality).ok(); // a failing sink is reported once, at the end of the study
}

void TraceRecorder::finishGpu() {
    if (m_gpu == nullptr)
        return;
    const profiling::GpuTraceQuality lost = m_gpu->finish();
    m_quality.droppedEvents += lost.dropped;
    m_quality.zeroTimestamps += lost.zeroTimestamps;
    m_quality.causalPairs += m_gpu->causalCounts().pairs;
    m_quality.causalViolations += m_gpu->causalCounts().violations;
    m_quality.notes.insert(m_quality.notes.end(), lost.notes.begin(), lost.notes.end());
    if (m_gpu->causalCounts().violations > 0)
        m_quality.notes.push_back("device work lies up to " +
                                  formatDurationNs(static_cast<double>(m_gpu->causalCounts().largestByNs)) +
                                  " before its call, or after the end of the wait for it");
    if (lost.dropped > 0)
        m_quality.notes.push_back("the device's profiler dropped records: it ran out of buffers");
    if (lost.zeroTimestamps > 0)
        m_quality.notes.push_back("device work without times is counted and not drawn");
    if (lost.undecodable > 0)
        m_quality.notes.push_back(formatCount(static_cast<std::int64_t>(lost.undecodable)) +
                                  " records of the device's profiler could not be read");
}

bool TraceRecorder::take() {
    if (m_spansOfSample.fetch_add(1, std::memory_order_relaxed) < kSpansPerSample)
        return true;
    m_clippedOfSample.fetch_add(1, std::memory_order_relaxed);
    return false;
}

TraceRecorder::OpIds TraceRecorder::idsOf(const compute::OpEvent& event) {
    if (event.op == m_lastOp && event.detail == m_lastDetail && event.implementation == m_lastImplementation)
        return m_lastIds;
    m_lastOp = event.op;
    m_lastDetail = event.detail;
    m_lastImplementation = event.implementation;
    const auto [entry, isNew] = m_ids.try_emplace(
        m_lastOp + '\n' + m_lastDetail + '\n' + m_lastImplementation + '\n' + m_layer + '\n' + m_layerPhase);
    if (isNew) {
        std::vector<std::pair<std::string, std::string>> args{
            {"detail", m_lastDetail},
            {"implementation", m_lastImplementation},
            {"minimum bytes", formatCount(static_cast<std::int64_t>(event.bytes))},
            {"operations", formatCount(static_cast<std::int64_t>(event.flops))}};
        if (!m_layer.empty())
            args.insert(args.end(), {{"layer", m_layer}, {"phase", m_layerPhase}});
        entry->second = {m_collector.intern(event.op), m_collector.intern(event.isReorder ? "reorder" : "op"),
                         m_collector.addArgs(args)};
    }
    return m_lastIds = entry->second;
}

void TraceRecorder::layerBegin(std::string_view layer, std::string_view phase) {
    m_layer = layer;
    m_layerPhase = phase;
    m_lastOp.clear(); // the same operation of another layer has other arguments
    m_layerStartNs = steadyNowNs();
}

void TraceRecorder::layerEnd() {
    if (!m_layer.empty() && take())
        recordSpan(mainTrack(), m_layerStartNs, steadyNowNs(),
                   {m_collector.intern(m_layer), m_collector.intern("layer " + m_layerPhase), 0},
                   kLayerDepth);
    m_layer.clear();
    m_lastOp.clear();
}

void TraceRecorder::opBegin(const compute::OpEvent& event) {
    m_shareName.store(idsOf(event).name, std::memory_order_relaxed);
    m_opOpen = true;
    if (m_gpu != nullptr)
        m_gpu->workBegin({event.op, event.detail, {}});
    m_opStartNs = steadyNowNs();
}

void TraceRecorder::opEnd() {
    if (m_gpu != nullptr)
        m_gpu->workEnd();
    const std::int64_t end = steadyNowNs();
    if (m_opOpen && take())
        recordSpan(mainTrack(), m_opStartNs, end, m_lastIds, m_layer.empty() ? kOpDepth : kLayerDepth + 1);
    m_opOpen = false;
}

profiling::TrackId TraceRecorder::threadTrack(std::size_t index) {
    auto& track = m_threadTracks[index];
    if (track.load(std::memory_order_acquire) != kNoTrack)
        return track.load(std::memory_order_relaxed);
    const std::lock_guard lock(m_threadMutex);
    if (track.load(std::memory_order_relaxed) == kNoTrack)
        track.store(m_collector.addTrack("thread " + std::to_string(index), TrackKind::Thread, m_threadGroup),
                    std::memory_order_release);
    return track.load(std::memory_order_relaxed);
}

void TraceRecorder::threadShare(int threadIndex, std::int64_t startNs, std::int64_t endNs) {
    if (threadIndex < 0 || static_cast<std::size_t>(threadIndex) >= kMaxThreads) {
        m_clippedOfSample.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    if (take())
        recordSpan(threadTrack(static_cast<std::size_t>(threadIndex)), startNs, endNs,
                   {m_shareName.load(std::memory_order_relaxed), 0, 0}, 0);
}

profiling::TrackId TraceRecorder::copyTrack(compute::CopyDirection direction) {
    static constexpr std::array kNames{"copies host to device", "copies device to host",
                                       "copies on the device"};
    const auto index = static_cast<std::size_t>(direction);
    if (m_copyTracks[index] == kNoTrack)
        m_copyTracks[index] = m_collector.addTrack(kNames[index], TrackKind::Copy);
    return m_copyTracks[index];
}

void TraceRecorder::copied(compute::CopyDirection direction, std::int64_t bytes, std::int64_t startNs,
                           std::int64_t endNs) {
    if (m_gpuCopies || !take())
        return;
    recordSpan(copyTrack(direction), startNs, endNs, idsOfCopy(bytes), 0);
}

TraceRecorder::OpIds TraceRecorder::idsOfCopy(std::int64_t bytes) {
    const std::size_t number = m_phases.empty() ? m_works.numberOf({}) : m_phases.back();
    const auto [entry, isNew] = m_copyIds.try_emplace({bytes, number});
    if (isNew) {
        const NamedWork work = m_works.work(number);
        entry->second = {m_collector.intern(formatBytes(static_cast<double>(bytes))),
                         m_collector.intern("copy"),
                         m_collector.addArgs({{"bytes", std::to_string(bytes)},
                                              {"op", std::string(work.op)},
                                              {"phase", std::string(work.phase)}})};
    }
    return entry->second;
}

void TraceRecorder::phaseBegin(const compute::PhaseEvent& event) {
    const NamedWork work{event.op, event.detail, event.phase};
    m_phases.push_back(m_works.numberOf(work));
    if (m_gpu != nullptr)
        m_gpu->workBegin(work);
}

void TraceRecorder::phaseEnd() {
    if (m_gpu != nullptr)
        m_gpu->workEnd();
    if (!m_phases.empty())
        m_phases.pop_back();
}

void TraceRecorder::windowsNotTraced(std::int64_t count) {
    m_windowsLeftOut += static_cast<std::uint64_t>(count);
}

} // namespace heteroscope::cli
