// SPDX-License-Identifier: Apache-2.0
// Theoretical occupancy of a kernel: how many of the warps that a multiprocessor can hold the launch lets it
// hold, and what limits them. Pure functions; any thread.
//
// The formula is that of NVIDIA's occupancy calculator (cuda_occupancy.h of the CUDA toolkit): resident
// blocks are the smallest of the limits by warps, blocks, registers and shared memory. Registers are given to
// warps in units of 256, and warps lie in four partitions of a multiprocessor, each with a quarter of the
// registers. Shared memory is given in units of 128 bytes from compute capability 8.0 on (256 before), after
// 1 KiB that the system takes of each block (CUDA programming guide, compute capabilities 8.x and 9.0). All
// of the multiprocessor's shared memory counts as available; a kernel that prefers L1 cache may get less.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/device_work.h"
#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <map>
#include <optional>
#include <string>

namespace heteroscope::profiling {

/// What a multiprocessor holds at most; from a device record.
struct MultiprocessorLimits {
    std::int64_t multiprocessors = 0; ///< of the device
    std::int64_t major = 0;           ///< of the compute capability
    std::int64_t threads = 0, blocks = 0, registers = 0, sharedBytes = 0;
    std::int64_t threadsPerBlock = 1024;
};

/// From the `properties` of a device record; nothing for a device that is no GPU, lacks one of them, or has a
/// compute capability outside 7.5 to 9.x, for which the formula was checked.
std::optional<MultiprocessorLimits> multiprocessorLimits(const Json& properties);

/// Limits of all GPUs of a study by device id ("cuda:0"), from its device records and its environment.
std::map<std::string, MultiprocessorLimits> deviceLimits(const Study& study);

enum class OccupancyLimit : std::uint8_t { Warps, Blocks, Registers, SharedMemory };
const char* occupancyLimitName(OccupancyLimit limit); ///< "warps", "registers" ...

struct Occupancy {
    std::int64_t warpsPerBlock = 0, blocks = 0, warps = 0, maxWarps = 0; ///< on one multiprocessor
    double share = 0;                                                    ///< warps / maxWarps, 0 to 1
    OccupancyLimit limit = OccupancyLimit::Warps; ///< the first in this order of those that bind equally
    double gridFill =
        0; ///< blocks of the grid / blocks that the device holds at once; below 1 it is not full

    /// "50 %, 32 of 64 warps, limited by registers".
    Phrase sentence() const;
};

/// Nothing when no block fits on a multiprocessor.
std::optional<Occupancy> theoreticalOccupancy(const KernelShape& kernel, const MultiprocessorLimits& device);

} // namespace heteroscope::profiling
