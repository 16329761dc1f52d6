// SPDX-License-Identifier: Apache-2.0
// What the device's counters said of the kernels of an op, and how a run file holds it: the metric
// "kernel_counters" of a run is a list of ops, {"op", "detail", "implementation", "kernels": [{"kernel",
// "time_ns", "occupancy", "dram_read_bytes", "dram_write_bytes", "flops"}]}. Counting replays kernels alone,
// so its times are no timings. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

inline constexpr const char* kKernelCountersMetric = "kernel_counters";

struct KernelCounters {
    std::string kernel;   ///< as one says it: "poolForwardStrips"
    double timeNs = 0;    ///< while it was counted
    double occupancy = 0; ///< warps active of those possible, while a multiprocessor was active, 0 to 1
    double dramReadBytes = 0, dramWriteBytes = 0;
    double flops = 0; ///< fp32: additions and multiplications once, fused multiply-adds twice
};

/// One repetition of an op, kernel by kernel in order of launch.
struct OpCounters {
    std::string op, detail, implementation;
    std::vector<KernelCounters> kernels;
};

Json toJson(const OpCounters& counters);

/// Of a run's metrics. What is not as described is left out: a run file may hold anything.
std::vector<OpCounters> opCountersOf(const Json& metrics);

} // namespace heteroscope::profiling
