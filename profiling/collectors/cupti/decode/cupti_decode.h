// SPDX-License-Identifier: Apache-2.0
// CUPTI's activity records as GpuRecords. The structures are those of CUPTI 13.0 (cupti_activity.h). Pure but
// for a cache of readable names; one thread.
#pragma once

#include "profiling/collectors/gpu/gpu_record.h"
#include "profiling/collectors/gpu/gpu_tracer.h"

#include <cstdint>
#include <cupti.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscope::profiling {

class CuptiDecoder {
  public:
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

    GpuTraceQuality m_quality;
    std::unordered_map<std::string, std::string> m_names;
    std::unordered_map<std::uint64_t, std::string> m_calls;
};

} // namespace heteroscope::profiling
