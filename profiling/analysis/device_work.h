// SPDX-License-Identifier: Apache-2.0
// The work of GPUs taken out of a trace: kernels, copies and the host's calls, as the recorder of device work
// writes them (collectors/gpu/gpu_timeline.h has the names of rows, categories and args). Rows are recognised
// by category, so a trace that another tool wrote in the same words is read too. Times in ns on the trace's
// clock.
//
// Pure functions of what the trace has published; any thread. O(n log n) in the spans of the rows read.
#pragma once

#include "profiling/analysis/time_set.h"
#include "profiling/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

using ArgList = std::vector<std::pair<std::string, std::string>>;

/// What a kernel was launched with.
struct KernelShape {
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::int64_t registersPerThread = 0, staticSharedBytes = 0, dynamicSharedBytes = 0;
    std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
    std::int64_t threadsPerBlock() const { return block[0] * block[1] * block[2]; }
    bool operator==(const KernelShape&) const = default;
};
/// Nothing unless grid, block and registers are there and are sensible numbers.
std::optional<KernelShape> kernelShape(const ArgList& args);

struct DeviceKernel {
    NsRange time;
    SpanRef span;
    std::uint32_t name = 0;                  ///< a string of the trace
    std::uint32_t op = 0;                    ///< into DeviceWork::ops
    std::uint32_t args = 0;                  ///< an argument set of the trace
    std::optional<std::int64_t> launchEndNs; ///< end of the call that launched it, when it is known
};

enum class CopyRoute : std::uint8_t {
    HostToDevice,
    DeviceToHost,
    OnDevice,
    BetweenDevices,
    HostToHost,
    Other
};
constexpr std::size_t kCopyRoutes = 6;
const char* copyRouteName(CopyRoute route); ///< "host to device" ...; words of a phrase

/// What the category of a copy's span says, such as "copy host to device, pinned"; nothing for other spans.
struct CopyCategory {
    CopyRoute route = CopyRoute::Other;
    std::string memory; ///< of the host; empty when no host memory takes part
};
std::optional<CopyCategory> copyCategory(std::string_view category);
/// Bytes of a copy from its args; 0 when they do not say.
std::int64_t copyBytes(const ArgList& args);

struct DeviceCopy {
    NsRange time;
    SpanRef span;
    std::int64_t bytes = 0;
    CopyRoute route = CopyRoute::Other;
    std::uint32_t memory = 0; ///< into DeviceWork::memories: "pageable", "pinned", ...; 0 when no host memory
    std::uint32_t op = 0;
    std::uint32_t phase = 0; ///< into DeviceWork::phases: what of the op it was for
    std::optional<std::int64_t> launchEndNs;
};

/// A call of the host into the runtime or driver that gives the device work or waits for it.
enum class CallKind : std::uint8_t { Launch, Copy, Wait };
struct HostCall {
    NsRange time;
    SpanRef span;
    CallKind kind = CallKind::Launch;
};

/// A time in which a device's clocks were lower than they could be.
struct ClockHold {
    NsRange time;
    SpanRef span;
    std::string device; ///< "cuda:0"; empty when the row lies in no device's group
    std::string reason; ///< "power limit", "power limit, heat", ...; "nothing runs" when idle
    bool idle = false;
};

struct DeviceWork {
    std::vector<DeviceKernel> kernels; ///< by start, like the lists below
    std::vector<DeviceCopy> copies;    ///< copies; memory sets are only in `memorySets`
    std::vector<NsRange> memorySets;
    std::vector<HostCall> calls;
    std::vector<ClockHold> clocks;
    std::vector<NsRange> overhead;                  ///< of the profiler and of first use
    TrackId overheadTrack = kNoTrack;               ///< the row of `overhead`
    std::vector<std::string> ops{std::string()};    ///< [0]: not known
    std::vector<std::string> phases{std::string()}; ///< "operands", "copy in", ...; [0]: none or not known
    std::vector<std::string> memories{std::string()};
    std::uint64_t withoutLaunch = 0; ///< kernels and copies whose call is not known

    bool any() const { return !kernels.empty() || !copies.empty() || !memorySets.empty(); }
    TimeSet kernelTime() const;
    TimeSet copyTime() const; ///< copies and memory sets
};

DeviceWork deviceWork(const Trace& trace);

/// What a call does, from its name in the CUDA runtime or driver; nothing for calls that neither submit work
/// nor wait.
std::optional<CallKind> callKind(const std::string& name);

} // namespace heteroscope::profiling
