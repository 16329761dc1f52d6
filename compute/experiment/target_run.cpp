// SPDX-License-Identifier: Apache-2.0
// Opening, first use, warm-up and timed samples of one run.
#include "compute/experiment/target_run.h"

#include "compute/base/activity.h"
#include "compute/base/clock.h"
#include "compute/base/disturbance.h"
#include "compute/base/failure_words.h"
#include "compute/base/free_memory.h"
#include "compute/base/quiet_wait.h"
#include "compute/base/units.h"
#include "compute/experiment/chosen_implementations.h"
#include "compute/experiment/reference.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr double kLeastSpanS = 0.010;
constexpr double kSpanAimS = 0.012;
constexpr int kMostRepetitions = 10'000'000;
constexpr double kMostGrowth = 100.0;

double secondsSince(std::int64_t startNs) {
    return static_cast<double>(steadyNowNs() - startNs) * 1e-9;
}

/// So many waits of a run in a row that found a quiet machine at once, without an undisturbed sample between
/// them: what disturbs it runs only while it is sampled.
constexpr int kMostVainWaits = 3;

/// How many repetitions fill a span, from what `repetitions` of them took; grows in bounded steps.
int enoughRepetitions(int repetitions, double spanS) {
    const double wanted = repetitions * std::min(kSpanAimS / std::max(spanS, 1e-9), kMostGrowth);
    return static_cast<int>(
        std::clamp(std::ceil(wanted), repetitions + 1.0, static_cast<double>(kMostRepetitions)));
}

} // namespace

TargetRun::TargetRun(const RunDefinition& definition, const ExperimentSpec& pointSpec, const Target& target,
                     const PointEstimate& estimate, StudyContext& context)
    : m_definition(definition),
      m_spec(pointSpec),
      m_target(target),
      m_estimate(estimate),
      m_context(context),
      m_plan(SamplingPlan::of(pointSpec, context.options.samplesOverride,
                              {context.options.processIndex, context.options.processes})),
      m_rule(m_plan),
      m_warmUp(m_plan.warmupLimitS) {
    m_outcome.run = definition.run;
    m_context.observer.runBegin(definition.run);
}

void TargetRun::end(RunStatus status, std::string reason) {
    m_outcome.status = status;
    m_outcome.reason = std::move(reason);
    m_active = false;
}

void TargetRun::fail(const Error& error) {
    if (error.code == ErrorCode::Cancelled)
        return end(RunStatus::Cancelled, error.message);
    m_outcome.badInput = error.code == ErrorCode::BadInput;
    end(error.code == ErrorCode::TargetUnavailable ? RunStatus::Skipped : RunStatus::Failed,
        error.sentence());
}

void TargetRun::notePlanning() const {
    setActivity(say(failure_words::kPlanOf, {std::to_string(m_definition.run), m_target.text(),
                                             formatBytes(static_cast<double>(m_estimate.hostBytes))})
                    .text());
}

void TargetRun::open() {
    notePlanning();
    tellActivity(activity_step::kPlanning); // without a forecast: it is made here
    plan();
    setActivity({});
}

void TargetRun::plan() {
    const std::int64_t start = steadyNowNs();
    auto session = m_context.registry.open(m_target);
    m_openS = secondsSince(start);
    if (!session)
        return fail(session.error());
    m_session = std::move(*session);
    m_ops = workOps(m_spec, m_estimate.src);
    if (m_session->recordsRepetitions() && !onWholeImages(m_spec))
        return skip(m_target.text() +
                    " records repetitions on operands that stay on the device, and strategy window "
                    "copies each window: leave graph=on out, or set strategy to image");
    if (!m_session->askedImplementations().empty())
        checkAsked();
    else
        checkSupported();
    if (active())
        m_need = compute::memoryNeed(m_spec, m_estimate, *m_session, keepsReference());
}

void TargetRun::checkSupported() {
    for (const Op& op : m_ops) {
        setActivityStep(opName(op));
        if (const Support support = m_session->supports(op); !support.supported)
            return skip(say(failure_words::kCannotDo,
                            {m_target.text(), opName(op) + " " + opDetail(op), support.reason})
                            .text());
    }
}

/// Networks have other implementations once their layouts are known, which a session of its own is set up
/// with.
void TargetRun::checkAsked() {
    const auto session = m_context.registry.open(m_target);
    if (!session)
        return fail(session.error());
    const std::string refusal =
        firstRefusal(chosenImplementations(m_spec, m_estimate.src, **session), m_target.text());
    if (!refusal.empty())
        skip(refusal);
}

bool TargetRun::keepsReference() const {
    return Reference::isWanted(m_context.options) && compute::keepsReference(m_target, m_spec);
}

NeedOf TargetRun::hostNeed() const {
    return hostNeedOf(*m_session, keepsReference(), m_estimate);
}

void TargetRun::noteActivity(const char* what) const {
    const Phrase run = say(failure_words::kRunOn, {std::to_string(m_definition.run), m_target.text(),
                                                   formatBytes(static_cast<double>(m_need.ofHost()))});
    setActivity((what == nullptr ? run : say(what, {run})).text());
}

/// A first use may be a whole dataset: from its second batch on that is all that is told. What is prepared
/// for batches of several sizes is told once.
void TargetRun::tellStep(std::string_view step) {
    const bool isNew = m_toldSteps.emplace(step).second;
    if (isNew && !m_isRepeating)
        return tellActivity(step);
    if (m_isFirstUse && !std::exchange(m_isRepeating, true))
        tellActivity(purposeStep(activity_step::kFirstUse));
}

std::string TargetRun::purposeStep(std::string_view step) const {
    return m_purpose + ", " + std::string(step);
}

void TargetRun::tellActivity(std::string_view step) {
    const std::pair<int, std::string> now{m_definition.run, step};
    if (now == m_context.told)
        return;
    m_context.told = now;
    m_context.observer.activity(
        {m_definition.run, m_target.text(), now.second, m_need.ofHost(), m_freeBytes});
}

PhaseScope TargetRun::phase(const char* name) {
    return {&m_context.observer, {m_purpose, m_purposeDetail, name}};
}

Status TargetRun::allocate() {
    const PhaseScope operands = phase("operands");
    const std::int64_t start = steadyNowNs();
    const Status status = m_work->allocate();
    m_outcome.metrics["upload_ms"] = secondsSince(start) * 1e3;
    return status ? makeFlush() : status;
}

Status TargetRun::makeFlush() {
    if (m_spec.sampling.cache != CacheState::Flush)
        return {};
    auto flush = m_session->makeCacheFlush();
    if (!flush)
        return flush.error();
    m_flush = std::move(*flush);
    m_outcome.metrics["cache_flush_bytes"] = m_flush->bytes();
    return {};
}

Status TargetRun::flushCache() {
    return m_flush && m_isWarm ? m_flush->run() : Status{};
}

void TargetRun::noteInputs() {
    m_freeBytes = readMemory().freeBytes;
    noteActivity(failure_words::kInputsOf);
    tellActivity(activity_step::kInputs);
}

void TargetRun::noteCheck() {
    noteActivity(failure_words::kCheckOf); // whose steps are the reference's own
    tellActivity(activity_step::kCheck);
}

void TargetRun::start(const PointData& data) {
    m_freeBytes = readMemory().freeBytes;
    const ActivityTold told([this](std::string_view step) { tellStep(step); });
    noteActivity();
    setActivityStep(activity_step::kOperands);
    m_work = makeWork(m_spec, data, *m_session);
    const RunOptions& options = m_context.options;
    if (!options.checkpoints.empty() && !options.onlyTraced)
        m_work->keepState({stemOfRun(options.checkpoints, m_definition.run), options.resume,
                           options.replaceStates, describeTraining(m_spec), options.inputs});
    const WorkPurpose purpose = purposeOf(m_spec, data.srcShape);
    m_purpose = purpose.name;
    m_purposeDetail = purpose.detail;
    if (const Status status = allocate(); !status)
        return fail(status.error());
    const PhaseScope firstUse = phase("first use");
    const std::int64_t firstStart = steadyNowNs();
    if (const Status status = m_work->prepare(); !status)
        return fail(status.error());
    m_toldSteps.clear(); // the steps that were prepared are computed now
    m_isFirstUse = true;
    if (const Status status = m_work->firstUse(
            {nullptr, m_context.options.stop, nullptr, &m_context.observer, m_definition.run});
        !status)
        return fail(status.error());
    m_outcome.firstUseMs = (m_openS + secondsSince(firstStart)) * 1e3;
    m_outcome.implementation = m_work->implementation();
    keepOutputs();
}

void TargetRun::keepOutputs() {
    const PhaseScope results = phase("results");
    const std::int64_t start = steadyNowNs();
    auto outputs = m_work->outputs();
    if (!outputs)
        return fail(outputs.error());
    m_outcome.metrics["download_ms"] = secondsSince(start) * 1e3;
    m_outputs = std::move(*outputs);
    m_outcome.outputDigest = outputDigest(m_outputs);
    if (m_context.options.keepOutputs && m_context.options.onOutput)
        for (const OutputTensor& output : m_outputs)
            m_context.options.onOutput(m_definition.run, output.name, output.shape, output.values.data());
}

std::optional<TargetRun::Span> TargetRun::timed(int repetitions, const RepeatContext& repeat) {
    noteActivity();
    Span span;
    Status status = m_session->startDeviceTimer();
    span.startNs = steadyNowNs();
    if (status)
        status = m_work->repeat(repetitions, repeat);
    span.seconds = secondsSince(span.startNs);
    span.perRepetitionS = span.seconds / repetitions;
    if (status)
        status = readDeviceTimer(repetitions, span);
    if (status)
        return span;
    fail(status.error());
    return std::nullopt;
}

Status TargetRun::readDeviceTimer(int repetitions, Span& span) {
    const auto ms = m_session->stopDeviceTimerMs();
    if (!ms)
        return ms.error();
    if (*ms)
        span.devicePerRepetitionMs = **ms / repetitions;
    return {};
}

int TargetRun::nextIndex(SampleKind kind) {
    if (kind == SampleKind::Warmup)
        return m_warmups++;
    if (kind == SampleKind::Traced)
        return static_cast<int>(m_tracedMs.size());
    return m_plan.before + m_samples++;
}

std::optional<TargetRun::Span> TargetRun::sample(SampleKind kind, int repetitions) {
    SampleRecord record;
    record.run = m_definition.run;
    record.sample = nextIndex(kind);
    record.process = m_context.options.processIndex;
    record.warmup = kind == SampleKind::Warmup;
    record.traced = kind == SampleKind::Traced;
    record.repetitions = repetitions;
    const char* const name = record.warmup   ? activity_step::kWarmUp
                             : record.traced ? activity_step::kTraced
                                             : activity_step::kTimed;
    tellActivity(purposeStep(name));
    if (const Status status = flushCache(); !status) {
        fail(status.error());
        return std::nullopt;
    }
    m_context.observer.sampleBegin(record.run, record.sample, record.warmup, record.traced);
    const PhaseScope sampling = phase(name);
    WorkTransfers transfers;
    const bool counts = kind == SampleKind::Timed;
    const RepeatContext repeat{record.traced ? &m_context.observer : nullptr, m_context.options.stop,
                               &transfers, counts ? &m_context.observer : nullptr, record.run};
    const DisturbanceWatch watch;
    const auto span = timed(repetitions, repeat);
    if (!span)
        return std::nullopt;
    record.disturbance = watch.end();
    noteDisturbance(kind, *span, *record.disturbance);
    record.workPerRepetition = m_work->opsPerRepetition() * (record.traced ? m_work->tracedShare() : 1.0);
    record.startNs = span->startNs;
    record.wallMs = span->perRepetitionS * 1e3;
    record.deviceMs = span->devicePerRepetitionMs;
    record.h2d = transfers.h2d;
    record.d2h = transfers.d2h;
    if (kind == SampleKind::Timed)
        m_transfers = transfers;
    if (m_context.options.readClocks)
        record.clocks = m_context.options.readClocks(m_target.text());
    if (record.warmup)
        judgeWarmUp(*span, record);
    m_context.observer.sampleEnd(record);
    return span;
}

/// A warm-up that is too short says nothing of a quiet machine.
void TargetRun::noteDisturbance(SampleKind kind, const Span& span, const Disturbance& disturbance) {
    if (isDisturbed(disturbance)) {
        m_wasDisturbed = true;
    } else if (kind == SampleKind::Timed) {
        m_wasDisturbed = false;
        m_vainWaits = 0;
    } else if (span.seconds >= kLeastSpanS) {
        m_wasDisturbed = false;
    }
}

/// Where only a recording is made, a warm-up is no longer than what is recorded: the device records it too.
int TargetRun::mostRepetitions() const {
    return m_context.options.onlyTraced ? kMostTracedRepetitions : kMostRepetitions;
}

bool TargetRun::isLongEnough(double spanS, int repetitions) const {
    return spanS >= kLeastSpanS || repetitions >= mostRepetitions();
}

/// Nothing of a span that is too short: what is around its repetitions counts in it.
void TargetRun::judgeWarmUp(const Span& span, SampleRecord& record) {
    if (m_isWarm || !isLongEnough(span.seconds, record.repetitions))
        return;
    m_warmUp.add(record.wallMs, record.clocks ? record.clocks->smMhz : std::nullopt);
    m_isWarm = m_warmUp.isOver(secondsSince(m_warmUpStartNs));
    if (m_isWarm && !m_wasWarm)
        record.warmupStable = m_warmUp.isStable();
    m_wasWarm = m_wasWarm || m_isWarm;
}

/// Caches are flushed only afterwards: a clock rises while there is work, and one repetition more finds what
/// the flush itself does at its first time.
void TargetRun::warmUp() {
    m_quietWaits = m_context.quietWaits;
    if (m_work->isProgressive())
        return;
    m_warmUpStartNs = steadyNowNs();
    while (m_active && !m_isWarm) {
        const auto span = sample(SampleKind::Warmup, m_repetitions);
        if (!span)
            return;
        m_repetitionS = span->perRepetitionS;
        m_context.pace.measured(m_definition, m_repetitionS);
        if (!isLongEnough(span->seconds, m_repetitions))
            m_repetitions = std::min(enoughRepetitions(m_repetitions, span->seconds), mostRepetitions());
    }
    if (!m_active || !m_flush)
        return;
    m_repetitions = 1;
    sample(SampleKind::Warmup, m_repetitions);
}

/// Not where another run has waited meanwhile, and found a quiet machine.
bool TargetRun::wantsToWait() const {
    const bool isQuietSince = m_quietWaits != m_context.quietWaits && m_context.isQuiet;
    return m_active && m_wasDisturbed && !isQuietSince && m_vainWaits < kMostVainWaits &&
           m_quietWaitedS + kQuietWindowS <= m_plan.quietWaitS;
}

void TargetRun::waitUntilQuiet() {
    const double leftS = m_plan.quietWaitS - m_quietWaitedS;
    tellActivity(activity_step::kQuiet);
    m_context.observer.log(LogLevel::Info, m_definition.target + ": other programs run; waiting for up to " +
                                               formatDurationNs(leftS * 1e9) + " until they are done");
    const std::atomic<bool>* const stop = m_context.options.stop;
    const std::int64_t start = steadyNowNs();
    const QuietWait wait = heteroscope::waitUntilQuiet(leftS, lookWhileAsleep(stop), stop);
    m_context.observer.waitedForQuiet(m_definition.run, start, steadyNowNs());
    m_vainWaits = wait.isQuiet && wait.seconds <= kQuietWindowS ? m_vainWaits + 1 : 0;
    m_quietWaitedS += std::min(wait.seconds, secondsSince(start)); // less where it was stopped
    m_outcome.metrics["quiet_wait_s"] = m_quietWaitedS;
    m_wasDisturbed = false;
    m_context.isQuiet = wait.isQuiet;
    ++m_context.quietWaits;
    if (m_context.stopped())
        fail(stoppedError());
    else if (m_vainWaits == kMostVainWaits)
        m_context.observer.log(
            LogLevel::Warning,
            m_definition.target +
                ": waiting does not help: it is disturbed by what runs only while it is sampled; use fewer "
                "threads than there are processors");
    else if (!wait.isQuiet)
        m_context.observer.log(LogLevel::Warning, m_definition.target + ": the machine was not quiet after " +
                                                      formatDurationNs(m_quietWaitedS * 1e9) +
                                                      " of waiting; what is sampled now may be disturbed");
}

/// The clocks of all devices may have fallen, whichever run waited.
void TargetRun::warmUpAfterWait() {
    if (m_quietWaits == m_context.quietWaits)
        return;
    m_isWarm = false;
    m_warmUp = WarmUpRule(m_plan.warmupLimitS);
    warmUp();
}

/// A flush counts for the time limit: short repetitions would not reach it by themselves.
void TargetRun::takeSample() {
    do { // a warm-up may be disturbed as well
        if (wantsToWait())
            waitUntilQuiet();
        if (m_active)
            warmUpAfterWait();
    } while (wantsToWait());
    if (!m_active)
        return;
    const std::int64_t start = steadyNowNs();
    const auto span = sample(SampleKind::Timed, m_repetitions);
    if (!span)
        return;
    m_repetitionS = span->perRepetitionS;
    m_rule.add(span->perRepetitionS * 1e3, m_flush ? secondsSince(start) : span->seconds);
    afterSample();
    m_context.pace.measured(m_definition, m_repetitionS);
}

bool TargetRun::wantsSample() const {
    if (!active() || m_context.options.onlyTraced)
        return false;
    return m_work && m_work->isProgressive() ? m_work->stoppedBy().empty() : !m_rule.done();
}

void TargetRun::afterSample() {
    const auto text = m_work->afterSample(
        {nullptr, m_context.options.stop, nullptr, &m_context.observer, m_definition.run});
    if (!text)
        return fail(text.error());
    if (!text->empty())
        m_context.observer.log(LogLevel::Info, m_definition.target + ", " + *text);
}

double TargetRun::share() const {
    return static_cast<double>(m_samples) / std::max(m_rule.expectedSamples(), 1);
}

void TargetRun::setError(const OutputError& error) {
    m_outcome.maxAbsError = error.maxAbs;
    m_outcome.maxRelError = error.maxRel;
}

void TargetRun::setNotChecked(const std::string& reason) {
    m_outcome.metrics["equal_check_skipped"] = 1;
    m_context.observer.log(LogLevel::Warning, m_definition.target + ": output not checked: " + reason);
}

void TargetRun::finish() {
    setActivity({});
    if (m_outcome.status == RunStatus::Ok)
        addMetrics();
    const bool progressive = m_work && m_work->isProgressive();
    m_outcome.stoppedBy = progressive ? m_work->stoppedBy() : m_rule.stoppedBy();
    m_active = false;
    m_work.reset();
    m_flush.reset();
    m_session.reset();
    m_outputs.clear();
    m_context.pace.finished(m_definition.run);
    m_context.observer.runEnd(m_outcome);
}

} // namespace heteroscope::compute
