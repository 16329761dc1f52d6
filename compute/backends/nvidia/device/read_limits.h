// SPDX-License-Identifier: Apache-2.0
// Asks the driver what a device holds.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Fills in `limits` of the device with this index; on an error some of it.
cudaError_t readDeviceLimits(int device, DeviceLimits& limits);

} // namespace heteroscope::compute::nvidia
