// SPDX-License-Identifier: GPL-3.0-or-later
// What a growing trace says of its GPUs now: the last values of the counters that the recorder of a device
// writes (profiling/collectors/nvml/device_sampler.cpp has their names). GUI thread; a look costs some
// microseconds, whatever the length of the trace.
#pragma once

#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

/// The last look that was recorded at a device. What the device does not tell is absent.
struct DeviceNow {
    std::string device; ///< "cuda:0"
    std::optional<double> busyPercent, memoryBytes, powerW, temperatureC, clockMhz;
    std::optional<double> memoryTotalBytes; ///< from the study's device record
    std::int64_t timeNs = 0;                ///< of the latest value, on the trace's clock
    std::string heldBackBy;                 ///< why the clocks were held back last: "power limit, heat"
    std::optional<double> heldBackNow;      ///< 1 while the clocks are held back, else 0; absent: never were
    std::int64_t heldBackNs = 0;            ///< for how long in all; a hold counts when it has ended
    std::int64_t heldBackEndNs = 0;         ///< when it ended last, on the trace's clock
};

class DeviceWatch {
  public:
    void setTrace(std::shared_ptr<const profiling::Trace> trace);
    /// By device; empty while nothing was recorded. The study is that of the trace.
    std::vector<DeviceNow> now(const profiling::Study& study);

  private:
    static constexpr std::size_t kCounters = 6;
    struct Device {
        profiling::TrackId group = profiling::kNoTrack;
        std::string name;
        std::array<profiling::TrackId, kCounters> rows;
        profiling::TrackId heldBack = profiling::kNoTrack;
    };

    void findRows();
    Device& deviceOf(profiling::TrackId group, const std::string& name);
    void addHolds(const Device& device, DeviceNow& now) const;

    std::shared_ptr<const profiling::Trace> m_trace;
    profiling::TrackId m_tracksSeen = 0;
    std::vector<Device> m_devices;
};

} // namespace heteroscope::ui
