// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_clocks.h"

#include "compute/base/units.h"
#include "profiling/analysis/device_records.h"

#include <algorithm>

namespace heteroscope::profiling {
namespace {

void widen(std::optional<Interval>& range, const std::optional<Interval>& other) {
    if (!other)
        return;
    range = range ? Interval{std::min(range->low, other->low), std::max(range->high, other->high)} : *other;
}

std::optional<Interval> one(const std::optional<double>& mhz) {
    return mhz ? std::optional(Interval{*mhz, *mhz}) : std::nullopt;
}

bool changed(const std::optional<Interval>& range) {
    return range && range->low < (1 - kSameClock) * range->high;
}

std::string rangeText(const std::optional<Interval>& range) {
    if (!range)
        return "not told";
    const std::string high = formatFixed(range->high, 0) + " MHz";
    return range->low < range->high ? formatFixed(range->low, 0) + " to " + high : high;
}

std::string reasonsText(const SampledClocks& clocks) {
    std::string text;
    for (const auto& [reason, samples] : clocks.heldBackBy)
        text += (text.empty() ? "" : "; ") + reason;
    return text;
}

std::string deviceText(const std::string& device, const SampledClocks& clocks) {
    const std::string of = " of " + std::to_string(clocks.known) + " samples";
    std::string text = device + " " + rangeText(clocks.sm) +
                       (changed(clocks.sm) ? " (they changed: look at the samples' clocks in the CSV)" : "") +
                       ", memory " + rangeText(clocks.memory);
    if (clocks.heldBack > 0)
        text += ", held back in " + std::to_string(clocks.heldBack) + of + " (" + reasonsText(clocks) + ")";
    if (clocks.idle > 0)
        text += ", still called idle in " + std::to_string(clocks.idle) + of;
    return text;
}

Json rangeJson(const std::optional<Interval>& range) {
    return range ? Json::array({range->low, range->high}) : Json(nullptr);
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
        found.sm = one(now.smMhz);
        found.memory = one(now.memoryMhz);
        found.idle = now.idle ? 1 : 0;
        if (!now.heldBackBy.empty()) {
            found.heldBack = 1;
            found.heldBackBy[now.heldBackBy] = 1;
        }
        all.add(found);
    }
    return all;
}

std::string deviceClockNote(const Study& study) {
    std::map<std::string, SampledClocks> devices;
    for (const StudyRun& run : study.runs)
        if (const SampledClocks clocks = sampledClocks(run); clocks.known > 0)
            devices[deviceOfTarget(run.target)].add(clocks);
    std::string text;
    for (const auto& [device, clocks] : devices)
        text += (text.empty() ? "GPU clocks after each sample: " : "; ") + deviceText(device, clocks);
    return text.empty() ? text : text + "; caches are kept between repetitions";
}

Json deviceClocksJson(const SampledClocks& clocks) {
    if (clocks.known == 0)
        return nullptr;
    return {{"sm_mhz", rangeJson(clocks.sm)},
            {"memory_mhz", rangeJson(clocks.memory)},
            {"samples", clocks.known},
            {"held_back_samples", clocks.heldBack},
            {"held_back_by", reasonsText(clocks)},
            {"idle_samples", clocks.idle}};
}

} // namespace heteroscope::profiling
