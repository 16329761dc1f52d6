// SPDX-License-Identifier: Apache-2.0
// Device memory between red zones, for tests: with HETEROSCOPE_GUARD=1 every allocation of a session lies
// between zones of a pattern that are looked at when it is freed, and begins filled with the pattern, which
// is NaN as float32. One that was written beside its bounds is told on stderr and ends the process, as a
// sanitizer would. One thread at a time.
#pragma once

#include "compute/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <span>
#include <string>

namespace heteroscope::compute::nvidia {

inline constexpr std::size_t kRedZoneBytes = 4096; ///< before and after; keeps the alignment of cudaMalloc
inline constexpr std::uint8_t kRedZonePattern = 0xFF;

/// Whether HETEROSCOPE_GUARD asks for it. Error: BadInput for anything but nothing, 0 and 1.
Result<bool> memoryIsGuarded();

/// cudaMalloc of `bytes` between red zones; *memory is what may be used. The device is idle afterwards.
cudaError_t allocateGuarded(void** memory, std::size_t bytes);

/// What was written beside the bounds of an allocation, empty when nothing was. `before` and `after` are the
/// zones.
std::string redZoneReport(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after,
                          std::size_t bytes, const std::string& purpose);

/// Waits for the device, looks at the zones and frees. A context that failed already was reported by the call
/// that broke it: then nothing is looked at.
void freeGuarded(void* memory, std::size_t bytes, const std::string& purpose);

} // namespace heteroscope::compute::nvidia
