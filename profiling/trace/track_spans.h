// SPDX-License-Identifier: Apache-2.0
// The spans of one track: rows in order of arrival, laid out into lanes. Nested spans go one lane down,
// overlapping ones to the next free lane; spans that arrive late are merged in by mergeLate(). Writer only.
#pragma once

#include "profiling/trace/lane.h"
#include "profiling/trace/span_rows.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace heteroscope::profiling {

/// More spans open at once than this share the last lane.
constexpr std::uint16_t kMaxLanes = 1024;

class TrackSpans {
  public:
    explicit TrackSpans(std::atomic<std::size_t>& bytes) : m_bytes(bytes) {}

    /// Returns the row. The span is laid out at once when it comes in order, else by mergeLate().
    std::uint32_t append(const Span& span, Reclaimer& reclaimer);
    void mergeLate(Reclaimer& reclaimer);

    const SpanRows& rows() const { return m_rows; }
    std::vector<LaneView> views() const;
    bool overflowed() const { return m_overflowed; } ///< some span had to share the last lane

  private:
    bool comesInOrder(std::uint32_t row) const;
    void place(std::uint32_t row, Reclaimer& reclaimer);
    std::size_t laneFor(std::int64_t start, std::int64_t end, std::uint8_t hint) const;

    std::atomic<std::size_t>& m_bytes;
    SpanRows m_rows;
    std::vector<Lane> m_lanes;
    std::vector<std::uint32_t> m_late;
    std::int64_t m_maxStart = std::numeric_limits<std::int64_t>::min();
    std::int64_t m_endAtMaxStart = std::numeric_limits<std::int64_t>::max();
    bool m_overflowed = false;
};

} // namespace heteroscope::profiling
