// SPDX-License-Identifier: Apache-2.0
// The one meeting point of the compute and the profiling library: what the runner reports becomes frames,
// spans and a Study in memory. Every sample is in the writer's sinks (the run file first) before anyone else
// hears of it. Calls come on the runner's thread, except threadShare.
#pragma once

#include "app/cli/trace_recorder.h"
#include "compute/core/device.h"
#include "compute/experiment/study_observer.h"
#include "profiling/stream/stream_writer.h"
#include "profiling/stream/study.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace heteroscope::cli {

struct BridgeOptions {
    bool trace = true;
    GpuTracing* gpu = nullptr;           ///< records of the device; outlives the bridge
    std::vector<std::string> traceNotes; ///< what the data quality has to say from the start
    std::vector<compute::DeviceInfo> devices;
    std::function<void()> onBegun; ///< the study has begun, and recording, and nothing has run yet
    std::function<void(const profiling::Study&)> onProgress; ///< after the frames are written
    std::function<void(compute::LogLevel, const std::string&)> onLog;
};

class TraceBridge final : public compute::StudyObserver {
  public:
    /// The writer outlives the bridge.
    TraceBridge(profiling::StreamWriter& writer, BridgeOptions options);

    void studyBegin(const Json& environment, const Json& experiment,
                    const std::vector<compute::RunDefinition>& runs) override;
    void runBegin(int run) override;
    void activity(const compute::RunActivity& activity) override;
    void sampleBegin(int run, int sample, bool warmup, bool traced) override;
    void sampleEnd(const compute::SampleRecord& record) override;
    void waitedForQuiet(int run, std::int64_t startNs, std::int64_t endNs) override;
    void runEnd(const compute::RunOutcome& outcome) override;
    void trainingSteps(const TrainingSteps& steps) override { training(steps); }
    void trainingEpoch(const TrainingEpoch& epoch) override { training(epoch); }
    void trainingEvaluation(const TrainingEvaluation& evaluation) override { training(evaluation); }
    void progress(const compute::ProgressRecord& record) override;
    void log(compute::LogLevel level, const std::string& text) override;
    void layerBegin(std::string_view layer, std::string_view phase) override;
    void layerEnd() override;
    void opBegin(const compute::OpEvent& event) override;
    void opEnd() override;
    void threadShare(int threadIndex, std::int64_t startNs, std::int64_t endNs) override;
    void copied(compute::CopyDirection direction, std::int64_t bytes, std::int64_t startNs,
                std::int64_t endNs) override;
    void phaseBegin(const compute::PhaseEvent& event) override;
    void phaseEnd() override;
    void windowsNotTraced(std::int64_t count) override;

    void progress(const profiling::StudyProgress& progress);
    /// Beyond kMostSteps of a run, its steps are left out, which the log says once.
    void training(const TrainingEvent& event);
    /// A value beside the outcome of a run that has ended.
    void metric(int run, const std::string& name, const Json& value);
    /// Writes the open spans and the End frame; a run that has not ended has failed. `status`: "done",
    /// "failed", "cancelled".
    void finish(const std::string& status, const std::string& reason);

    bool begun() const { return m_begun; } ///< studyBegin was called
    const profiling::Study& study() const { return m_study; }

  private:
    profiling::StudyRun* runOf(int run);

    profiling::StreamWriter& m_writer;
    BridgeOptions m_options;
    profiling::Study m_study;
    std::optional<TraceRecorder> m_recorder; ///< only while tracing
    bool m_begun = false;
    std::int64_t m_lastProgressNs = 0;
    std::set<int> m_trainingsCut; ///< runs whose steps are left out
};

} // namespace heteroscope::cli
