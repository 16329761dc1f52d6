// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/advice.h"

#include "compute/base/units.h"
#include "profiling/analysis/advice_text.h"

#include <algorithm>
#include <functional>

namespace heteroscope::profiling {
namespace {

std::string count(std::int64_t number) {
    return formatCount(number);
}

std::string duration(double ns) {
    return formatDurationNs(ns);
}

std::string rate(double gbPerS) {
    return formatBandwidth(gbPerS * 1e9);
}

/// Names of templates run to hundreds of characters.
std::string shortName(const std::string& name) {
    constexpr std::size_t kLongest = 80;
    return name.size() <= kLongest ? name : name.substr(0, kLongest) + "...";
}

std::int64_t copiesIn(const TransferBreakdown& transfers) {
    std::int64_t copies = 0;
    for (const TransferGroup& group : transfers.groups)
        copies += group.count;
    return copies;
}

std::int64_t bytesIn(const TransferBreakdown& transfers) {
    std::int64_t bytes = 0;
    for (const TransferGroup& group : transfers.groups)
        bytes += group.bytes;
    return bytes;
}

/// The first kernel that takes enough of the wall time and fits; none when the device's limits are not known.
const KernelUse* largestKernel(const RunFigures& run, const std::function<bool(const KernelShape&)>& fits) {
    if (run.device)
        for (const KernelUse& kernel : run.kernels)
            if (run.share(kernel.busyNs) >= kKernelShare && fits(kernel.shape))
                return &kernel;
    return nullptr;
}

} // namespace

std::optional<Advice> transfersDominate(const RunFigures& run) {
    const double share = run.share(run.transferCostNs());
    if (share < kTransferShare || run.transfers.groups.empty())
        return std::nullopt;
    const std::int64_t copies = copiesIn(run.transfers), bytes = bytesIn(run.transfers);
    Advice advice = adviceFor(run, "transfers-dominate", run.copies, share);
    const std::string size = formatBytes(static_cast<double>(bytes) / static_cast<double>(copies));
    setSentences(
        advice,
        say("%1: transfers take %2: copies %3 and the host's calls for them %4 (%5 on average). Move "
            "more data in fewer copies, or keep it on the device.",
            {run.name, shareOfTraced(share), shareText(run.time.share(TimePart::Copy)),
             shareText(run.share(run.time.launchOfCopiesNs)),
             copies == 1 ? say("1 copy of %1", {size}) : say("%1 copies of %2", {count(copies), size})}),
        gainOfCopies(run));
    advice.basis = basisFrom(
        kTransferShare,
        say("It counts the part copy (memory sets too) and, of launch, the calls for copies: no kernel "
            "runs then. Source: CUDA C++ Best Practices Guide, data transfer between host and device."));
    return advice;
}

std::optional<Advice> launchesDominate(const RunFigures& run) {
    const double share = run.share(run.launchCostNs());
    if (share < kLaunchShare || run.medianLaunchNs <= 0 || run.medianKernelNs >= run.medianLaunchNs)
        return std::nullopt;
    const Gain gain = transfersDominate(run) ? Gain::none(say("copies between the kernels come first"))
                                             : gainOfLaunches(run);
    if (gain.share && *gain.share < kLaunchShare)
        return std::nullopt; // a graph already, or launches that kernels hide when nothing records
    Advice advice = adviceFor(run, "launches-dominate", run.launches, share);
    setSentences(
        advice,
        say("%1: the device waits for launches of kernels for %2 (launch: %3): the median kernel takes "
            "%4, its launch %5. Give each kernel more work, join kernels, or launch them as a CUDA "
            "graph.",
            {run.name, shareOfTraced(share), shareText(run.time.share(TimePart::Launch)),
             duration(run.medianKernelNs), duration(run.medianLaunchNs)}),
        gain);
    advice.basis = basisFrom(
        kLaunchShare,
        say("It counts, of launch, the calls that launch kernels; the median kernel has to be shorter "
            "than the median of these, and the estimated gain as large. Source: CUDA C++ Programming "
            "Guide, CUDA graphs."));
    return advice;
}

std::optional<Advice> pageableCopies(const RunFigures& run) {
    for (const TransferGroup& group : run.transfers.groups) {
        const double share = run.share(group.busyNs - group.underKernelsNs);
        if (group.memory != "pageable" || group.meanBytes() < kPageableBytes || share < kPageableShare)
            continue;
        Advice advice = adviceFor(run, "pageable-copies", run.copies, share);
        const auto& peak = run.transfers.peaks[static_cast<std::size_t>(group.route)];
        const bool slower = peak && peak->memory == "pinned" && peak->gbPerS > group.gbPerS();
        setSentences(
            advice,
            say("%1: copies %2 from or to pageable memory take %3%4 at %5%6. Let the data be made in pinned "
                "memory.",
                {run.name, say(copyRouteName(group.route)), shareOfTraced(group.shareOf(run.time.wallNs)),
                 group.underKernelsNs > 0 ? say(", %1 while no kernel runs,", {shareText(share)}) : Phrase(),
                 rate(group.gbPerS()),
                 slower ? say(", where a pinned copy reached %1", {rate(peak->gbPerS)}) : Phrase()}),
            Gain::none(
                say("a copy into pinned memory first takes the host as long as the driver's staging does, "
                    "and whether it can be left out is not known")));
        advice.basis = basisFrom(
            kPageableShare,
            say("Copies have to be of %1 or more on average: up to that size the runtime may stage them "
                "at once. Source: CUDA C++ Best Practices Guide, pinned memory; CUDA runtime "
                "reference, synchronization behavior.",
                {formatBytes(kPageableBytes)}));
        return advice;
    }
    return std::nullopt;
}

std::optional<Advice> idleGaps(const RunFigures& run) {
    const double share = run.share(run.idleNs());
    if (share < kIdleShare)
        return std::nullopt;
    Advice advice = adviceFor(run, "idle-gaps", run.longestIdle, share);
    setSentences(
        advice,
        say("%1: for %2 the device has nothing to do and the host launches nothing: synchronise %3 and other "
            "%4; the longest gap takes %5. Queue work ahead instead of waiting after each step, and move the "
            "host's work beside the device's.",
            {run.name, shareOfTraced(share), shareText(run.time.share(TimePart::Synchronise)),
             shareText(run.time.share(TimePart::Other)),
             duration(static_cast<double>(run.longestIdle.range.lengthNs()))}),
        Gain::none(say("how much of it waits for the device's results is not known; it is at most the share "
                       "above")));
    advice.basis =
        basisFrom(kIdleShare, say("It counts the parts synchronise and other. Source: CUDA C++ Best "
                                  "Practices Guide, asynchronous and overlapping transfers with "
                                  "computation."));
    return advice;
}

std::optional<Advice> profilerOverhead(const RunFigures& run) {
    const double own = run.share(run.overheadNs), measured = run.tracingOverheadPercent.value_or(0) / 100;
    if (std::max(own, measured) < kOverheadShare)
        return std::nullopt;
    Advice advice =
        adviceFor(run, "profiler-overhead", run.overhead.range.lengthNs() > 0 ? run.overhead : run.sample,
                  std::max(own, measured / (1 + measured))); // of the traced time, as of the other rules
    setSentences(advice,
                 say("%1: recording disturbs what is seen here: the profiler's own work takes %2%3. Compare "
                     "times of untraced samples; read shares here with care.",
                     {run.name, shareOfTraced(own),
                      run.tracingOverheadPercent
                          ? say(", and these take %1 longer than untraced ones", {shareText(measured)})
                          : Phrase()}),
                 gainOfNoRecording(run));
    advice.basis =
        say("Shown from %1, the most that recording may cost for kernels of 50 us and more by this "
            "program's goals.",
            {thresholdShareText(kOverheadShare)});
    return advice;
}

std::optional<Advice> lowOccupancy(const RunFigures& run) {
    const KernelUse* kernel = largestKernel(run, [&](const KernelShape& shape) {
        const auto occupancy = theoreticalOccupancy(shape, *run.device);
        return occupancy && occupancy->share < kLowOccupancy;
    });
    if (!kernel)
        return std::nullopt;
    const Occupancy occupancy = *theoreticalOccupancy(kernel->shape, *run.device);
    Advice advice = adviceFor(run, "low-occupancy", kernel->first, run.share(kernel->busyNs));
    setSentences(
        advice,
        say("%1: kernel %2 can reach %3. Few warps hide little latency; use fewer registers or less shared "
            "memory a block, or another block size, unless each thread has enough independent work.",
            {run.name, shortName(kernel->name), occupancy.sentence()}),
        Gain::none(say("kernels with few warps and much independent work are among the fastest")));
    advice.basis = say("Shown below %1 for kernels with at least %2. Source: CUDA C++ Best Practices Guide, "
                       "occupancy; formula of NVIDIA's occupancy calculator.",
                       {thresholdShareText(kLowOccupancy), thresholdOfTraced(kKernelShare)});
    return advice;
}

std::optional<Advice> smallGrid(const RunFigures& run) {
    const KernelUse* kernel = largestKernel(run, [&](const KernelShape& shape) {
        return static_cast<double>(shape.blocks()) <
               kSmallGrid * static_cast<double>(run.device->multiprocessors);
    });
    if (!kernel)
        return std::nullopt;
    Advice advice = adviceFor(run, "small-grid", kernel->first, run.share(kernel->busyNs));
    setSentences(
        advice,
        say("%1: kernel %2 has %3 blocks for %4 multiprocessors, so part of the device is idle while it "
            "runs. Split the work into more blocks, or run several kernels at once on streams.",
            {run.name, shortName(kernel->name), count(kernel->shape.blocks()),
             count(run.device->multiprocessors)}),
        launchesDominate(run) ? Gain::none(say("the device waits for launches anyway"))
                              : gainOfBlocks(run, *kernel));
    advice.basis = say("Shown for kernels with at least %1 and fewer blocks than half the multiprocessors. "
                       "Source: CUDA C++ Best Practices Guide, thread and block heuristics.",
                       {thresholdOfTraced(kKernelShare)});
    return advice;
}

std::optional<Advice> lostRecords(const DataQuality& quality) {
    if (quality.droppedEvents == 0 && quality.zeroTimestamps == 0)
        return std::nullopt;
    return adviceOnRecording(
        "lost-records",
        say("The recording is not complete: %1 records were dropped and %2 have no time. Counts and times "
            "here are too small; record fewer repetitions.",
            {count(static_cast<std::int64_t>(quality.droppedEvents)),
             count(static_cast<std::int64_t>(quality.zeroTimestamps))}),
        say("Shown from the first lost record."));
}

std::optional<Advice> unlinkedWork(const DeviceWork& work) {
    if (work.withoutLaunch == 0)
        return std::nullopt;
    return adviceOnRecording(
        "unlinked-work",
        say("%1 of %2 kernels and copies have no link to the call that launched them: how long they queued "
            "is "
            "not known and counts as synchronise or other.",
            {count(static_cast<std::int64_t>(work.withoutLaunch)),
             count(static_cast<std::int64_t>(work.kernels.size() + work.copies.size()))}),
        say("Shown from the first piece of work without a link."));
}

std::vector<Advice> adviceOf(const std::vector<RunFigures>& runs, const DataQuality& quality,
                             const DeviceWork& work) {
    std::vector<Advice> all;
    const auto add = [&](std::optional<Advice> advice) {
        if (advice)
            all.push_back(std::move(*advice));
    };
    add(lostRecords(quality));
    add(unlinkedWork(work));
    for (const RunFigures& run : runs) {
        const auto first = static_cast<std::ptrdiff_t>(all.size());
        for (const auto rule :
             {transfersDominate, launchesDominate, pageableCopies, idleGaps, profilerOverhead, lowOccupancy,
              smallGrid, throttling, powerLimit, idleClocks})
            add(rule(run));
        std::stable_sort(all.begin() + first, all.end(),
                         [](const Advice& a, const Advice& b) { return a.share > b.share; });
    }
    return all;
}

DeviceReport deviceReport(const Trace& trace, const Study& study, NsRange window) {
    DeviceReport report;
    report.work = deviceWork(trace);
    const DeviceTime time(report.work);
    report.transfers =
        transferBreakdown(report.work, unionOf({inside({trace.startNs(), trace.endNs()}, window)}));
    report.times = deviceTimeOfRuns(study, time, window);
    for (const RunDeviceTime& run : report.times)
        report.figures.push_back(runFigures(trace, study, report.work, time, run));
    if (report.work.any())
        report.advice = adviceOf(report.figures, trace.quality(), report.work);
    return report;
}

} // namespace heteroscope::profiling
