// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/lane_chunk.h"

#include "profiling/trace/name_sums.h"

#include <algorithm>

namespace heteroscope::profiling {

LaneChunk::LaneChunk(std::uint32_t capacity)
    : m_capacity(capacity),
      m_rows(new std::uint32_t[capacity]),
      m_starts(new std::int64_t[capacity / kBlockSpans]),
      m_ends(new std::int64_t[capacity / kBlockSpans]),
      m_busy(new std::int64_t[capacity / kBlockSpans]) {
    for (int level = 1; level <= kForestLevels; ++level)
        if (const std::uint32_t blocks = capacity / blockSize(level))
            m_longest[level - 1].reset(new std::uint16_t[blocks]);
}

LaneChunk::LaneChunk(const LaneChunk& from, std::uint32_t count, std::uint32_t capacity, const SpanRows& rows)
    : LaneChunk(capacity) {
    for (std::uint32_t position = 0; position < count; ++position)
        append(from.m_rows[position], rows);
}

void LaneChunk::append(std::uint32_t row, const SpanRows& rows) {
    const std::uint32_t position = m_count++;
    m_rows[position] = row;
    if (position % kBlockSpans == 0)
        m_starts[position / kBlockSpans] = rows.start(row);
    if (m_count % kBlockSpans == 0)
        closeBlocks(m_count, rows);
    if (m_count == kChunkSpans)
        makeHistogram(rows);
}

void LaneChunk::closeBlocks(std::uint32_t end, const SpanRows& rows) {
    const std::uint32_t block = end / kBlockSpans - 1;
    std::int64_t busy = block ? m_busy[block - 1] : 0;
    for (std::uint32_t position = end - kBlockSpans; position < end; ++position)
        busy = addNs(busy, rows.duration(m_rows[position]));
    m_busy[block] = busy;
    m_ends[block] = rows.end(m_rows[end - 1]);
    for (int level = 1; level <= kForestLevels && end % blockSize(level) == 0; ++level) {
        const std::uint32_t first = end - blockSize(level);
        m_longest[level - 1][first >> (3 * level)] =
            static_cast<std::uint16_t>(longestOf(first, level, rows));
    }
}

std::uint32_t LaneChunk::longestOf(std::uint32_t position, int level, const SpanRows& rows) const {
    const std::uint32_t step = blockSize(level - 1);
    std::uint32_t best = position;
    std::int64_t bestDuration = -1;
    for (std::uint32_t child = position; child < position + blockSize(level); child += step) {
        const std::uint32_t candidate = level == 1 ? child : blockLongest(child, level - 1);
        const std::int64_t duration = rows.duration(m_rows[candidate]);
        if (duration > bestDuration) {
            best = candidate;
            bestDuration = duration;
        }
    }
    return best;
}

std::int64_t LaneChunk::busyBefore(std::uint32_t position, const SpanRows& rows) const {
    const std::uint32_t block = position / kBlockSpans;
    std::int64_t busy = block ? m_busy[block - 1] : 0;
    for (std::uint32_t p = block * kBlockSpans; p < position; ++p)
        busy = addNs(busy, rows.duration(m_rows[p]));
    return busy;
}

void LaneChunk::makeHistogram(const SpanRows& rows) {
    constexpr std::size_t kMostNames = 64;
    NameSums sums;
    for (std::uint32_t position = 0; position < m_count; ++position) {
        const std::uint32_t row = m_rows[position];
        sums.add(rows.name(row), rows.category(row), rows.duration(row));
        if (sums.size() > kMostNames)
            return;
    }
    m_histogram = sums.take();
    m_histogram.shrink_to_fit();
}

std::size_t LaneChunk::bytes() const {
    std::size_t bytes = sizeof(LaneChunk) + m_capacity * sizeof(std::uint32_t) +
                        std::size_t{3} * (m_capacity / kBlockSpans) * sizeof(std::int64_t) +
                        m_histogram.capacity() * sizeof(SpanStats);
    for (int level = 1; level <= kForestLevels; ++level)
        bytes += m_capacity / blockSize(level) * sizeof(std::uint16_t);
    return bytes;
}

} // namespace heteroscope::profiling
