// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_time.h"

#include "profiling/analysis/disturbed.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heteroscope::profiling {
namespace {

bool isCompared(const StudyRun& run) {
    return run.status == StudyRunStatus::Ok || run.status == StudyRunStatus::Running;
}

std::optional<double> metricNumber(const StudyRun& run, const char* name) {
    const auto found = run.metrics.find(name);
    return found != run.metrics.end() && found->is_number() ? std::optional(found->get<double>())
                                                            : std::nullopt;
}

/// Of the first sample of the kind that says it.
std::optional<double> workOfSamples(const StudyRun& run, bool traced) {
    for (const StudySample& sample : run.samples)
        if (!sample.warmup && sample.traced == traced && sample.workPerRepetition)
            return sample.workPerRepetition;
    return std::nullopt;
}

/// What other programs do lasts longer than the processes of a study, which all of them meet then: less of it
/// is in their spread than lies between any two moments.
void leaveOpenBelowDisturbance(Comparison& comparison, const StudyRun& base, const StudyRun& run) {
    const Interval& ratio = comparison.ci98;
    const bool different = comparison.verdict == Verdict::Faster || comparison.verdict == Verdict::Slower;
    if (!comparison.overProcesses || !different || ratio.low > kClearWhereDisturbed ||
        ratio.high < 1 / kClearWhereDisturbed ||
        (!isTooDisturbed(disturbedSamples(base)) && !isTooDisturbed(disturbedSamples(run))))
        return;
    comparison.verdict = Verdict::Unclear;
    comparison.belowDisturbance = true;
}

} // namespace

Summary runTime(const StudyRun& run) {
    Summary time = summarize(run.timesMs());
    if (const auto center = centerOfProcesses(run.processTimesMs())) {
        time.median = center->time;
        time.ci95 = center->ci95;
        time.hasInterval = time.overProcesses = true;
    }
    return time;
}

double runTimeMs(const StudyRun& run) {
    return centralTime(run.processTimesMs());
}

std::optional<double> centralMs(const StudyRun& run,
                                const std::function<std::optional<double>(const StudySample&)>& measure) {
    std::map<int, std::vector<double>> byProcess;
    for (const StudySample& sample : run.samples)
        if (const auto ms = sample.counts() ? measure(sample) : std::nullopt)
            byProcess[sample.process].push_back(*ms);
    ProcessSamples all;
    for (auto& [process, times] : byProcess)
        all.push_back(std::move(times));
    return all.empty() ? std::nullopt : std::optional(centralTime(all));
}

std::optional<Comparison> speedupOver(const StudyRun& base, const StudyRun& run) {
    const ProcessSamples times = run.processTimesMs(), baseTimes = base.processTimesMs();
    if (!isCompared(run) || times.empty() || baseTimes.empty())
        return std::nullopt;
    if (&base == &run)
        return Comparison{1.0, {1.0, 1.0}, Verdict::Same, run.timesMs().size() >= kSamplesForInterval};
    Comparison comparison = compare(baseTimes, times, Pairing::OneStudy);
    leaveOpenBelowDisturbance(comparison, base, run);
    return comparison;
}

std::optional<double> speedupRatio(const StudyRun& base, const StudyRun& run) {
    return speedupRatio(runTimeMs(base), run, runTimeMs(run));
}

std::optional<double> speedupRatio(double baseMs, const StudyRun& run, double ms) {
    return isCompared(run) && ms > 0 && baseMs > 0 ? std::optional(baseMs / ms) : std::nullopt;
}

std::optional<double> workPerRepetition(const StudyRun& run) {
    if (const auto times = workOfSamples(run, false))
        return times;
    for (const char* name : {"work_per_repetition", "steps_per_epoch"})
        if (const auto times = metricNumber(run, name))
            return times;
    if (run.training.steps() > 0)
        return static_cast<double>(run.training.stepsPerEpoch);
    // Recordings of version 0.1.0 do not say how many batches the examples were.
    return metricNumber(run, "examples") ? std::nullopt : std::optional(1.0);
}

std::optional<double> tracedShare(const StudyRun& run) {
    const auto traced = workOfSamples(run, true), counted = workOfSamples(run, false);
    return traced && counted && *counted > 0 ? std::optional(*traced / *counted) : std::nullopt;
}

std::optional<double> workPerSecond(const StudyRun& run, double ms, RunWork work) {
    const auto times = workPerRepetition(run);
    const double once = work == RunWork::Bytes ? run.minimumBytes : run.flops;
    if (!times || !(once > 0) || !(ms > 0))
        return std::nullopt;
    return *times * once / (ms * 1e-3);
}

} // namespace heteroscope::profiling
