// SPDX-License-Identifier: Apache-2.0
// A device as JSON: what `devices --json` prints and what the Device frame of a stream holds.
#pragma once

#include "compute/base/json.h"
#include "compute/core/device.h"

namespace heteroscope::cli {

Json deviceRecord(const compute::DeviceInfo& device);

} // namespace heteroscope::cli
