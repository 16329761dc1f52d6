// SPDX-License-Identifier: Apache-2.0
// Whether a run fits into memory, decided before anything is allocated. Pure functions but for freeBytes().
#pragma once

#include "compute/core/backend.h"
#include "compute/core/device.h"
#include "compute/experiment/spec/estimate.h"

#include <string>

namespace heteroscope::compute {

/// Bytes a run needs: on the processor host and device memory are the same.
struct MemoryNeed {
    std::int64_t hostBytes = 0;
    std::int64_t deviceBytes = 0;
    std::int64_t total() const { return hostBytes + deviceBytes; }
};

/// Bytes that a run may take on a device: the limit when one is given, else most of what is free.
std::int64_t allowedBytes(const DeviceInfo& device, std::int64_t limit);

/// What a session's implementation needs beside the operands of a point.
std::int64_t workspaceBytes(const ExperimentSpec& pointSpec, const Shape4& srcShape, const Session& session);

/// Why the point cannot run, with the figures and what would fit, e.g. "needs 12.0 GiB, 8.1 GiB may be used;
/// size 16384 would fit"; empty when it fits.
std::string memoryRefusal(const ExperimentSpec& pointSpec, const MemoryNeed& need, std::int64_t allowed);

} // namespace heteroscope::compute
