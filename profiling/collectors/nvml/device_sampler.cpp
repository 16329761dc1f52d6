// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/device_sampler.h"

#include "compute/base/clock.h"

#include <utility>

namespace heteroscope::profiling {

DeviceSampler::DeviceSampler(HostCollector& collector, TrackId group, std::unique_ptr<DeviceReader> reader)
    : m_collector(collector),
      m_group(group),
      m_reader(std::move(reader)),
      m_rows{{"busy", "%", &DeviceReading::gpuBusyPercent},
             {"memory in use", "bytes", &DeviceReading::memoryUsedBytes},
             {"power", "W", &DeviceReading::powerW},
             {"temperature", "°C", &DeviceReading::temperatureC},
             {"clock", "MHz", &DeviceReading::clockMhz},
             {"memory clock", "MHz", &DeviceReading::memoryClockMhz}} {}

void DeviceSampler::start() {
    m_thread = std::thread([this] { run(); });
}

DeviceSampler::~DeviceSampler() {
    stop();
}

void DeviceSampler::run() {
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        lock.unlock();
        look(steadyNowNs());
        lock.lock();
        m_wake.wait_for(lock, kEvery, [this] { return m_stopping; });
    }
}

void DeviceSampler::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (!m_thread.joinable())
        return;
    m_thread.join();
    const std::int64_t now = steadyNowNs();
    look(now);
    clocks({}, now); // ends a span that is open
}

void DeviceSampler::look(std::int64_t timeNs) {
    const DeviceReading reading = m_reader->read();
    for (Row& row : m_rows) {
        const std::optional<double>& value = reading.*row.value;
        if (!value)
            continue;
        if (row.track == kNoTrack)
            row.track = m_collector.addTrack(row.name, TrackKind::Counter, m_group, row.unit);
        m_collector.counter(row.track, timeNs, *value);
    }
    clocks(reading, timeNs);
}

void DeviceSampler::clocks(const DeviceReading& reading, std::int64_t timeNs) {
    std::string why;
    for (const std::string& reason : reading.heldBackBy)
        why += (why.empty() ? "" : ", ") + reason;
    tellHeldNow(!why.empty(), timeNs);
    change(m_held, std::move(why), timeNs);
    change(m_idle, reading.clocksIdle ? "nothing runs" : "", timeNs);
}

void DeviceSampler::tellHeldNow(bool held, std::int64_t timeNs) {
    if (held == !m_held.name.empty())
        return;
    if (m_heldNow == kNoTrack)
        m_heldNow = m_collector.addTrack("held back now", TrackKind::Counter, m_group);
    m_collector.counter(m_heldNow, timeNs, held ? 1 : 0);
}

void DeviceSampler::change(State& state, std::string name, std::int64_t timeNs) {
    if (name == state.name)
        return;
    if (!state.name.empty()) {
        if (state.track == kNoTrack)
            state.track = m_collector.addTrack(state.row, TrackKind::Overhead, m_group);
        Span span;
        span.track = state.track;
        span.startNs = state.sinceNs;
        span.durationNs = timeNs - state.sinceNs;
        span.name = m_collector.intern(state.name);
        span.category = m_collector.intern(state.category);
        m_collector.recordBatch({&span, 1}, {});
    }
    state.name = std::move(name);
    state.sinceNs = timeNs;
}

} // namespace heteroscope::profiling
