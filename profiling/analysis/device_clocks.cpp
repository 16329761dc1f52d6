// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_clocks.h"

#include "compute/base/units.h"
#include "profiling/analysis/device_records.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/value_range.h"

#include <algorithm>

namespace heteroscope::profiling {
namespace {

bool changed(const std::optional<Interval>& range) {
    return range && range->low < (1 - kSameClock) * range->high;
}

Phrase rangeText(const std::optional<Interval>& range) {
    if (!range)
        return say("not told");
    const std::string high = formatFixed(range->high, 0);
    return range->low < range->high ? say("%1 to %2 MHz", {formatFixed(range->low, 0), high})
                                    : Phrase(high + " MHz");
}

Phrase reasonsOf(const SampledClocks& clocks) {
    std::vector<Phrase> reasons;
    for (const auto& [reason, samples] : clocks.heldBackBy)
        reasons.push_back(clockReasonsPhrase(reason));
    return joined(reasons, "; ");
}

Phrase deviceText(const std::string& device, const SampledClocks& clocks) {
    const std::string known = std::to_string(clocks.known);
    const Phrase sm = together(device + " ", rangeText(clocks.sm));
    std::vector<Phrase> parts{
        changed(clocks.sm) ? say("%1 (they changed: look at the samples' clocks in the CSV)", {sm}) : sm,
        say("memory %1", {rangeText(clocks.memory)})};
    if (clocks.heldBack > 0)
        parts.push_back(say("held back in %1 of %2 samples (%3)",
                            {std::to_string(clocks.heldBack), known, reasonsOf(clocks)}));
    if (clocks.idle > 0)
        parts.push_back(say("still called idle in %1 of %2 samples", {std::to_string(clocks.idle), known}));
    return joined(parts, ", ");
}

} // namespace

void SampledClocks::add(const SampledClocks& other) {
    known += other.known;
    widen(sm, other.sm);
    widen(memory, other.memory);
    heldBack += other.heldBack;
    idle += other.idle;
    for (const auto& [reason, samples] : other.heldBackBy)
        heldBackBy[reason] += samples;
}

SampledClocks sampledClocks(const StudyRun& run) {
    SampledClocks all;
    for (const StudySample& sample : run.samples) {
        if (!sample.counts() || !sample.clocks)
            continue;
        const DeviceClocks& now = *sample.clocks;
        SampledClocks found;
        found.known = 1;
        found.sm = rangeOf(now.smMhz);
        found.memory = rangeOf(now.memoryMhz);
        found.idle = now.idle ? 1 : 0;
        if (!now.heldBackBy.empty()) {
            found.heldBack = 1;
            found.heldBackBy[now.heldBackBy] = 1;
        }
        all.add(found);
    }
    return all;
}

Phrase deviceClockNote(const Study& study) {
    std::map<std::string, SampledClocks> devices;
    for (const StudyRun& run : study.runs)
        if (const SampledClocks clocks = sampledClocks(run); clocks.known > 0)
            devices[deviceOfTarget(run.target)].add(clocks);
    std::vector<Phrase> all;
    for (const auto& [device, clocks] : devices)
        all.push_back(deviceText(device, clocks));
    return all.empty() ? Phrase() : say("GPU clocks after each sample: %1", {joined(all, "; ")});
}

Json deviceClocksJson(const SampledClocks& clocks) {
    if (clocks.known == 0)
        return nullptr;
    return {{"sm_mhz", rangeJson(clocks.sm)},
            {"memory_mhz", rangeJson(clocks.memory)},
            {"samples", clocks.known},
            {"held_back_samples", clocks.heldBack},
            {"held_back_by", reasonsOf(clocks).text()},
            {"idle_samples", clocks.idle}};
}

} // namespace heteroscope::profiling
