// SPDX-License-Identifier: Apache-2.0
// A buffer as CUPTI fills it, made by hand: records one behind the other, 8-byte aligned.
#pragma once

#include "profiling/collectors/cupti/decode/cupti_decode.h"
#include "profiling/collectors/cupti/decode/record_walk.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heteroscope::profiling::testing {

class RawBytes {
  public:
    template <class Record>
    RawBytes& add(const Record& record) {
        static_assert(sizeof(Record) % 8 == 0);
        const auto* first = reinterpret_cast<const std::uint8_t*>(&record);
        m_bytes.insert(m_bytes.end(), first, first + sizeof record);
        return *this;
    }
    std::span<std::uint8_t> span() { return m_bytes; }
    std::span<std::uint8_t> first(std::size_t bytes) { return span().first(bytes); }
    std::size_t size() const { return m_bytes.size(); }

  private:
    std::vector<std::uint8_t> m_bytes;
};

template <class Record>
Record blank(CUpti_ActivityKind kind) {
    Record record;
    std::memset(static_cast<void*>(&record), 0, sizeof record);
    record.kind = kind;
    return record;
}

inline CUpti_ActivityKernel10 kernelRecord(const char* name, std::uint64_t start, std::uint64_t end,
                                           std::uint32_t correlation) {
    auto record = blank<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    record.name = name;
    record.start = start;
    record.end = end;
    record.correlationId = correlation;
    record.deviceId = 1;
    record.contextId = 2;
    record.streamId = 7;
    record.gridX = 10;
    record.gridY = 11;
    record.gridZ = 12;
    record.blockX = 32;
    record.blockY = 4;
    record.blockZ = 2;
    record.registersPerThread = 40;
    record.staticSharedMemory = 1024;
    record.dynamicSharedMemory = 2048;
    record.sharedMemoryExecuted = 8192;
    record.localMemoryPerThread = 16;
    return record;
}

inline CUpti_ActivityMemcpy6 copyRecord(CUpti_ActivityMemcpyKind kind, CUpti_ActivityMemoryKind from,
                                        CUpti_ActivityMemoryKind to, std::uint64_t bytes) {
    auto record = blank<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    record.copyKind = static_cast<std::uint8_t>(kind);
    record.srcKind = static_cast<std::uint8_t>(from);
    record.dstKind = static_cast<std::uint8_t>(to);
    record.bytes = bytes;
    record.start = 100;
    record.end = 200;
    record.deviceId = 1;
    record.contextId = 2;
    record.streamId = 9;
    record.correlationId = 5;
    return record;
}

inline CUpti_ActivityAPI callRecord(CUpti_ActivityKind kind, CUpti_CallbackId id, std::uint64_t start,
                                    std::uint64_t end, std::uint32_t correlation) {
    auto record = blank<CUpti_ActivityAPI>(kind);
    record.cbid = id;
    record.start = start;
    record.end = end;
    record.threadId = 77;
    record.correlationId = correlation;
    return record;
}

inline CUpti_ActivityExternalCorrelation externalRecord(std::uint64_t id, std::uint32_t correlation) {
    auto record = blank<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    record.externalId = id;
    record.correlationId = correlation;
    record.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    return record;
}

/// Names of calls as CUPTI gives them.
inline const char* callNameOf(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        return id == 211 ? "cudaLaunchKernel_v7000" : id == 311 ? "cudaGraphLaunch_v10000" : nullptr;
    return id == 307 ? "cuLaunchKernel_v2" : nullptr;
}

} // namespace heteroscope::profiling::testing
