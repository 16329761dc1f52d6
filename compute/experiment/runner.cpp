// SPDX-License-Identifier: Apache-2.0
// A study: its points in order, progress, and what it says when nothing could run.
#include "compute/experiment/runner.h"

#include "compute/base/clock.h"
#include "compute/base/failure_words.h"
#include "compute/experiment/point_runner.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr double kProgressEveryS = 0.05;

/// Counts outcomes on their way to the real observer.
class CountingObserver : public StudyObserver {
  public:
    explicit CountingObserver(StudyObserver& next) : m_next(next) {}

    int ok = 0, failed = 0, skipped = 0, cancelled = 0;
    int badInput = 0;       ///< of those that failed
    bool onlyMemory = true; ///< every run that did not finish lacked memory
    std::string firstReason;

    void layerBegin(std::string_view layer, std::string_view phase) override {
        m_next.layerBegin(layer, phase);
    }
    void layerEnd() override { m_next.layerEnd(); }
    void opBegin(const OpEvent& event) override { m_next.opBegin(event); }
    void opEnd() override { m_next.opEnd(); }
    void threadShare(int thread, std::int64_t startNs, std::int64_t endNs) override {
        m_next.threadShare(thread, startNs, endNs);
    }
    void copied(CopyDirection direction, std::int64_t bytes, std::int64_t startNs,
                std::int64_t endNs) override {
        m_next.copied(direction, bytes, startNs, endNs);
    }
    void phaseBegin(const PhaseEvent& event) override { m_next.phaseBegin(event); }
    void phaseEnd() override { m_next.phaseEnd(); }
    void windowsNotTraced(std::int64_t count) override { m_next.windowsNotTraced(count); }
    void studyBegin(const Json& environment, const Json& experiment,
                    const std::vector<RunDefinition>& runs) override {
        m_next.studyBegin(environment, experiment, runs);
    }
    void runBegin(int run) override { m_next.runBegin(run); }
    void activity(const RunActivity& doing) override { m_next.activity(doing); }
    void sampleBegin(int run, int sample, bool warmup, bool traced) override {
        m_next.sampleBegin(run, sample, warmup, traced);
    }
    void sampleEnd(const SampleRecord& record) override { m_next.sampleEnd(record); }
    void waitedForQuiet(int run, std::int64_t startNs, std::int64_t endNs) override {
        m_next.waitedForQuiet(run, startNs, endNs);
    }
    void trainingSteps(const TrainingSteps& steps) override { m_next.trainingSteps(steps); }
    void trainingEpoch(const TrainingEpoch& epoch) override { m_next.trainingEpoch(epoch); }
    void trainingEvaluation(const TrainingEvaluation& evaluation) override {
        m_next.trainingEvaluation(evaluation);
    }
    void progress(const ProgressRecord& progress) override { m_next.progress(progress); }
    void log(LogLevel level, const std::string& text) override { m_next.log(level, text); }
    void studyEnd() override { m_next.studyEnd(); }

    void runEnd(const RunOutcome& outcome) override {
        ok += outcome.status == RunStatus::Ok;
        failed += outcome.status == RunStatus::Failed;
        badInput += outcome.status == RunStatus::Failed && outcome.badInput;
        skipped += outcome.status == RunStatus::Skipped;
        cancelled += outcome.status == RunStatus::Cancelled;
        if (outcome.status != RunStatus::Ok && firstReason.empty())
            firstReason = outcome.reason;
        if (outcome.status != RunStatus::Ok)
            onlyMemory = onlyMemory && outcome.reason.find("of memory") != std::string::npos;
        m_next.runEnd(outcome);
    }

  private:
    StudyObserver& m_next;
};

/// Unknown options are mistakes; an unavailable target only costs its runs, unless there is no other.
Status checkTargets(const ExperimentSpec& spec, const BackendRegistry& registry) {
    std::optional<Error> unavailable;
    bool any = false;
    for (std::size_t i = 0; i < spec.targets.size(); ++i) {
        const auto session = registry.open(spec.targets[i]);
        any = any || session.ok();
        if (session.ok())
            continue;
        Error error = session.error();
        if (error.code != ErrorCode::TargetUnavailable) {
            error.where = "/targets/" + std::to_string(i);
            return error;
        }
        if (!unavailable)
            unavailable = error;
    }
    if (!any && unavailable)
        return *unavailable;
    return {};
}

Status verdictOf(const CountingObserver& counts, bool stopped) {
    if (stopped && counts.cancelled > 0)
        return stoppedError();
    if (counts.ok > 0)
        return {};
    ErrorCode code = counts.onlyMemory && counts.skipped > 0 ? ErrorCode::OutOfMemory : ErrorCode::RunFailed;
    if (counts.badInput > 0 && counts.badInput == counts.failed)
        code = ErrorCode::BadInput;
    return Error{code, say(failure_words::kNoRun, {counts.firstReason}).text(), {}, {}, {}};
}

class Study {
  public:
    Study(const ExperimentSpec& spec, const BackendRegistry& registry, const RunOptions& options,
          CountingObserver& observer, std::vector<ExperimentPoint> points, std::vector<RunDefinition> runs)
        : m_points(std::move(points)),
          m_runs(std::move(runs)),
          m_plan(SamplingPlan::of(spec, options.samplesOverride, {options.processIndex, options.processes})),
          m_pace(m_runs, m_plan.most > 0 ? m_plan.most : 2 * m_plan.fewest, m_plan.timeLimitS),
          m_context{registry, options, observer, m_pace},
          m_targets(spec.targets.size()) {}

    void run() {
        m_startNs = m_reportedNs = steadyNowNs();
        m_context.observer.progress({});
        for (std::size_t point = 0; point < m_points.size(); ++point) {
            if (m_context.stopped())
                return cancelFrom(point);
            const std::span<const RunDefinition> runs(m_runs.data() + point * m_targets, m_targets);
            PointRunner(m_points[point], runs, m_context, [this](const TargetRun& run) {
                report(run);
            }).run();
        }
        m_context.observer.progress({1.0, 0.0, -1});
    }

    const std::vector<RunDefinition>& runs() const { return m_runs; }

  private:
    void cancelFrom(std::size_t point) {
        for (std::size_t i = point * m_targets; i < m_runs.size(); ++i) {
            RunOutcome outcome;
            outcome.run = m_runs[i].run;
            outcome.status = RunStatus::Cancelled;
            outcome.reason = failure_words::kNotBegun;
            m_context.observer.runEnd(outcome);
        }
    }

    void report(const TargetRun& run) {
        const int index = run.definition().run;
        if (run.active())
            m_pace.advanced(index, std::min(run.share(), 0.95));
        const std::int64_t now = steadyNowNs();
        if (static_cast<double>(now - m_reportedNs) * 1e-9 < kProgressEveryS)
            return;
        m_reportedNs = now;
        const double elapsedS = static_cast<double>(now - m_startNs) * 1e-9;
        m_context.observer.progress({m_pace.fraction(elapsedS), m_pace.remainingS(), index});
    }

    std::vector<ExperimentPoint> m_points;
    std::vector<RunDefinition> m_runs;
    SamplingPlan m_plan;
    Pace m_pace;
    StudyContext m_context;
    std::size_t m_targets;
    std::int64_t m_startNs = 0, m_reportedNs = 0;
};

} // namespace

Status runStudy(const ExperimentSpec& spec, const BackendRegistry& registry, const RunOptions& options,
                StudyObserver& observer) {
    auto runs = planRuns(spec);
    if (!runs)
        return runs.error();
    auto points = expandPoints(spec);
    if (!points)
        return points.error();
    if (const Status status = checkTargets(spec, registry); !status)
        return status;
    CountingObserver counting(observer);
    Study study(spec, registry, options, counting, std::move(*points), std::move(*runs));
    counting.studyBegin(environmentRecord(registry, spec), specToJson(spec), study.runs());
    study.run();
    counting.studyEnd();
    return verdictOf(counting, options.stop && options.stop->load());
}

} // namespace heteroscope::compute
