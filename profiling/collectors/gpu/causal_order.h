// SPDX-License-Identifier: Apache-2.0
// Whether the times of host and device, which two clocks gave, agree with what caused what: no work begins
// before the call that launched it began, and none ends after a wait for it has ended. Waits for a stream or
// for the whole device count; a wait for an event does not say which work it is for. One thread.
#pragma once

#include "profiling/collectors/gpu/gpu_record.h"

#include <cstdint>
#include <map>
#include <utility>

namespace heteroscope::profiling {

struct CausalCounts {
    std::uint64_t pairs = 0;      ///< of a call and its work, and of work and the first wait for it
    std::uint64_t violations = 0; ///< of these, with the effect before its cause
    std::int64_t largestByNs = 0; ///< how far the worst is off
};

class CausalOrder {
  public:
    /// Work on a device, and the call that launched it. Records may come in any order.
    void work(const GpuPlace& place, std::int64_t callStartNs, std::int64_t callEndNs, std::int64_t startNs,
              std::int64_t endNs);
    /// A wait of the host; those for events are passed over.
    void wait(const GpuSynchronization& wait, std::int64_t startNs, std::int64_t endNs);

    const CausalCounts& counts() const { return m_counts; }

    /// Work that no wait was seen for is forgotten beyond so many, and so are the oldest waits.
    static constexpr std::size_t kMostKept = std::size_t{1} << 16;

  private:
    struct Times {
        std::int64_t startNs = 0, endNs = 0;
    };
    struct Stream {
        std::multimap<std::int64_t, std::int64_t> open;  ///< end of the launching call -> end of the work
        std::multimap<std::int64_t, std::int64_t> waits; ///< start -> end
    };
    using Key = std::pair<std::uint32_t, std::uint32_t>; ///< context and stream

    void count(std::int64_t causeNs, std::int64_t effectNs);
    void resolve(Stream& stream, const Times& wait);
    static void keepFew(std::multimap<std::int64_t, std::int64_t>& kept);

    std::map<Key, Stream> m_streams;
    std::map<std::uint32_t, std::multimap<std::int64_t, std::int64_t>> m_deviceWaits; ///< by context
    CausalCounts m_counts;
};

} // namespace heteroscope::profiling
