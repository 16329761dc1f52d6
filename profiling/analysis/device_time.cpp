// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_time.h"

#include "profiling/analysis/figures.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::profiling {
namespace {

TimeSet callTime(const DeviceWork& work, CallKind kind) {
    std::vector<NsRange> ranges;
    for (const HostCall& call : work.calls)
        if (call.kind == kind)
            ranges.push_back(call.time);
    return unionOf(std::move(ranges));
}

std::int64_t sharedNs(const TimeSet& a, const TimeSet& b) {
    std::int64_t ns = 0;
    for (const NsRange& one : a)
        ns += overlapNs(one, b);
    return ns;
}

TimeSet queueTime(const DeviceWork& work) {
    std::vector<NsRange> ranges;
    const auto add = [&](const auto& item) {
        if (item.launchEndNs)
            ranges.push_back({*item.launchEndNs, item.time.startNs});
    };
    std::for_each(work.kernels.begin(), work.kernels.end(), add);
    std::for_each(work.copies.begin(), work.copies.end(), add);
    return unionOf(std::move(ranges));
}

/// Counts the items (by start) that touch the range, and those without a known call.
template <typename Items>
void count(const Items& items, const TimeSet& range, std::uint64_t& all, std::uint64_t& withoutLaunch) {
    for (const auto& item : items) {
        const NsRange touched{item.time.startNs, std::max(item.time.endNs, item.time.startNs + 1)};
        if (overlapNs(touched, range) == 0)
            continue;
        ++all;
        withoutLaunch += item.launchEndNs ? 0 : 1;
    }
}

} // namespace

const Figure& figureOf(TimePart part) {
    static constexpr std::array<const Figure*, kTimeParts> kFigures{&figure("execute"),     &figure("copy"),
                                                                    &figure("launch"),      &figure("queue"),
                                                                    &figure("synchronise"), &figure("other")};
    return *kFigures[static_cast<std::size_t>(part)];
}

double DeviceTimeSplit::shareOf(std::int64_t ns) const {
    return wallNs > 0 ? static_cast<double>(ns) / static_cast<double>(wallNs) : 0.0;
}

std::int64_t DeviceTimeSplit::deviceIdleNs() const {
    return wallNs - (*this)[TimePart::Execute] - (*this)[TimePart::Copy];
}

DeviceTimeSplit& DeviceTimeSplit::operator+=(const DeviceTimeSplit& more) {
    wallNs += more.wallNs;
    launchOfCopiesNs += more.launchOfCopiesNs;
    launchOfKernelsNs += more.launchOfKernelsNs;
    for (std::size_t i = 0; i < kTimeParts; ++i)
        partNs[i] += more.partNs[i];
    kernels += more.kernels;
    copies += more.copies;
    withoutLaunch += more.withoutLaunch;
    return *this;
}

DeviceTime::DeviceTime(const DeviceWork& work) : m_work(work) {
    const TimeSet copying = callTime(work, CallKind::Copy), launching = callTime(work, CallKind::Launch);
    const std::array<TimeSet, kTimeParts - 1> candidates{work.kernelTime(), work.copyTime(),
                                                         unionOf(copying, launching), queueTime(work),
                                                         callTime(work, CallKind::Wait)};
    TimeSet taken;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        m_parts[i] = difference(candidates[i], taken);
        taken = unionOf(taken, candidates[i]);
    }
    const TimeSet& launch = m_parts[static_cast<std::size_t>(TimePart::Launch)];
    m_launchOfCopies = intersection(launch, copying);
    m_launchOfKernels = intersection(launch, launching);
}

TimeSet DeviceTime::part(TimePart part, const TimeSet& range) const {
    if (part != TimePart::Other)
        return intersection(m_parts[static_cast<std::size_t>(part)], range);
    TimeSet rest = range;
    for (const TimeSet& set : m_parts)
        rest = difference(rest, set);
    return rest;
}

DeviceTimeSplit DeviceTime::split(const TimeSet& range) const {
    DeviceTimeSplit split;
    split.wallNs = lengthNs(range);
    std::int64_t rest = split.wallNs;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        split.partNs[i] = sharedNs(range, m_parts[i]);
        rest -= split.partNs[i];
    }
    split.partNs.back() = rest;
    split.launchOfCopiesNs = sharedNs(range, m_launchOfCopies);
    split.launchOfKernelsNs = sharedNs(range, m_launchOfKernels);
    count(m_work.kernels, range, split.kernels, split.withoutLaunch);
    count(m_work.copies, range, split.copies, split.withoutLaunch);
    return split;
}

NsRange sampleRange(const StudySample& sample) {
    const double lengthNs = sample.wallMs * 1e6 * sample.repetitions;
    constexpr double kLongest = 4e18; // a century; a damaged record may hold anything
    const bool sensible = std::isfinite(lengthNs) && lengthNs > 0 && lengthNs < kLongest &&
                          std::abs(static_cast<double>(sample.startNs)) < kLongest;
    return {sample.startNs, sample.startNs + (sensible ? std::llround(lengthNs) : 0)};
}

std::vector<RunDeviceTime> deviceTimeOfRuns(const Study& study, const DeviceTime& time, NsRange window) {
    std::vector<RunDeviceTime> runs;
    for (const StudyRun& run : study.runs) {
        RunDeviceTime result;
        result.run = &run;
        std::vector<NsRange> ranges;
        for (const StudySample& sample : run.samples) {
            const NsRange range = inside(sampleRange(sample), window);
            if (!sample.traced || sample.warmup || range.lengthNs() == 0)
                continue;
            result.samples.push_back({&sample, range, time.split({range})});
            result.total += result.samples.back().split;
            ranges.push_back(range);
        }
        if (result.total.kernels + result.total.copies == 0)
            continue;
        result.range = unionOf(std::move(ranges));
        runs.push_back(std::move(result));
    }
    return runs;
}

} // namespace heteroscope::profiling
