// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/disturbed.h"

#include "compute/base/units.h"
#include "profiling/analysis/run_phrase.h"
#include "profiling/analysis/value_range.h"

#include <algorithm>
#include <vector>

namespace heteroscope::profiling {
namespace {

constexpr std::size_t kMostRunsNamed = 8;
/// Of a processor, in per cent: less is what every machine does beside.
constexpr double kLeastShareNamed = 1;
/// Of all samples together: of shorter ones the ticks are too few (10 ms each, on every processor), and say
/// more than there are processors.
constexpr double kLeastSpanForShareMs = 200;

/// "cpu/openmp, size=64: 10 of 15; ...", the most disturbed first.
Phrase runsText(const Study& study) {
    std::vector<std::pair<DisturbedSamples, const StudyRun*>> runs;
    for (const StudyRun& run : study.runs)
        if (const DisturbedSamples found = disturbedSamples(run); found.disturbed > 0)
            runs.emplace_back(found, &run);
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return a.first.disturbed * b.first.known > b.first.disturbed * a.first.known;
    });
    std::vector<Phrase> named;
    for (std::size_t i = 0; i < std::min(runs.size(), kMostRunsNamed); ++i) {
        const auto& [found, run] = runs[i];
        named.push_back(say("%1: %2 of %3",
                            {runPhrase(*run), std::to_string(found.disturbed), std::to_string(found.known)}));
    }
    Phrase list = joined(named, "; ");
    return runs.size() > kMostRunsNamed
               ? say("%1; and %2 more runs", {std::move(list), std::to_string(runs.size() - kMostRunsNamed)})
               : list;
}

/// "other programs took 3 % of a processor" while samples were taken; empty for little.
Phrase processorShareText(const char* what, double ms, double spanMs) {
    const double percent = spanMs >= kLeastSpanForShareMs ? 100 * ms / spanMs : 0;
    return percent < kLeastShareNamed ? Phrase() : say(what, {formatFixed(percent, 0)});
}

} // namespace

void DisturbedSamples::add(const DisturbedSamples& other) {
    disturbed += other.disturbed;
    known += other.known;
    waitUnknown += other.waitUnknown;
    waitedMs += other.waitedMs;
    othersMs += other.othersMs;
    stolenMs += other.stolenMs;
    spanMs += other.spanMs;
    widen(loopUs, other.loopUs);
    widen(mhz, other.mhz);
    widen(celsius, other.celsius);
}

bool isTooDisturbed(const DisturbedSamples& samples) {
    return static_cast<double>(samples.disturbed) > kMostDisturbedShare * static_cast<double>(samples.known);
}

DisturbedSamples disturbedSamples(const StudyRun& run) {
    DisturbedSamples all;
    for (const StudySample& sample : run.samples) {
        if (!sample.counts() || !sample.disturbance)
            continue;
        const Disturbance& one = *sample.disturbance;
        DisturbedSamples found{isDisturbed(one) ? 1U : 0U,
                               1,
                               one.waitedMs ? 0U : 1U,
                               one.waitedMs.value_or(0),
                               one.othersMs,
                               one.stolenMs,
                               one.spanMs,
                               one.loopUs > 0 ? rangeOf(one.loopUs) : std::nullopt,
                               {}};
        found.mhz = rangeOf(one.mhz);
        found.celsius = rangeOf(one.celsius);
        all.add(found);
    }
    return all;
}

DisturbedSamples disturbedSamples(const Study& study) {
    DisturbedSamples all;
    for (const StudyRun& run : study.runs)
        all.add(disturbedSamples(run));
    return all;
}

double quietWaitS(const Study& study) {
    double seconds = 0;
    for (const StudyRun& run : study.runs)
        if (const auto waited = run.metrics.find("quiet_wait_s");
            waited != run.metrics.end() && waited->is_number())
            seconds += waited->get<double>();
    return seconds;
}

Phrase disturbedNote(const Study& study) {
    const DisturbedSamples all = disturbedSamples(study);
    if (all.known == 0)
        return {};
    const std::string known = std::to_string(all.known);
    std::vector<Phrase> parts{
        all.disturbed == 0
            ? say("disturbed samples: none of %1", {known})
            : say("disturbed samples: %1 of %2 (%3): something else ran on processors that they needed",
                  {std::to_string(all.disturbed), known, runsText(study)}),
        processorShareText(words("other programs took %1 % of a processor"), std::max(0.0, all.othersMs),
                           all.spanMs),
        processorShareText(words("the hypervisor took %1 % of a processor"), all.stolenMs, all.spanMs)};
    if (all.waitUnknown > 0)
        parts.push_back(say("of %1 it is not known whether their threads waited for others",
                            {std::to_string(all.waitUnknown)}));
    const double quietS = quietWaitS(study);
    if (quietS > 0)
        parts.push_back(say("%1 were waited for a quiet machine", {formatDurationNs(quietS * 1e9)}));
    if (all.disturbed > 0 && quietS <= 0)
        parts.push_back(say("repeat when the machine is quiet: /sampling/quiet_wait_s waits for it"));
    return joined(parts, "; ");
}

Phrase clockNote(const Study& study) {
    const DisturbedSamples all = disturbedSamples(study);
    if (all.known == 0)
        return {};
    Phrase text = say("clock: frequency not readable");
    if (all.mhz)
        text = say("clock: %1 to %2 MHz", {formatFixed(all.mhz->low, 0), formatFixed(all.mhz->high, 0)});
    if (all.loopUs)
        text = joined(
            {text, say("a calibration loop after each sample took %1 to %2",
                       {formatDurationNs(all.loopUs->low * 1e3), formatDurationNs(all.loopUs->high * 1e3)})},
            ", ");
    if (all.celsius)
        text = joined({text, say("the processors were at %1 to %2 °C",
                                 {formatFixed(all.celsius->low, 0), formatFixed(all.celsius->high, 0)})},
                      ", ");
    return text;
}

} // namespace heteroscope::profiling
