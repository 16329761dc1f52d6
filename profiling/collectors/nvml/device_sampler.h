// SPDX-License-Identifier: Apache-2.0
// Looks at a device ten times a second, on a thread of its own, and draws what it sees as counters; times in
// which the clocks were held back, or low because nothing ran, become spans when they end. A counter tells
// meanwhile that they are held back: who watches live must not wait for the end.
#pragma once

#include "profiling/collectors/host_collector.h"
#include "profiling/collectors/nvml/nvml_readings.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace heteroscope::profiling {

class DeviceSampler {
  public:
    static constexpr std::chrono::milliseconds kEvery{100};

    /// Rows go under `group`. The collector outlives the sampler.
    DeviceSampler(HostCollector& collector, TrackId group, std::unique_ptr<DeviceReader> reader);
    ~DeviceSampler(); ///< stops

    void start();

    /// Takes a last look and ends.
    void stop();
    /// One look, as the thread does it. Not while the thread runs.
    void look(std::int64_t timeNs);

  private:
    struct Row {
        const char* name;
        const char* unit;
        std::optional<double> DeviceReading::*value;
        TrackId track = kNoTrack; ///< made with the first value
    };

    void run();
    /// A row of spans: the times in which the state had the same name.
    struct State {
        const char* row;
        const char* category;
        TrackId track = kNoTrack; ///< made with the first span
        std::string name;         ///< now; empty: none
        std::int64_t sinceNs = 0;
    };
    void change(State& state, std::string name, std::int64_t timeNs);
    void clocks(const DeviceReading& reading, std::int64_t timeNs);
    void tellHeldNow(bool held, std::int64_t timeNs);

    HostCollector& m_collector;
    const TrackId m_group;
    const std::unique_ptr<DeviceReader> m_reader;
    std::vector<Row> m_rows;
    TrackId m_heldNow = kNoTrack; ///< 1 while clocks are held back, else 0; made with the first time they are
    State m_held{"clocks held back", "throttling", kNoTrack, {}, 0};
    State m_idle{"clocks idle", "idle clocks", kNoTrack, {}, 0};

    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace heteroscope::profiling
