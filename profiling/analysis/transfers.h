// SPDX-License-Identifier: Apache-2.0
// How data moved between host and device in some part of a trace: by direction and host memory, and by op.
// Times in ns, sizes in bytes, rates in GB/s (10^9 bytes a second). Pure functions; any thread.
//
// The recorder's own copies (kLinkProbeOp) are in `peaks` alone. A copy counts when it touches the range; of
// one that crosses an edge, time and bytes count in proportion to what lies inside. `busyNs` is the union of
// a group's copies, so that copies which run at the same time count once; a group's rate is its bytes over
// that time. Shares say what they are of.
#pragma once

#include "profiling/analysis/device_work.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Copies of at least `lowBytes` and less than twice that; the first bin also holds those of 0 bytes.
struct SizeBin {
    std::int64_t lowBytes = 1, count = 0, bytes = 0;
    std::int64_t busyNs = 0; ///< union
};

struct TransferGroup {
    CopyRoute route = CopyRoute::Other;
    std::string memory; ///< of the host: "pageable", "pinned", ...; empty when no host memory takes part
    std::int64_t count = 0, bytes = 0;
    std::int64_t busyNs = 0;         ///< union
    std::int64_t underKernelsNs = 0; ///< part of busyNs in which a kernel ran as well
    std::vector<SizeBin> sizes;      ///< by size; only bins with copies

    double meanBytes() const;
    double gbPerS() const;                     ///< bytes / busyNs; 0 without time
    double overlapShare() const;               ///< underKernelsNs / busyNs, 0 to 1
    double shareOf(std::int64_t wallNs) const; ///< busyNs / wallNs, 0 to 1
};

/// All copies of an operation, or of a phase of it. `busyNs` is their union.
struct OpTransfers {
    std::string op;    ///< empty: not known
    std::string phase; ///< "operands", "copy in", ...; empty: of the op itself, or not told apart
    std::int64_t count = 0, bytes = 0, busyNs = 0;

    double shareOf(std::int64_t wallNs) const; ///< busyNs / wallNs, 0 to 1
};

/// The op that the recorder's own large copies carry: they measure the link and are no part of what moved.
inline constexpr const char* kLinkProbeOp = "link probe";

/// The best rate of a single copy in a direction, the recorder's own included: what the link is known to
/// give.
struct LinkPeak {
    double gbPerS = 0;
    std::int64_t bytes = 0; ///< of that copy
    std::string memory;     ///< of that copy
    SpanRef span;
};

struct TransferBreakdown {
    std::int64_t wallNs = 0; ///< length of the range: what shares of wall time are of
    std::int64_t busyNs = 0; ///< union of all copies
    std::int64_t underKernelsNs = 0;
    std::vector<TransferGroup> groups; ///< by route, then largest time first
    std::vector<OpTransfers> ops;      ///< without phases, largest time first
    std::vector<OpTransfers> phases;   ///< the same copies by op and phase, largest time first
    /// By route, from the whole trace; nothing when no copy of at least kLargeCopyBytes went that way:
    /// smaller ones measure latency, not the link.
    std::array<std::optional<LinkPeak>, kCopyRoutes> peaks;
};

/// At 55 GB/s (a PCIe 5.0 x16 link, measured with pinned memory) 1 MiB takes 19 us, more than ten times the
/// 1.4 us that a copy of 16 bytes takes.
constexpr std::int64_t kLargeCopyBytes = 1 << 20;

TransferBreakdown transferBreakdown(const DeviceWork& work, const TimeSet& range);

} // namespace heteroscope::profiling
