// SPDX-License-Identifier: Apache-2.0
// One run: a point on a target, from opening the session to its outcome. One thread.
#pragma once

#include "compute/base/warm_up_rule.h"
#include "compute/core/backend_registry.h"
#include "compute/exec/work.h"
#include "compute/experiment/equal_work.h"
#include "compute/experiment/memory_check.h"
#include "compute/experiment/pace.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/sampling_rule.h"
#include "compute/experiment/spec/estimate.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// What all runs of a study share.
struct StudyContext {
    const BackendRegistry& registry;
    const RunOptions& options;
    StudyObserver& observer;
    Pace& pace;
    std::pair<int, std::string> told = {-1, {}}; ///< the run and step that the observer was told last
    int quietWaits = 0;   ///< for other programs to be done; after each of them clocks may have fallen
    bool isQuiet = false; ///< what the latest of them found

    bool stopped() const { return options.stop && options.stop->load(std::memory_order_relaxed); }
};

/// Of a traced sample: a trace of thousands of equal spans helps nobody.
inline constexpr int kMostTracedRepetitions = 200;

class TargetRun {
  public:
    TargetRun(const RunDefinition& definition, const ExperimentSpec& pointSpec, const Target& target,
              const PointEstimate& estimate, StudyContext& context);

    /// Opens the session and asks whether it can do the work; refusals end the run as skipped.
    void open();
    /// What the last words of a crash name while sizes are planned: libraries make code then, and may end the
    /// program.
    void notePlanning() const;
    /// Of this run, with the reference where results are compared with one; after open().
    const MemoryNeed& memoryNeed() const { return m_need; }
    NeedOf hostNeed() const;
    NeedOf deviceNeed() const { return deviceNeedOf(*m_session, m_estimate); }
    const DeviceInfo& device() const { return m_session->device(); }

    /// Operands, operations, first execution, outputs.
    void start(const PointData& data);
    /// Until time and clock are stable; finds how many repetitions make a span long enough.
    void warmUp();
    void takeSample();
    bool wantsSample() const;
    /// Parts one by one, then a few samples with tracing on.
    void measureExtras();
    /// The inputs of its point are about to be read or drawn.
    void noteInputs();
    /// Its outputs are about to be compared with those of the reference.
    void noteCheck();
    /// Reports the outcome and frees everything. Safe to call once, in any state.
    void finish();

    bool active() const { return m_active; } ///< neither ended nor failed nor stopped
    const RunDefinition& definition() const { return m_definition; }
    const Target& target() const { return m_target; }
    std::vector<OutputTensor>& outputs() { return m_outputs; }
    void setError(const OutputError& error);
    /// The note when the outputs were not compared.
    void setNotChecked(const std::string& reason);
    void skip(std::string reason) { end(RunStatus::Skipped, std::move(reason)); }
    void fail(const Error& error);
    double share() const; ///< of the expected samples

  private:
    struct Span {
        std::int64_t startNs = 0;
        double seconds = 0;
        double perRepetitionS = 0;
        std::optional<double> devicePerRepetitionMs; ///< on the device's own clock, where it has one
    };

    enum class SampleKind { Warmup, Timed, Traced };

    void end(RunStatus status, std::string reason);
    std::optional<Span> timed(int repetitions, const RepeatContext& repeat);
    Status readDeviceTimer(int repetitions, Span& span);
    std::optional<Span> sample(SampleKind kind, int repetitions);
    void judgeWarmUp(const Span& span, SampleRecord& record);
    void noteDisturbance(SampleKind kind, const Span& span, const Disturbance& disturbance);
    /// Whether the experiment asks for it, and the latest sample or warm-up was disturbed.
    bool wantsToWait() const;
    void waitUntilQuiet(); ///< until other programs are done
    void warmUpAfterWait();
    bool isLongEnough(double spanS, int repetitions) const;
    int mostRepetitions() const; ///< of a span
    /// Before what is timed, where the experiment asks for it.
    Status flushCache();
    Status makeFlush();
    int nextIndex(SampleKind kind);
    void afterSample();
    void measureParts();
    void measureTraced();
    void addMetrics();
    Status allocate();
    void keepOutputs();
    PhaseScope phase(const char* name);
    void plan(); ///< opens the session, asks whether it can, and what it needs
    void checkSupported();
    void checkAsked();
    /// What the last words of a crash name.
    void noteActivity(const char* what = nullptr) const;
    bool keepsReference() const; ///< results of another run, beside this one
    /// The same for whoever reads the stream, who knows it also when nobody can say last words.
    std::string purposeStep(std::string_view step) const; ///< "maxpool.forward, warm-up"
    void tellActivity(std::string_view step);
    void tellStep(std::string_view step);

    const RunDefinition& m_definition;
    const ExperimentSpec& m_spec;
    const Target& m_target;
    const PointEstimate& m_estimate;
    StudyContext& m_context;
    RunOutcome m_outcome;
    SamplingPlan m_plan;
    SamplingRule m_rule;
    WarmUpRule m_warmUp;
    std::vector<Op> m_ops; ///< what the session is asked for
    std::unique_ptr<Session> m_session;
    std::unique_ptr<CacheFlush> m_flush; ///< where the caches are flushed
    std::unique_ptr<Work> m_work;
    std::vector<OutputTensor> m_outputs;
    std::vector<double> m_tracedMs;
    WorkTransfers m_transfers;
    std::string m_purpose, m_purposeDetail;           ///< the op that phases are named after
    std::set<std::string> m_toldSteps;                ///< of the preparation, or of the first use
    bool m_isFirstUse = false, m_isRepeating = false; ///< the latter: its steps were told
    MemoryNeed m_need;
    std::int64_t m_freeBytes = 0; ///< of host memory, before the run took any
    double m_openS = 0, m_repetitionS = 0;
    int m_repetitions = 1, m_warmups = 0, m_samples = 0;
    std::int64_t m_warmUpStartNs = 0;
    bool m_isWarm = false, m_wasWarm = false; ///< the latter: warming up ended once
    bool m_wasDisturbed = false;              ///< its latest sample, or warm-up that was long enough
    double m_quietWaitedS = 0;
    int m_quietWaits = 0; ///< of the study, when this run was warmed up last
    int m_vainWaits = 0;
    bool m_active = true;
};

} // namespace heteroscope::compute
