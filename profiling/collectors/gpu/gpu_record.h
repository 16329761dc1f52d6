// SPDX-License-Identifier: Apache-2.0
// What a tracer of GPU work reports, free of any vendor's types: the seam between decoding a vendor's buffers
// and building a timeline. Plain values. Times are nanoseconds on the steady clock.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace heteroscope::profiling {

enum class CopyKind : std::uint8_t {
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    HostToHost,
    PeerToPeer,
    Other
};
enum class MemoryKind : std::uint8_t { Unknown, Pageable, Pinned, Device, Array, Managed };

/// Where on a device something ran.
struct GpuPlace {
    std::uint32_t device = 0, context = 0, stream = 0;
    auto operator<=>(const GpuPlace&) const = default;
};

struct GpuKernel {
    GpuPlace place;
    std::string name; ///< as a person reads it (demangled)
    std::array<std::int32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t registersPerThread = 0;
    std::uint32_t staticSharedBytes = 0, dynamicSharedBytes = 0;
    std::uint32_t sharedExecutedBytes = 0; ///< the multiprocessor's shared-memory configuration while it ran
    std::uint32_t localBytesPerThread = 0;
    std::uint32_t graph = 0; ///< 0: not from a graph
    std::uint64_t graphNode = 0;
};

struct GpuCopy {
    GpuPlace place;
    CopyKind kind = CopyKind::Other;
    MemoryKind from = MemoryKind::Unknown, to = MemoryKind::Unknown;
    std::uint64_t bytes = 0;
    bool async = false;
    std::uint32_t graph = 0;
};

struct GpuMemset {
    GpuPlace place;
    MemoryKind memory = MemoryKind::Unknown;
    std::uint64_t bytes = 0;
    std::uint32_t value = 0;
};

/// A call of the runtime or driver interface.
struct GpuApiCall {
    std::string name; ///< "cudaLaunchKernel"
    std::uint32_t thread = 0;
    std::uint32_t returnValue = 0;
    bool driver = false;
};

/// What of a context a host's wait is for; Other: an event, whose work is not known, or a stream that waits.
enum class WaitsFor : std::uint8_t { Other, Stream, Device };

/// The host waits for the device, or one stream for another.
struct GpuSynchronization {
    std::string name; ///< "host waits for a stream", "stream waits for an event", ...
    std::uint32_t context = 0, stream = 0;
    WaitsFor waitsFor = WaitsFor::Other;
};

/// Time the tracer or the driver took for itself.
struct GpuOverhead {
    std::string name;
};

/// Device memory taken or given back; startNs is the moment.
struct GpuAllocation {
    std::uint32_t device = 0;
    MemoryKind memory = MemoryKind::Unknown;
    std::uint64_t bytes = 0;
    bool release = false;
};

/// Names the work that the API call with this correlation submits: an id given to GpuTracer::push().
struct GpuExternalId {
    std::uint64_t id = 0;
};

struct GpuRecord {
    std::int64_t startNs = 0, endNs = 0;
    std::uint32_t correlation = 0; ///< joins an API call, its external id and the device work it caused
    std::variant<GpuKernel, GpuCopy, GpuMemset, GpuApiCall, GpuSynchronization, GpuOverhead, GpuAllocation,
                 GpuExternalId>
        what;
};

/// A kernel's name as one says it: without result, namespaces, template arguments and parameters.
std::string shortKernelName(const std::string& name);

/// "host to device", "device to host", ...; "pageable", "pinned", ...
const char* copyKindText(CopyKind kind);
const char* memoryKindText(MemoryKind kind);

} // namespace heteroscope::profiling
