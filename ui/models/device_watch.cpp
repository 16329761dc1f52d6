// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_watch.h"

#include "compute/core/target.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace heteroscope::ui {

using profiling::TrackId;

namespace {

struct Counter {
    const char* row;
    std::optional<double> DeviceNow::*value;
};

constexpr Counter kRows[] = {{"busy", &DeviceNow::busyPercent}, {"memory in use", &DeviceNow::memoryBytes},
                             {"power", &DeviceNow::powerW},     {"temperature", &DeviceNow::temperatureC},
                             {"clock", &DeviceNow::clockMhz},   {"held back now", &DeviceNow::heldBackNow}};

constexpr const char* kHeldBackRow = "clocks held back";

std::optional<profiling::CounterPoint> lastPoint(const profiling::Trace& trace, TrackId row) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    std::vector<profiling::CounterBin> bins; // the value in force at the end of time
    trace.queryCounter(row, kEnd - 1, kEnd, 1.0, bins);
    if (bins.empty())
        return std::nullopt;
    return profiling::CounterPoint{bins.back().timeNs, bins.back().last};
}

std::optional<double> totalMemory(const profiling::Study& study, const std::string& device) {
    const auto fits = [&](const Json& record) {
        return record.is_object() && record.value("id", std::string()) == device &&
               record.contains("memory_total_bytes") && record.at("memory_total_bytes").is_number();
    };
    const auto found = std::find_if(study.devices.begin(), study.devices.end(), fits);
    if (found != study.devices.end())
        return found->at("memory_total_bytes").get<double>();
    if (study.environment.is_object() && study.environment.contains("devices"))
        for (const Json& record : study.environment.at("devices"))
            if (fits(record))
                return record.at("memory_total_bytes").get<double>();
    return std::nullopt;
}

} // namespace

void DeviceWatch::setTrace(std::shared_ptr<const profiling::Trace> trace) {
    m_trace = std::move(trace);
    m_tracksSeen = 0;
    m_devices.clear();
}

void DeviceWatch::findRows() {
    static_assert(std::size(kRows) == kCounters);
    for (const TrackId count = m_trace->trackCount(); m_tracksSeen < count; ++m_tracksSeen) {
        const profiling::Track track = m_trace->track(m_tracksSeen);
        const std::string name = m_trace->string(track.name);
        const std::string group = track.parent == profiling::kNoTrack
                                      ? std::string()
                                      : m_trace->string(m_trace->track(track.parent).name);
        if (!compute::namesGpu(group))
            continue;
        const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                      [&](const Counter& known) { return name == known.row; });
        if (track.kind == profiling::TrackKind::Counter && row != std::end(kRows))
            deviceOf(track.parent, group).rows[static_cast<std::size_t>(row - kRows)] = m_tracksSeen;
        else if (track.kind == profiling::TrackKind::Overhead && name == kHeldBackRow)
            deviceOf(track.parent, group).heldBack = m_tracksSeen;
    }
}

DeviceWatch::Device& DeviceWatch::deviceOf(TrackId group, const std::string& name) {
    const auto known = std::find_if(m_devices.begin(), m_devices.end(),
                                    [group](const Device& device) { return device.group == group; });
    if (known != m_devices.end())
        return *known;
    m_devices.push_back({group, name, {}, profiling::kNoTrack});
    m_devices.back().rows.fill(profiling::kNoTrack);
    return m_devices.back();
}

void DeviceWatch::addHolds(const Device& device, DeviceNow& now) const {
    const std::uint64_t holds =
        device.heldBack == profiling::kNoTrack ? 0 : m_trace->spanCount(device.heldBack);
    if (holds == 0)
        return;
    const auto last = m_trace->span({device.heldBack, 0, static_cast<std::uint32_t>(holds - 1)});
    if (!last)
        return;
    now.heldBackBy = m_trace->string(last->name);
    now.heldBackEndNs = last->startNs + last->durationNs;
    now.heldBackNs = m_trace->busyNs(device.heldBack, m_trace->startNs(), m_trace->endNs());
}

std::vector<DeviceNow> DeviceWatch::now(const profiling::Study& study) {
    std::vector<DeviceNow> all;
    if (!m_trace)
        return all;
    findRows();
    for (const Device& device : m_devices) {
        DeviceNow now;
        now.device = device.name;
        now.memoryTotalBytes = totalMemory(study, device.name);
        bool any = false;
        for (std::size_t i = 0; i < kCounters; ++i) {
            if (device.rows[i] == profiling::kNoTrack)
                continue;
            const auto point = lastPoint(*m_trace, device.rows[i]);
            if (!point)
                continue;
            now.*kRows[i].value = point->value;
            now.timeNs = any ? std::max(now.timeNs, point->timeNs) : point->timeNs;
            any = true;
        }
        if (!any)
            continue;
        addHolds(device, now);
        // Each process of a study has its own rows of the same device: the latest counts.
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&](const DeviceNow& other) { return other.device == now.device; });
        if (same == all.end())
            all.push_back(std::move(now));
        else if (same->timeNs < now.timeNs)
            *same = std::move(now);
    }
    std::sort(all.begin(), all.end(),
              [](const DeviceNow& a, const DeviceNow& b) { return a.device < b.device; });
    return all;
}

} // namespace heteroscope::ui
