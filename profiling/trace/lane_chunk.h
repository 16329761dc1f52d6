// SPDX-License-Identifier: Apache-2.0
// Up to 4096 spans of one lane in time order, with the implicit forest over them: blocks of 8, 64, 512 and
// 4096 spans know their extent, their busy time and their longest span. Filled in place by the writer;
// readers see the prefix that was published and only use blocks that are complete in it.
#pragma once

#include "profiling/trace/span_rows.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

constexpr std::uint32_t kChunkSpans = 4096;
constexpr std::uint32_t kBlockSpans = 8; ///< fan-out of the forest
constexpr int kForestLevels = 4;

/// Sums of durations. They stay below the extent of the lane, except in the lane that is shared when too many
/// spans are open at once: there, absurd durations may wrap instead of being undefined.
constexpr std::int64_t addNs(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t subtractNs(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

constexpr std::uint32_t blockSize(int level) {
    return 1u << (3 * level);
}

class LaneChunk {
  public:
    explicit LaneChunk(std::uint32_t capacity); ///< 64, 512 or 4096
    /// A larger chunk that begins with the first `count` spans of another.
    LaneChunk(const LaneChunk& from, std::uint32_t count, std::uint32_t capacity, const SpanRows& rows);

    void append(std::uint32_t row, const SpanRows& rows);
    std::uint32_t count() const { return m_count; } ///< writer only
    std::uint32_t capacity() const { return m_capacity; }
    std::size_t bytes() const;
    static constexpr std::uint32_t nextCapacity(std::uint32_t capacity) { return capacity * 8; }

    // Readers. A block is named by its level and the position of its first span.
    std::uint32_t row(std::uint32_t position) const { return m_rows[position]; }
    std::int64_t blockStart(std::uint32_t position) const { return m_starts[position / kBlockSpans]; }
    std::int64_t blockEnd(std::uint32_t position, int level) const {
        return m_ends[(position + blockSize(level)) / kBlockSpans - 1];
    }
    std::int64_t blockBusy(std::uint32_t position, int level) const {
        const std::uint32_t first = position / kBlockSpans;
        const std::int64_t before = first ? m_busy[first - 1] : 0;
        return subtractNs(m_busy[(position + blockSize(level)) / kBlockSpans - 1], before);
    }
    /// Position of the longest span of a block.
    std::uint32_t blockLongest(std::uint32_t position, int level) const {
        return m_longest[level - 1][position >> (3 * level)];
    }
    /// Busy time of all spans before `position`; `rows` for the spans of an incomplete block.
    std::int64_t busyBefore(std::uint32_t position, const SpanRows& rows) const;

    /// Sums by name of a full chunk; empty when not full, or when there are too many names to keep them.
    const std::vector<SpanStats>& histogram() const { return m_histogram; }

  private:
    void closeBlocks(std::uint32_t end, const SpanRows& rows);
    std::uint32_t longestOf(std::uint32_t position, int level, const SpanRows& rows) const;
    void makeHistogram(const SpanRows& rows);

    std::uint32_t m_capacity;
    std::uint32_t m_count = 0;
    std::unique_ptr<std::uint32_t[]> m_rows;
    std::unique_ptr<std::int64_t[]> m_starts, m_ends, m_busy; ///< per block of 8; busy is a running sum
    std::array<std::unique_ptr<std::uint16_t[]>, kForestLevels> m_longest;
    std::vector<SpanStats> m_histogram;
};

} // namespace heteroscope::profiling
