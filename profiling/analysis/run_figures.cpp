// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_figures.h"

#include "compute/base/statistics.h"
#include "compute/base/units.h"
#include "profiling/analysis/device_records.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/run_phrase.h"
#include "profiling/analysis/run_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heteroscope::profiling {
namespace {

double median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : quantileSorted(values, 0.5);
}

bool touches(const NsRange& time, const TimeSet& range) {
    return overlapNs({time.startNs, std::max(time.endNs, time.startNs + 1)}, range) > 0;
}

NsRange longest(const TimeSet& set) {
    const auto found = std::max_element(set.begin(), set.end(), [](const NsRange& a, const NsRange& b) {
        return a.lengthNs() < b.lengthNs();
    });
    return found == set.end() ? NsRange{} : *found;
}

using ShapeKey = std::array<std::int64_t, 9>;

ShapeKey keyOf(const KernelShape& shape) {
    return {shape.grid[0],
            shape.grid[1],
            shape.grid[2],
            shape.block[0],
            shape.block[1],
            shape.block[2],
            shape.registersPerThread,
            shape.staticSharedBytes,
            shape.dynamicSharedBytes};
}

void addKernels(const Trace& trace, const DeviceWork& work, const TimeSet& range, RunFigures& figures) {
    std::map<std::uint32_t, std::optional<KernelShape>> shapes; // by argument set
    std::map<std::pair<StringId, ShapeKey>, KernelUse> uses;
    std::vector<double> durations;
    for (const DeviceKernel& kernel : work.kernels) {
        if (!touches(kernel.time, range))
            continue;
        durations.push_back(static_cast<double>(kernel.time.lengthNs()));
        const auto [shape, isNew] = shapes.try_emplace(kernel.args);
        if (isNew)
            shape->second = kernelShape(trace.args(kernel.args));
        if (!shape->second)
            continue;
        KernelUse& use = uses[{kernel.name, keyOf(*shape->second)}];
        if (use.count++ == 0)
            use.first = {kernel.time, kernel.span.track};
        use.shape = *shape->second;
        use.busyNs += kernel.time.lengthNs();
    }
    for (auto& [key, use] : uses) {
        use.name = trace.string(key.first);
        figures.kernels.push_back(std::move(use));
    }
    std::stable_sort(figures.kernels.begin(), figures.kernels.end(),
                     [](const KernelUse& a, const KernelUse& b) { return a.busyNs > b.busyNs; });
    figures.medianKernelNs = median(durations);
}

/// Kernels in the order of their starts; those of gradients of weights go to a second queue, which all but
/// other gradients wait for.
std::int64_t backToBackNs(const DeviceWork& work, const TimeSet& range, const DeviceTimeSplit& time) {
    std::int64_t main = 0, side = 0;
    for (const DeviceKernel& kernel : work.kernels) {
        if (!touches(kernel.time, range))
            continue;
        const std::string& op = work.ops[kernel.op];
        if (op.ends_with(".backward.weights")) {
            side = std::max(side, main) + kernel.time.lengthNs();
            continue;
        }
        if (op.find(".backward.") == std::string::npos)
            main = std::max(main, side);
        main += kernel.time.lengthNs();
    }
    // Kernels that overlapped already take no longer together than they did.
    return std::min(std::max(main, side), time[TimePart::Execute]) + time[TimePart::Copy];
}

void addCalls(const DeviceWork& work, const TimeSet& range, RunFigures& figures) {
    std::vector<double> durations;
    for (const HostCall& call : work.calls) {
        if (call.kind != CallKind::Launch || !touches(call.time, range))
            continue;
        durations.push_back(static_cast<double>(call.time.lengthNs()));
        figures.launches.track = call.span.track;
    }
    figures.medianLaunchNs = median(durations);
}

std::optional<double> hostCopiesMs(const StudyRun& run) {
    return centralMs(run, [](const StudySample& sample) {
        const bool any = sample.h2d.count + sample.d2h.count > 0;
        return any ? std::optional(sample.h2d.ms + sample.d2h.ms) : std::nullopt;
    });
}

/// Times of a repetition of the samples that count, and of those that were recorded.
void addSampleTimes(const StudyRun& run, RunFigures& figures) {
    std::vector<double> traced;
    double tracedSumMs = 0, repetitions = 0;
    for (const StudySample& sample : run.samples) {
        if (!sample.traced || sample.warmup)
            continue;
        traced.push_back(sample.wallMs);
        tracedSumMs += sample.wallMs * std::max(1, sample.repetitions);
        repetitions += std::max(1, sample.repetitions);
    }
    figures.tracedMs = repetitions > 0 ? tracedSumMs / repetitions : 0.0;
    figures.untracedMs = runTimeMs(run);
    figures.hostCopiesMs = hostCopiesMs(run);
    const auto launched = run.metrics.find("launched_ms");
    if (launched != run.metrics.end() && launched->is_number())
        figures.launchedMs = launched->get<double>();
    if (const auto share = tracedShare(run)) {
        figures.recordedShare = *share;
        return;
    }
    // Of older recordings the run's own measure of the overhead tells how much of a repetition was recorded.
    const double whole = figures.launchedMs.value_or(figures.untracedMs) *
                         (1 + figures.tracingOverheadPercent.value_or(0) / 100);
    if (figures.tracingOverheadPercent && whole > 0 && median(traced) < (1 - kSameTime) * whole)
        figures.recordedShare = median(traced) / whole;
}

void addClocks(const DeviceWork& work, const std::string& device, const TimeSet& range, RunFigures& figures) {
    std::map<std::pair<bool, std::string>, std::vector<NsRange>> times;
    std::map<std::pair<bool, std::string>, TrackId> rows;
    for (const ClockHold& hold : work.clocks) {
        if (hold.device != device)
            continue;
        times[{hold.idle, hold.reason}].push_back(hold.time);
        rows[{hold.idle, hold.reason}] = hold.span.track;
    }
    for (auto& [key, ranges] : times) {
        const TimeSet held = intersection(unionOf(std::move(ranges)), range);
        if (!held.empty())
            figures.clocks.push_back({key.second, key.first, lengthNs(held), {longest(held), rows[key]}});
    }
    std::stable_sort(figures.clocks.begin(), figures.clocks.end(),
                     [](const ClockTime& a, const ClockTime& b) { return a.ns > b.ns; });
}

/// The row with the largest share of the work in the range.
template <typename Items>
TrackId busiestTrack(const Items& items, const TimeSet& range) {
    std::map<TrackId, std::int64_t> busy;
    for (const auto& item : items)
        if (touches(item.time, range))
            busy[item.span.track] += item.time.lengthNs() + 1;
    const auto most = std::max_element(busy.begin(), busy.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == busy.end() ? kNoTrack : most->first;
}

void addPlaces(const DeviceWork& work, const DeviceTime& time, const RunDeviceTime& run,
               RunFigures& figures) {
    const NsRange first = run.samples.front().range;
    figures.sample = {first, busiestTrack(work.kernels, run.range)};
    figures.copies = {first, busiestTrack(work.copies, run.range)};
    figures.launches.range = first;
    const TimeSet idle =
        unionOf(time.part(TimePart::Synchronise, run.range), time.part(TimePart::Other, run.range));
    figures.longestIdle = {longest(idle), figures.sample.track};
    const TimeSet overhead = intersection(unionOf(work.overhead), run.range);
    figures.overheadNs = lengthNs(overhead);
    figures.overhead = {longest(overhead), work.overheadTrack};
}

} // namespace

double RunFigures::share(std::int64_t partNs) const {
    return time.shareOf(partNs);
}

std::int64_t RunFigures::transferCostNs() const {
    return time[TimePart::Copy] + time.launchOfCopiesNs;
}

std::int64_t RunFigures::idleNs() const {
    return time[TimePart::Synchronise] + time[TimePart::Other];
}

double RunFigures::untracedNsOf(double ms) const {
    return tracedMs > 0 ? static_cast<double>(time.wallNs) * recordedShare * ms / tracedMs : 0.0;
}

Phrase RunFigures::sampleTimesText() const {
    const auto text = [](double ms) { return formatDurationNs(ms * 1e6); };
    if (tracedMs <= 0 || untracedMs <= 0)
        return {};
    if (recordedShare < 1)
        return say("recorded part of a repetition: %1, %2 of it; untraced repetition: %3",
                   {text(tracedMs), shareText(recordedShare), text(untracedMs)});
    if (std::abs(tracedMs / untracedMs - 1) <= kSameTime)
        return {};
    if (launchedMs)
        return say("recorded sample: %1, untraced %2 from a CUDA graph, %3 launched one by one",
                   {text(tracedMs), text(untracedMs), text(*launchedMs)});
    return say("recorded sample: %1, untraced %2", {text(tracedMs), text(untracedMs)});
}

RunFigures runFigures(const Trace& trace, const Study& study, const DeviceWork& work, const DeviceTime& time,
                      const RunDeviceTime& run) {
    RunFigures figures;
    figures.run = run.run->run;
    figures.name = runPhrase(*run.run);
    figures.time = run.total;
    figures.transfers = transferBreakdown(work, run.range);
    const auto limits = deviceLimits(study);
    const auto device = limits.find(deviceOfTarget(run.run->target));
    if (device != limits.end())
        figures.device = device->second;
    const auto overhead = run.run->metrics.find("tracing_overhead_percent");
    if (overhead != run.run->metrics.end() && overhead->is_number())
        figures.tracingOverheadPercent = overhead->get<double>();
    addClocks(work, deviceOfTarget(run.run->target), run.range, figures);
    addKernels(trace, work, run.range, figures);
    figures.backToBackNs = backToBackNs(work, run.range, run.total);
    addCalls(work, run.range, figures);
    addSampleTimes(*run.run, figures);
    addPlaces(work, time, run, figures);
    return figures;
}

} // namespace heteroscope::profiling
