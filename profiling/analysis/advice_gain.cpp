// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/advice_gain.h"

#include "profiling/analysis/figure_text.h"

#include <algorithm>

namespace heteroscope::profiling {
namespace {

/// Of splitting a kernel into two that take as long as launches: below it they decide, which vary.
constexpr double kLeastGainOfSplit = 0.05;
constexpr double kLeastGain = 0.001; ///< share of the time; below it the text would be "0.0 %"

Gain noUntraced() {
    return Gain::none(say("the study has no untraced samples"));
}

Gain saved(double savedNs, double ofNs, Phrase why) {
    return {std::clamp(savedNs / ofNs, 0.0, 1.0), std::move(why)};
}

/// Time to move the same bytes at the best rate seen in each direction; nothing when one is unknown.
std::optional<double> atPeakNs(const TransferBreakdown& transfers) {
    double ns = 0;
    for (const TransferGroup& group : transfers.groups) {
        const auto& peak = transfers.peaks[static_cast<std::size_t>(group.route)];
        if (!peak)
            return std::nullopt;
        ns += static_cast<double>(group.bytes) / peak->gbPerS;
    }
    return ns;
}

/// Recording lengthens the calls that give the device work; this is how much of them is left without it.
double untracedShareOfCalls(const RunFigures& run) {
    const auto calls = static_cast<double>(run.time[TimePart::Launch]);
    const double added = static_cast<double>(run.time.wallNs) - run.launchedNs();
    return calls > 0 ? std::clamp(1 - added / calls, 0.0, 1.0) : 1.0;
}

} // namespace

Phrase Gain::sentence() const {
    if (!share)
        return say("No gain is estimated: %1.", {why});
    if (*share < kLeastGain)
        return say("No gain is estimated: less than %1 of the time of %2.", {shareText(kLeastGain), why});
    return say("Estimated gain: %1 of the time of %2.", {shareText(*share), why});
}

Gain gainOfLaunches(const RunFigures& run) {
    const double untraced = run.untracedNs();
    if (untraced <= 0)
        return noUntraced();
    return saved(untraced - static_cast<double>(run.backToBackNs), untraced,
                 say("an untraced repetition: its kernels one right after the other, gradients of weights "
                     "beside those of inputs"));
}

Gain gainOfCopies(const RunFigures& run) {
    const double untraced = run.untracedNs();
    if (untraced <= 0)
        return noUntraced();
    const auto least = atPeakNs(run.transfers);
    if (!least)
        return Gain::none(say("the link's rate is unknown, the recording has no large copy"));
    if (run.hostCopiesMs) {
        const double perRecorded =
            untraced / run.untracedMs; // ns of what was recorded for a ms of a repetition
        return saved(
            *run.hostCopiesMs * perRecorded - *least, untraced,
            say("an untraced repetition: what the host takes for copies, less the same bytes at the best "
                "rate seen"));
    }
    const double calls = static_cast<double>(run.time.launchOfCopiesNs) * untracedShareOfCalls(run);
    return saved(static_cast<double>(run.time[TimePart::Copy]) + calls - *least, untraced,
                 say("an untraced repetition: copies and their calls without what recording adds, less the "
                     "same bytes at the best rate seen"));
}

Gain gainOfBlocks(const RunFigures& run, const KernelUse& kernel) {
    const double untraced = run.untracedNs();
    if (untraced <= 0)
        return noUntraced();
    if (kernel.count < 1 || kernel.busyNs < 1 || !run.device)
        return Gain::none(say("the kernel's time or the device is not known"));
    const auto busy = static_cast<double>(kernel.busyNs);
    const double meanNs = busy / static_cast<double>(kernel.count);
    const double leastNs = 2 * std::max(kLeastKernelNs, run.medianLaunchNs); // of the kernel and its sums
    const double filled =
        static_cast<double>(kernel.shape.blocks()) / static_cast<double>(run.device->multiprocessors);
    const double left = std::max(filled, leastNs / meanNs);
    const double savedNs = busy * (1 - std::min(1.0, left));
    if (leastNs / meanNs > filled && savedNs < kLeastGainOfSplit * untraced)
        return Gain::none(say("the kernel is hardly longer than the two that splitting makes of it"));
    return saved(
        savedNs, untraced,
        say("an untraced repetition: a block on each multiprocessor, and a second kernel that joins them; "
            "neither takes less than its launch"));
}

Gain gainOfNoRecording(const RunFigures& run) {
    const double added = std::max(0.0, run.tracingOverheadPercent.value_or(0) / 100);
    const double own = run.share(run.overheadNs);
    return {std::max(added / (1 + added), own), say("a traced repetition, without recording")};
}

} // namespace heteroscope::profiling
