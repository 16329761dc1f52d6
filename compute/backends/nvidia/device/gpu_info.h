// SPDX-License-Identifier: Apache-2.0
// The NVIDIA devices of this machine, or why there is none to use.
#pragma once

#include "compute/core/device.h"

#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Every CUDA device ("cuda:0", "cuda:1", ...) with its limits. Without a usable one: a single entry "cuda:0"
/// with the reason (no driver, driver too old, no device, ...). Free memory is read through NVML, so that no
/// context is made.
std::vector<DeviceInfo> queryDevices();

/// Index of "cuda:N"; -1 for another text.
int deviceIndex(const std::string& deviceId);

/// Free bytes of the device that is current on this thread (makes its context when there is none).
std::int64_t currentFreeBytes();

} // namespace heteroscope::compute::nvidia
