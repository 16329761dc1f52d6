// SPDX-License-Identifier: Apache-2.0
// CUPTI's activity records as GpuRecords. The structures are those of CUPTI 13.0 (cupti_activity.h). Needs
// CUPTI's headers and nothing of its library: what only the library knows comes in as functions. Pure but for
// a cache of readable names; one thread.
#pragma once

#include "profiling/collectors/gpu/gpu_record.h"
#include "profiling/collectors/gpu/gpu_tracer.h"

#include <cstdint>
#include <cupti.h>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

/// The name of a call of the runtime or driver interface, nullptr when it has none: cuptiGetCallbackName, or
/// what a recording says.
using CallNames = std::function<const char*(CUpti_CallbackDomain, CUpti_CallbackId)>;
/// Sets *record to the record behind it (nullptr: the first), as cuptiActivityGetNextRecord does.
using NextRecord =
    std::function<CUptiResult(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record)>;

class CuptiDecoder {
  public:
    explicit CuptiDecoder(CallNames callNames) : m_callNames(std::move(callNames)) {}

    /// All records of a buffer, as decode(). An incomplete or unknown record after which `next` cannot go on
    /// is counted as undecodable and ends the buffer.
    void decodeBuffer(std::span<std::uint8_t> buffer, const NextRecord& next, std::int64_t clockOffsetNs,
                      std::vector<GpuRecord>& out);
    /// Appends the record to `out`, or counts why not in quality(). `clockOffsetNs`: steady clock minus
    /// CUPTI's.
    void decode(const CUpti_Activity* record, std::int64_t clockOffsetNs, std::vector<GpuRecord>& out);
    GpuTraceQuality& quality() { return m_quality; }

  private:
    /// Kernels, copies, memsets; false when the record has no times.
    bool decodeDeviceWork(const CUpti_Activity* record, std::int64_t offset, GpuRecord& out);
    /// Calls, waits, overhead, memory, external ids; likewise.
    bool decodeHostSide(const CUpti_Activity* record, std::int64_t offset, GpuRecord& out);
    /// The times on the steady clock; false and counted when CUPTI had none (start and end zero).
    bool times(std::uint64_t start, std::uint64_t end, std::int64_t offset, GpuRecord& record);
    const std::string& readable(const char* mangled);
    const std::string& callName(CUpti_CallbackDomain domain, CUpti_CallbackId id);

    CallNames m_callNames;
    GpuTraceQuality m_quality;
    std::unordered_map<std::string, std::string> m_names;
    std::unordered_map<std::uint64_t, std::string> m_calls;
};

} // namespace heteroscope::profiling
