// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/disturbed.h"

#include "compute/base/axis_name.h"
#include "compute/base/units.h"

#include <algorithm>
#include <vector>

namespace heteroscope::profiling {
namespace {

constexpr std::size_t kMostRunsNamed = 8;
/// Of a processor, in per cent: less is what every machine does beside.
constexpr double kLeastShareNamed = 1;

void widen(Interval& range, const Interval& other) {
    if (other.high <= 0)
        return;
    range.low = range.low <= 0 ? other.low : std::min(range.low, other.low);
    range.high = std::max(range.high, other.high);
}

/// "cpu/openmp, size=64: 10 of 15; ...", the most disturbed first.
std::string runsText(const Study& study) {
    std::vector<std::pair<DisturbedSamples, const StudyRun*>> runs;
    for (const StudyRun& run : study.runs)
        if (const DisturbedSamples found = disturbedSamples(run); found.disturbed > 0)
            runs.emplace_back(found, &run);
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return a.first.disturbed * b.first.known > b.first.disturbed * a.first.known;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(runs.size(), kMostRunsNamed); ++i) {
        const auto& [found, run] = runs[i];
        text += (i > 0 ? "; " : "") + run->target + (run->point.empty() ? "" : ", " + pointName(run->point)) +
                ": " + std::to_string(found.disturbed) + " of " + std::to_string(found.known);
    }
    if (runs.size() > kMostRunsNamed)
        text += "; and " + std::to_string(runs.size() - kMostRunsNamed) + " more runs";
    return text;
}

/// ", stolen 3 % of a processor" while samples were taken; empty for little.
std::string processorShareText(const char* what, double ms, double spanMs) {
    const double percent = spanMs > 0 ? 100 * ms / spanMs : 0;
    return percent < kLeastShareNamed ? ""
                                      : std::string(what) + formatFixed(percent, 0) + " % of a processor";
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
    if (other.mhz) {
        if (!mhz)
            mhz = other.mhz;
        widen(*mhz, *other.mhz);
    }
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
                               {one.loopUs, one.loopUs},
                               {}};
        if (one.mhz)
            found.mhz = Interval{*one.mhz, *one.mhz};
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

std::string disturbedNote(const Study& study) {
    const DisturbedSamples all = disturbedSamples(study);
    if (all.known == 0)
        return {};
    const std::string of = " of " + std::to_string(all.known);
    const std::string shares =
        processorShareText("; other programs took ", std::max(0.0, all.othersMs), all.spanMs) +
        processorShareText("; the hypervisor took ", all.stolenMs, all.spanMs);
    const std::string unknown = all.waitUnknown == 0
                                    ? ""
                                    : "; of " + std::to_string(all.waitUnknown) +
                                          " it is not known whether their threads waited for others";
    if (all.disturbed == 0)
        return "disturbed samples: none" + of + shares + unknown;
    return "disturbed samples: " + std::to_string(all.disturbed) + of + " (" + runsText(study) +
           "): something else ran on processors that they needed" + shares + unknown +
           "; wait until the machine is quiet, and repeat";
}

std::string clockNote(const Study& study) {
    const DisturbedSamples all = disturbedSamples(study);
    if (all.known == 0)
        return {};
    std::string text = "clock: frequency not readable";
    if (all.mhz)
        text = "clock: " + formatFixed(all.mhz->low, 0) + " to " + formatFixed(all.mhz->high, 0) + " MHz";
    if (all.loopUs.low > 0)
        text += ", a calibration loop after each sample took " + formatDurationNs(all.loopUs.low * 1e3) +
                " to " + formatDurationNs(all.loopUs.high * 1e3);
    return text;
}

} // namespace heteroscope::profiling
