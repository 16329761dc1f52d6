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

constexpr Counter kRows[] = {{"busy", &DeviceNow::busyPercent},
                             {"memory in use", &DeviceNow::memoryBytes},
                             {"power", &DeviceNow::powerW},
                             {"temperature", &DeviceNow::temperatureC},
                             {"clock", &DeviceNow::clockMhz}};

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
        if (track.kind != profiling::TrackKind::Counter || track.parent == profiling::kNoTrack)
            continue;
        const std::string group = m_trace->string(m_trace->track(track.parent).name);
        const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Counter& known) {
            return m_trace->string(track.name) == known.row;
        });
        if (row == std::end(kRows) || !compute::namesGpu(group))
            continue;
        auto device = std::find_if(m_devices.begin(), m_devices.end(),
                                   [&](const Device& known) { return known.group == track.parent; });
        if (device == m_devices.end()) {
            device = m_devices.insert(m_devices.end(), {track.parent, group, {}});
            device->rows.fill(profiling::kNoTrack);
        }
        device->rows[static_cast<std::size_t>(row - kRows)] = m_tracksSeen;
    }
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
