// SPDX-License-Identifier: Apache-2.0
// A tracer of GPU work, as a module gives it. One per process: start it before the first call that touches
// the device, stop it after the last; it cannot be started again.
#pragma once

#include "compute/base/result.h"
#include "profiling/collectors/gpu/gpu_record.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Hears the records, in batches, on one thread of the tracer.
class GpuRecordSink {
  public:
    virtual ~GpuRecordSink() = default;
    virtual void gpuRecords(std::span<const GpuRecord> records) = 0;
};

/// What the tracer lost or saw oddly.
struct GpuTraceQuality {
    std::uint64_t delivered = 0, dropped = 0, zeroTimestamps = 0, undecodable = 0;
    std::vector<std::string> notes;
};

class GpuTracer {
  public:
    virtual ~GpuTracer() = default;
    /// Errors say why there is no device timeline: another profiler is attached (with its name), a right is
    /// missing, the library does not fit the driver. The program goes on without.
    virtual Status start(GpuRecordSink& sink) = 0;
    /// Work that this thread submits from here on carries `id` until pop(). Nested ids: the innermost counts.
    virtual void push(std::uint64_t id) = 0;
    virtual void pop() = 0;
    /// Returns when every record of finished work has gone to the sink. The device must be idle.
    virtual void flush() = 0;
    virtual GpuTraceQuality stop() = 0;
};

/// What a tracer module exports as `heteroscopeGpuTracer` (extern "C").
struct GpuTracerEntry {
    const char* build = nullptr;
    GpuTracer* (*create)() = nullptr; ///< the caller owns the result; it must not outlive the library
};

inline constexpr const char* kGpuTracerEntryName = "heteroscopeGpuTracer";

} // namespace heteroscope::profiling
