// SPDX-License-Identifier: Apache-2.0
// The rules about a device's clocks.
#include "compute/base/run_words.h"
#include "profiling/analysis/advice.h"
#include "profiling/analysis/advice_text.h"
#include "profiling/analysis/recorded_phrase.h"

#include <algorithm>
#include <functional>

namespace heteroscope::profiling {
namespace {

Phrase source() {
    return say("The driver is asked ten times a second, so a short sample may lie between two looks. Source: "
               "NVML reference, clocks event reasons.");
}

Gain noGain() {
    return Gain::none(
        say("what computes follows the clock and what waits for memory does not, and which of the "
            "two it is decides"));
}

struct Held {
    std::int64_t ns = 0; ///< sum over reasons, which the sampler keeps apart in time
    const ClockTime* most = nullptr;
    std::vector<Phrase> reasons; ///< the longest first
};

Held heldFor(const RunFigures& run, const std::function<bool(const ClockTime&)>& counts) {
    Held held;
    for (const ClockTime& clock : run.clocks) { // longest first
        if (!counts(clock))
            continue;
        held.ns += clock.ns;
        held.reasons.push_back(clockReasonsPhrase(clock.reason));
        if (!held.most)
            held.most = &clock;
    }
    return held;
}

bool onlyPowerLimit(const ClockTime& clock) {
    return clock.reason == run_words::kPowerLimit;
}

} // namespace

std::optional<Advice> throttling(const RunFigures& run) {
    const Held held =
        heldFor(run, [](const ClockTime& clock) { return !clock.idle && !onlyPowerLimit(clock); });
    const double share = run.share(held.ns);
    if (!held.most || share < kThrottleShare)
        return std::nullopt;
    Advice advice = adviceFor(run, "throttling", held.most->longest, share);
    setSentences(
        advice,
        say("%1: the device's clocks were held back for %2: %3. These times are not those of the device "
            "at its full clock: let it cool down, look at its cooling and power supply, and repeat "
            "the run.",
            {run.name, shareOfTraced(share), joined(held.reasons, "; ")}),
        noGain());
    advice.basis = basisFrom(kThrottleShare, source());
    return advice;
}

std::optional<Advice> powerLimit(const RunFigures& run) {
    if (throttling(run))
        return std::nullopt; // says more
    const Held held = heldFor(run, onlyPowerLimit);
    const double share = run.share(held.ns);
    if (!held.most || share < kPowerLimitShare)
        return std::nullopt;
    Advice advice = adviceFor(run, "power-limit", held.most->longest, share);
    setSentences(advice,
                 say("%1: note: for %2 the device ran at its power limit and below its highest clock, and "
                     "nothing else held it back. That is normal under full load; compare with runs under the "
                     "same limit.",
                     {run.name, shareOfTraced(share)}),
                 noGain());
    advice.basis = basisFrom(kPowerLimitShare, source());
    return advice;
}

std::optional<Advice> idleClocks(const RunFigures& run) {
    const Held held = heldFor(run, [](const ClockTime& clock) { return clock.idle; });
    const double share = run.share(held.ns);
    if (!held.most || share < kIdleClocksShare)
        return std::nullopt;
    Advice advice = adviceFor(run, "idle-clocks", held.most->longest, share);
    setSentences(
        advice,
        say("%1: note: for %2 the driver still called the device idle, with its clocks below what they "
            "reach under load. Longer samples or a longer warm-up measure it at speed.",
            {run.name, shareOfTraced(share)}),
        noGain());
    advice.basis = basisFrom(kIdleClocksShare, source());
    return advice;
}

} // namespace heteroscope::profiling
