// SPDX-License-Identifier: Apache-2.0
// How data moved between host and device so far, kept up to date while a trace grows: each call looks only at
// the copies that came since the last one. For a finished trace, transferBreakdown() says more; like there,
// the recorder's own copies (kLinkProbeOp) are left out.
//
// Times in ns, sizes in bytes, rates in GB/s (10^9 bytes a second). One thread at a time; it may be the
// trace's writer or a reader.
#pragma once

#include "profiling/analysis/device_work.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

/// The length of a union of intervals that come one after the other, mostly in order of start. The latest
/// kKept to 2 * kKept stretches are kept apart; one that begins before those counts from their first on, so
/// that memory and the cost of adding stay bounded.
class RunningUnion {
  public:
    static constexpr std::size_t kKept = 4096;

    void add(NsRange range);
    std::int64_t lengthNs() const { return m_lengthNs; }

  private:
    TimeSet m_latest;
    std::int64_t m_lengthNs = 0;
    std::optional<std::int64_t> m_settledNs; ///< stretches that end before are no longer kept apart
};

struct LiveTransferGroup {
    CopyRoute route = CopyRoute::Other;
    std::string memory; ///< of the host; empty when no host memory takes part
    std::int64_t count = 0, bytes = 0;
    std::int64_t busyNs = 0; ///< union

    double gbPerS() const;                     ///< bytes / busyNs; 0 without time
    double shareOf(std::int64_t wallNs) const; ///< busyNs / wallNs; 0 without time
};

struct LiveTransfers {
    std::int64_t wallNs = 0; ///< length of the trace so far
    std::int64_t count = 0, bytes = 0;
    std::int64_t busyNs = 0;               ///< union of all copies
    std::vector<LiveTransferGroup> groups; ///< by route, then by memory: rows keep their order
};

class TransferWatch {
  public:
    /// Takes in what the trace has published since the last call, always of the same trace.
    void update(const Trace& trace);
    LiveTransfers now() const;

  private:
    struct Sums {
        std::int64_t count = 0, bytes = 0;
        RunningUnion busy;
    };
    struct Copy {
        NsRange time;
        std::int64_t bytes = 0;
        Sums* group = nullptr;
    };

    void take(const Trace& trace, const Span& span, std::vector<Copy>& copies);
    /// Bytes of the copies with these args; nothing for the recorder's own.
    std::optional<std::int64_t> bytesOf(const Trace& trace, std::uint32_t args);

    std::map<std::pair<CopyRoute, std::string>, Sums> m_groups;
    Sums m_all;
    std::int64_t m_wallNs = 0;
    std::vector<TrackId> m_rows;        ///< that may hold copies
    std::vector<std::uint32_t> m_taken; ///< spans of each
    TrackId m_tracksSeen = 0;
    std::unordered_map<StringId, Sums*> m_categories;                       ///< null: no copy
    std::unordered_map<std::uint32_t, std::optional<std::int64_t>> m_bytes; ///< by argument set
};

} // namespace heteroscope::profiling
