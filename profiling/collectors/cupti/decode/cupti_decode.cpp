// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/decode/cupti_decode.h"

#include "compute/base/checked_math.h"
#include "profiling/collectors/cupti/decode/record_walk.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <utility>

namespace heteroscope::profiling {
namespace {

template <class T>
const T& as(const CUpti_Activity* record) {
    return *reinterpret_cast<const T*>(record);
}

CopyKind copyKindOf(std::uint8_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        return CopyKind::HostToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        return CopyKind::DeviceToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        return CopyKind::DeviceToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
        return CopyKind::HostToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return CopyKind::PeerToPeer;
    default:
        return CopyKind::Other;
    }
}

MemoryKind memoryKindOf(std::uint32_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
        return MemoryKind::Pageable;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
        return MemoryKind::Pinned;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
        return MemoryKind::Device;
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
        return MemoryKind::Array;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
        return MemoryKind::Managed;
    default:
        return MemoryKind::Unknown;
    }
}

const char* overheadName(std::uint32_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
        return "driver compiles code";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
        return "profiler hands out records";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
        return "profiler prepares kernels";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
        return "profiler makes resources";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
        return "runtime loads a module";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
        return "runtime loads a kernel at first use";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
        return "command buffer is full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
        return "profiler asks for a buffer";
    default:
        return "other overhead";
    }
}

const char* waitName(std::uint32_t type) {
    switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
        return "host waits for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
        return "stream waits for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
        return "host waits for a stream";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
        return "host waits for the device";
    default:
        return "waits";
    }
}

WaitsFor waitsFor(std::uint32_t type) {
    switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
        return WaitsFor::Stream;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
        return WaitsFor::Device;
    default:
        return WaitsFor::Other;
    }
}

template <class Raw>
GpuPlace placeOf(const Raw& raw) {
    return {raw.deviceId, raw.contextId, raw.streamId};
}

GpuKernel kernelOf(const CUpti_ActivityKernel10& raw, const std::string& name) {
    GpuKernel kernel;
    kernel.place = placeOf(raw);
    kernel.name = name;
    kernel.grid = {raw.gridX, raw.gridY, raw.gridZ};
    kernel.block = {raw.blockX, raw.blockY, raw.blockZ};
    kernel.registersPerThread = raw.registersPerThread;
    kernel.staticSharedBytes = static_cast<std::uint32_t>(raw.staticSharedMemory);
    kernel.dynamicSharedBytes = static_cast<std::uint32_t>(raw.dynamicSharedMemory);
    kernel.sharedExecutedBytes = raw.sharedMemoryExecuted;
    kernel.localBytesPerThread = raw.localMemoryPerThread;
    kernel.graph = raw.graphId;
    kernel.graphNode = raw.graphNodeId;
    return kernel;
}

template <class Raw>
GpuCopy copyOf(const Raw& raw) {
    return {placeOf(raw),
            copyKindOf(raw.copyKind),
            memoryKindOf(raw.srcKind),
            memoryKindOf(raw.dstKind),
            raw.bytes,
            (raw.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0,
            raw.graphId};
}

} // namespace

bool CuptiDecoder::times(std::uint64_t start, std::uint64_t end, std::int64_t offset, GpuRecord& record) {
    // One beyond what 63 bits hold is none either: a damaged record's, or an offset that is.
    const auto from = checkedAdd(static_cast<std::int64_t>(start), offset);
    const auto to = checkedAdd(static_cast<std::int64_t>(end), offset);
    if (start == 0 || end == 0 || !from || !to) {
        ++m_quality.zeroTimestamps;
        return false;
    }
    record.startNs = *from;
    record.endNs = *to;
    return true;
}

/// CUPTI's pointer may be reused for another name after a module is unloaded: the text is the key.
const std::string& CuptiDecoder::readable(const char* mangled) {
    const auto [entry, isNew] = m_names.try_emplace(mangled == nullptr ? "unnamed kernel" : mangled);
    if (!isNew)
        return entry->second;
    std::string& name = entry->second;
    name = entry->first;
    if (!name.starts_with("_Z")) // of C: the demangler would take "f" for the type float
        return name;
    int status = -1;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(entry->first.c_str(), nullptr, nullptr, &status), std::free);
    if (status == 0 && text != nullptr)
        name = text.get();
    return name;
}

/// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel": the suffix is the interface's version.
const std::string& CuptiDecoder::callName(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    const auto [entry, isNew] = m_calls.try_emplace(static_cast<std::uint64_t>(domain) << 32 | id);
    if (!isNew)
        return entry->second;
    const char* name = m_callNames(domain, id);
    if (name == nullptr) {
        entry->second = "call " + std::to_string(id);
        return entry->second;
    }
    entry->second = name;
    if (const auto version = entry->second.rfind("_v");
        domain == CUPTI_CB_DOMAIN_RUNTIME_API && version != std::string::npos)
        entry->second.resize(version);
    return entry->second;
}

bool CuptiDecoder::decodeDeviceWork(const CUpti_Activity* activity, std::int64_t offset, GpuRecord& record) {
    const auto fill = [&](const auto& raw, auto what) {
        record.correlation = raw.correlationId;
        record.what = std::move(what);
        return times(raw.start, raw.end, offset, record);
    };
    switch (kindOf(activity)) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const auto& raw = as<CUpti_ActivityKernel10>(activity);
        return fill(raw, kernelOf(raw, readable(raw.name)));
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const auto& raw = as<CUpti_ActivityMemcpy6>(activity);
        return fill(raw, copyOf(raw));
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
        const auto& raw = as<CUpti_ActivityMemcpyPtoP4>(activity);
        return fill(raw, copyOf(raw));
    }
    default: {
        const auto& raw = as<CUpti_ActivityMemset4>(activity);
        return fill(raw, GpuMemset{placeOf(raw), memoryKindOf(raw.memoryKind), raw.bytes, raw.value});
    }
    }
}

bool CuptiDecoder::decodeHostSide(const CUpti_Activity* activity, std::int64_t offset, GpuRecord& record) {
    switch (kindOf(activity)) {
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& raw = as<CUpti_ActivityExternalCorrelation>(activity);
        record.correlation = raw.correlationId;
        record.what = GpuExternalId{raw.externalId};
        return true;
    }
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: {
        const auto& raw = as<CUpti_ActivitySynchronization2>(activity);
        record.correlation = raw.correlationId;
        const std::uint32_t type = numberAt(&raw, offsetof(CUpti_ActivitySynchronization2, type));
        record.what = GpuSynchronization{waitName(type), raw.contextId, raw.streamId, waitsFor(type)};
        return times(raw.start, raw.end, offset, record);
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD: {
        const auto& raw = as<CUpti_ActivityOverhead3>(activity);
        record.correlation = raw.correlationId;
        record.what =
            GpuOverhead{overheadName(numberAt(&raw, offsetof(CUpti_ActivityOverhead3, overheadKind)))};
        return times(raw.start, raw.end, offset, record);
    }
    case CUPTI_ACTIVITY_KIND_MEMORY2: {
        const auto& raw = as<CUpti_ActivityMemory4>(activity);
        const bool release = numberAt(&raw, offsetof(CUpti_ActivityMemory4, memoryOperationType)) ==
                             CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
        record.correlation = raw.correlationId;
        record.what = GpuAllocation{raw.deviceId, memoryKindOf(raw.memoryKind), raw.bytes, release};
        return times(raw.timestamp, raw.timestamp, offset, record);
    }
    default: {
        const auto& raw = as<CUpti_ActivityAPI>(activity);
        const bool driver = kindOf(activity) == CUPTI_ACTIVITY_KIND_DRIVER;
        const auto domain = driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
        record.correlation = raw.correlationId;
        record.what = GpuApiCall{callName(domain, raw.cbid), raw.threadId, raw.returnValue, driver};
        return times(raw.start, raw.end, offset, record);
    }
    }
}

void CuptiDecoder::decode(const CUpti_Activity* activity, std::int64_t offset, std::vector<GpuRecord>& out) {
    GpuRecord record;
    bool complete = false;
    switch (kindOf(activity)) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_MEMCPY:
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
    case CUPTI_ACTIVITY_KIND_MEMSET:
        complete = decodeDeviceWork(activity, offset, record);
        break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        complete = decodeHostSide(activity, offset, record);
        break;
    default:
        ++m_quality.undecodable;
        return;
    }
    if (!complete)
        return;
    ++m_quality.delivered;
    out.push_back(std::move(record));
}

void CuptiDecoder::decodeBuffer(std::span<std::uint8_t> buffer, const NextRecord& next, std::int64_t offset,
                                std::vector<GpuRecord>& out) {
    if (buffer.empty())
        return;
    CUpti_Activity* record = nullptr;
    CUptiResult result = CUPTI_SUCCESS;
    while ((result = next(buffer.data(), buffer.size(), &record)) == CUPTI_SUCCESS)
        decode(record, offset, out);
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) // an incomplete record of a forced flush ends its buffer
        ++m_quality.undecodable;
}

} // namespace heteroscope::profiling
