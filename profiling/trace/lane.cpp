// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/lane.h"

#include <algorithm>

namespace heteroscope::profiling {

namespace {

constexpr std::uint32_t kFirstSpanCapacity = 64;

/// First position in [low, high) for which `isAfter` holds; it must be monotone.
template <class Predicate>
std::uint32_t partitionPoint(std::uint32_t low, std::uint32_t high, Predicate isAfter) {
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (isAfter(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

} // namespace

LanePosition LaneView::firstEndingAfter(std::int64_t timeNs, const SpanRows& rows) const {
    const auto entry = std::partition_point(chunks.begin(), chunks.end(),
                                            [&](const ChunkEntry& e) { return e.lastEnd <= timeNs; });
    if (entry == chunks.end())
        return size();
    const LaneChunk& chunk = *entry->chunk;
    const std::uint32_t blocks = entry->count / kBlockSpans;
    const std::uint32_t block = partitionPoint(
        0, blocks, [&](std::uint32_t b) { return chunk.blockEnd(b * kBlockSpans, 1) > timeNs; });
    std::uint32_t position = block * kBlockSpans;
    while (position < entry->count && rows.end(chunk.row(position)) <= timeNs)
        ++position;
    return static_cast<LanePosition>(entry - chunks.begin()) * kChunkSpans + position;
}

LanePosition LaneView::firstStartingFrom(std::int64_t timeNs, const SpanRows& rows) const {
    const auto next = std::partition_point(chunks.begin(), chunks.end(),
                                           [&](const ChunkEntry& e) { return e.firstStart < timeNs; });
    if (next == chunks.begin())
        return 0;
    const auto entry = next - 1;
    const LaneChunk& chunk = *entry->chunk;
    const std::uint32_t position =
        partitionPoint(0, entry->count, [&](std::uint32_t p) { return rows.start(chunk.row(p)) >= timeNs; });
    return static_cast<LanePosition>(entry - chunks.begin()) * kChunkSpans + position;
}

void Lane::replaceLast(std::unique_ptr<LaneChunk> chunk, Reclaimer& reclaimer,
                       std::atomic<std::size_t>& bytes) {
    bytes.fetch_sub(m_chunks.back()->bytes(), std::memory_order_relaxed);
    reclaimer.retire(std::move(m_chunks.back()));
    m_chunks.back() = std::move(chunk);
    m_view.chunks.back().chunk = m_chunks.back().get();
    bytes.fetch_add(m_chunks.back()->bytes(), std::memory_order_relaxed);
}

void Lane::append(std::uint32_t row, const SpanRows& rows, Reclaimer& reclaimer,
                  std::atomic<std::size_t>& bytes) {
    const std::int64_t start = rows.start(row);
    const std::int64_t end = std::max(rows.end(row), m_lastEnd);
    if (m_chunks.empty() || m_chunks.back()->count() == kChunkSpans) {
        m_chunks.push_back(std::make_unique<LaneChunk>(m_chunks.empty() ? kFirstSpanCapacity : kChunkSpans));
        bytes.fetch_add(m_chunks.back()->bytes() + sizeof(ChunkEntry), std::memory_order_relaxed);
        m_view.chunks.push_back({m_chunks.back().get(), 0, start, end});
    } else if (const LaneChunk& last = *m_chunks.back(); last.count() == last.capacity()) {
        replaceLast(
            std::make_unique<LaneChunk>(last, last.count(), LaneChunk::nextCapacity(last.capacity()), rows),
            reclaimer, bytes);
    }
    m_chunks.back()->append(row, rows);
    m_view.chunks.back().count = m_chunks.back()->count();
    m_view.chunks.back().lastEnd = end;
    m_lastStart = start;
    m_lastEnd = end;
}

void Lane::cutFrom(std::int64_t timeNs, const SpanRows& rows, Reclaimer& reclaimer,
                   std::atomic<std::size_t>& bytes, std::vector<std::uint32_t>& removed) {
    const LanePosition cut = m_view.firstStartingFrom(timeNs, rows);
    const LanePosition size = m_view.size();
    if (cut == size)
        return;
    for (LanePosition position = cut; position < size; ++position)
        removed.push_back(m_view.rowAt(position));
    const auto kept = static_cast<std::uint32_t>(cut % kChunkSpans);
    const std::size_t keptChunks = cut / kChunkSpans + (kept ? 1 : 0);
    while (m_chunks.size() > keptChunks) {
        bytes.fetch_sub(m_chunks.back()->bytes() + sizeof(ChunkEntry), std::memory_order_relaxed);
        reclaimer.retire(std::move(m_chunks.back()));
        m_chunks.pop_back();
        m_view.chunks.pop_back();
    }
    if (kept) {
        const LaneChunk& last = *m_chunks.back();
        replaceLast(std::make_unique<LaneChunk>(last, kept, last.capacity(), rows), reclaimer, bytes);
        m_view.chunks.back().count = kept;
    }
    const bool any = !m_chunks.empty();
    const std::uint32_t lastRow = any ? m_view.rowAt(cut - 1) : 0;
    m_lastStart = any ? rows.start(lastRow) : std::numeric_limits<std::int64_t>::min();
    m_lastEnd = any ? rows.end(lastRow) : std::numeric_limits<std::int64_t>::min();
    if (any)
        m_view.chunks.back().lastEnd = m_lastEnd;
}

} // namespace heteroscope::profiling
