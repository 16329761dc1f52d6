// SPDX-License-Identifier: Apache-2.0
// Puts the streams of several workers into one study: samples are numbered on, outcomes are joined, spans go
// on as they come, below a group of their process. One thread.
#pragma once

#include "app/cli/trace_bridge.h"
#include "compute/experiment/runner.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/stream/stream_writer.h"
#include "profiling/stream/trace_relay.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::cli {

/// What a worker is for.
enum class WorkerRole {
    Timed,    ///< takes the samples that count
    Recorded, ///< records the timeline, with the device's: its samples are traced ones
};

class StudyMerge {
  public:
    /// Study and writer outlive this. `runs`: what the study consists of; `workers`: those that there will
    /// be, in order.
    StudyMerge(TraceBridge& bridge, profiling::StreamWriter& writer, std::vector<compute::RunDefinition> runs,
               std::vector<WorkerRole> workers);

    void beginProcess(int index);
    /// Bytes of the current worker's stream. Errors: they are no stream, or the worker's runs are not the
    /// study's. What came before them stays.
    Status feed(std::span<const std::uint8_t> bytes);
    void endProcess();             ///< the current worker is gone
    bool workerEnded() const;      ///< the worker wrote its End frame
    std::string endReason() const; ///< what its End frame gives as the reason; empty: none
    /// What the current worker was computing when its stream ended; empty: nothing, or it did not say.
    std::string activity() const;
    /// What it was computing was forecast to take more memory than was free.
    bool wantedMoreThanFree() const;
    /// The timeline of the recorded worker, once it ended; null without one.
    const profiling::Trace* recorded() const { return m_recorded.get(); }
    /// The workers' samples do not belong together: no run of theirs is a result.
    void refuse(std::string reason) { m_refused = std::move(reason); }
    /// Reports the outcome of every run that any worker knew of.
    void finish(bool cancelled);

  private:
    Status apply(const profiling::Frame& frame);
    std::string workerName() const;
    void takeEnvironment();
    void takeSample(const profiling::Frame& frame);
    void takeEnding(const profiling::Frame& frame);
    void takeTraining(const profiling::Frame& frame);
    void takeProgress(const profiling::Frame& frame);
    void takeActivity();
    void joinOutcomes();
    int timedWorkers() const;
    bool isTimed() const;                          ///< the current worker
    Json stoppedBy(int run, bool cancelled) const; ///< of all timed workers
    void addTracingOverhead(compute::RunOutcome& outcome) const;

    TraceBridge& m_bridge;
    std::vector<compute::RunDefinition> m_runs;
    const std::vector<WorkerRole> m_workers;
    int m_process = 0;
    std::int64_t m_processStartNs = 0;
    std::unique_ptr<profiling::StreamReader> m_reader;
    std::unique_ptr<profiling::StudyBuilder> m_builder;
    std::unique_ptr<profiling::Trace> m_trace;
    std::unique_ptr<profiling::TraceBuilder> m_traceBuilder;
    std::unique_ptr<profiling::Trace> m_recorded;
    profiling::TraceRelay m_relay;
    std::set<std::array<int, 3>> m_seen;        ///< (run, class, number) of the current worker's samples
    std::map<std::pair<int, int>, int> m_taken; ///< (run, class of sample) -> how many so far
    std::map<int, std::set<int>> m_sampledIn; ///< run -> timed workers that gave samples, or came to its end
    std::map<int, std::set<int>> m_endedIn;   ///< run -> timed workers that came to its end
    std::map<int, compute::RunOutcome> m_outcomes;
    std::map<int, std::vector<Json>> m_stoppedBy;  ///< run -> of each timed worker that came to its end
    std::map<int, std::vector<double>> m_tracedMs; ///< of the recorded worker, by run
    std::string m_refused;                         ///< why; empty: they belong together
};

} // namespace heteroscope::cli
