// SPDX-License-Identifier: Apache-2.0
// Turns what the runner and the implementations report into rows of the timeline: the study; for each target,
// whose runs take turns, a row of run > sample > op; a row per thread of an implementation, rows for copies,
// counters for memory and achieved bandwidth. Calls come on the runner's thread, except threadShare.
#pragma once

#include "app/cli/gpu_tracing.h"
#include "compute/core/device.h"
#include "compute/core/op_observer.h"
#include "profiling/collectors/host_collector.h"
#include "profiling/stream/study.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace heteroscope::cli {

class TraceRecorder {
  public:
    /// Op, thread and copy spans kept of one sample. The window strategy has one op per window: what is
    /// beyond the limit is counted and noted in the data quality, never left out silently.
    static constexpr std::uint64_t kSpansPerSample = 20000;

    /// `gpu` (may be nullptr) outlives the recorder; its rows join the others. `notes` go into the data
    /// quality.
    explicit TraceRecorder(profiling::StreamWriter& writer, GpuTracing* gpu = nullptr,
                           const std::vector<std::string>& notes = {});

    /// Devices whose load, clocks and power are drawn.
    void watch(const std::vector<compute::DeviceInfo>& devices);
    void studyBegin(const std::string& name);
    void runBegin(const profiling::StudyRun& run);
    void activity(const profiling::StudyRun& run); ///< what follows is done for it
    void sampleBegin(const profiling::StudyRun& run);
    /// Spans and windows of the present sample that are beyond the limits, and not drawn.
    std::int64_t leftOutOfSample() const {
        return static_cast<std::int64_t>(m_clippedOfSample.load() + m_windowsLeftOut);
    }
    /// Of a traced sample it returns when the spans are written.
    void sampleEnd(const profiling::StudySample& sample, const profiling::StudyRun& run);
    void waitedForQuiet(const profiling::StudyRun& run, std::int64_t startNs, std::int64_t endNs);
    /// Spans that came faster than they could be written.
    std::uint64_t dropped() const { return m_collector.dropped(); }
    void runEnd(const profiling::StudyRun& run);
    /// Writes what is open, the data quality, and stops recording.
    void studyEnd();

    void layerBegin(std::string_view layer, std::string_view phase);
    void layerEnd();
    void opBegin(const compute::OpEvent& event);
    void opEnd();
    void threadShare(int threadIndex, std::int64_t startNs, std::int64_t endNs); ///< any thread
    void copied(compute::CopyDirection direction, std::int64_t bytes, std::int64_t startNs,
                std::int64_t endNs);
    void phaseBegin(const compute::PhaseEvent& event);
    void phaseEnd();
    void windowsNotTraced(std::int64_t count);

  private:
    static constexpr std::size_t kMaxThreads = 1024;

    struct OpIds {
        profiling::StringId name = 0, category = 0;
        std::uint32_t args = 0;
    };

    bool take(); ///< one more span of this sample; false and counted when over the limit
    OpIds idsOf(const compute::OpEvent& event);
    OpIds idsOfCopy(std::int64_t bytes);
    profiling::TrackId studyTrack();
    profiling::TrackId targetTrack(const std::string& target);
    profiling::TrackId mainTrack() { return m_mainTrack == profiling::kNoTrack ? studyTrack() : m_mainTrack; }
    profiling::TrackId threadTrack(std::size_t index);
    profiling::TrackId copyTrack(compute::CopyDirection direction);
    void recordSpan(profiling::TrackId track, std::int64_t startNs, std::int64_t endNs, const OpIds& ids,
                    int depth);
    void memoryPoint(std::int64_t timeNs);
    void finishGpu();
    void noteClipped(const profiling::StudyRun& run);
    void noteWindows(const profiling::StudyRun& run);
    void note(const profiling::StudyRun& run, const std::string& what);

    profiling::StreamWriter& m_writer;
    profiling::HostCollector m_collector;
    GpuTracing* m_gpu = nullptr;
    bool m_gpuCopies = false; ///< the device's own records tell of this sample's copies
    profiling::TrackId m_process = 0, m_threadGroup = 0, m_memoryTrack = 0, m_bandwidthTrack = 0;
    profiling::TrackId m_studyTrack = profiling::kNoTrack;
    std::array<profiling::TrackId, 3> m_copyTracks{profiling::kNoTrack, profiling::kNoTrack,
                                                   profiling::kNoTrack};
    std::array<std::atomic<profiling::TrackId>, kMaxThreads> m_threadTracks;
    std::mutex m_threadMutex;

    std::map<std::string, profiling::TrackId> m_targetTracks;
    profiling::TrackId m_mainTrack = profiling::kNoTrack; ///< of the target for which something is done

    std::int64_t m_studyStartNs = 0, m_opStartNs = 0;
    std::map<int, std::int64_t> m_runStartNs; ///< of the runs that go on
    OpIds m_study;
    std::string m_layer, m_layerPhase; ///< whose operations run; empty: no network's
    std::int64_t m_layerStartNs = 0;
    std::string m_lastOp, m_lastDetail, m_lastImplementation;
    OpIds m_lastIds;
    KnownWorks m_works;
    std::vector<std::size_t> m_phases;                               ///< numbers of works; the innermost last
    std::map<std::pair<std::int64_t, std::size_t>, OpIds> m_copyIds; ///< by bytes and the work's number
    std::map<std::string, OpIds> m_ids;                              ///< op, detail and implementation joined
    std::atomic<profiling::StringId> m_shareName{0};
    std::atomic<std::uint64_t> m_spansOfSample{0}, m_clippedOfSample{0};
    std::uint64_t m_windowsLeftOut = 0; ///< of this sample
    bool m_opOpen = false;
    profiling::DataQuality m_quality;
};

} // namespace heteroscope::cli
