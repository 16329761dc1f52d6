// SPDX-License-Identifier: Apache-2.0
// Counting what kernels do on the device's own counters, as a module gives it, and what is made of the raw
// values. Counting replays each kernel and lets nothing run beside it: times under it are no timings. One per
// process, and no tracer (gpu_tracer.h) in the same one. One thread.
#pragma once

#include "compute/base/result.h"
#include "profiling/stream/kernel_counters.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// NVIDIA's names of what is counted, in the order of RawKernelCounters::values.
inline constexpr std::array<const char*, 7> kCountedMetrics{
    "gpu__time_duration.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "sm__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "sm__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"};

struct RawKernelCounters {
    std::string kernel; ///< its name as the compiler mangles it; empty when it is not known
    std::array<double, kCountedMetrics.size()> values{};
};

/// Error: a value that is no number or below zero, with its metric.
Result<KernelCounters> kernelCounters(const RawKernelCounters& raw);

class GpuCounters {
  public:
    virtual ~GpuCounters() = default;
    /// Counts the kernels that `work` submits to the device whose context is current on this thread; `work`
    /// waits for them before it returns, and may be called several times. In order of launch. Errors: the
    /// right is missing, the device's counters are not supported, a library is missing, another profiler is
    /// attached; or what `work` returned.
    virtual Result<std::vector<RawKernelCounters>> count(const std::function<Status()>& work) = 0;
};

/// What a module exports as `heteroscopeGpuCounters` (extern "C").
struct GpuCountersEntry {
    const char* build = nullptr;
    GpuCounters* (*create)() = nullptr; ///< the caller owns the result; it must not outlive the library
};

inline constexpr const char* kGpuCountersEntryName = "heteroscopeGpuCounters";

} // namespace heteroscope::profiling
