// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's management library says of a device now. The library comes with the driver and is looked up
// at run time; types and values as in NVIDIA's nvml.h (driver 580).
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// One look at a device. What the device does not tell is absent.
struct DeviceReading {
    std::optional<double> gpuBusyPercent; ///< share of the last sample period in which a kernel ran
    std::optional<double> memoryUsedBytes;
    std::optional<double> powerW, temperatureC, clockMhz, memoryClockMhz;
    std::vector<std::string>
        heldBackBy;          ///< why the clocks are lower than they could be: "power limit", "heat", ...
    bool clocksIdle = false; ///< they are low because nothing runs
};

class DeviceReader {
  public:
    virtual ~DeviceReader() = default;
    virtual DeviceReading read() = 0;
    /// Clocks and what holds them back alone, which takes some microseconds where read() takes milliseconds.
    virtual DeviceReading clocks() { return read(); }
};

/// The device with this PCI bus id ("0000:41:00.0"). Errors: no library, no such device.
Result<std::unique_ptr<DeviceReader>> openNvmlDevice(const std::string& pciBusId);

/// The reasons behind NVML's bit mask of clock events that slow work down (nvmlClocksEventReason*); the rest
/// (idle, clocks set by an application) are not listed.
std::vector<std::string> clockReasons(std::uint64_t mask);

/// Whether the mask says that the clocks are low because nothing runs.
bool clocksAreIdle(std::uint64_t mask);

} // namespace heteroscope::profiling
