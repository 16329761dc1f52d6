// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/counter_lane.h"

#include <algorithm>

namespace heteroscope::profiling {

namespace {

constexpr std::uint32_t kFirstCounterCapacity = 64;

MinMax joined(const MinMax& a, const MinMax& b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

} // namespace

CounterChunk::CounterChunk(std::uint32_t capacity)
    : m_capacity(capacity), m_points(new CounterPoint[capacity]) {
    for (int level = 1; level <= kForestLevels; ++level)
        if (const std::uint32_t blocks = capacity / blockSize(level))
            m_blocks[level - 1].reset(new MinMax[blocks]);
}

void CounterChunk::append(const CounterPoint& point) {
    m_points[m_count++] = point;
    for (int level = 1; level <= kForestLevels && m_count % blockSize(level) == 0; ++level) {
        const std::uint32_t first = m_count - blockSize(level);
        const std::uint32_t step = blockSize(level - 1);
        const auto child = [&](std::uint32_t position) {
            const double value = m_points[position].value;
            return level == 1 ? MinMax{value, value} : block(position, level - 1);
        };
        MinMax all = child(first);
        for (std::uint32_t position = first + step; position < m_count; position += step)
            all = joined(all, child(position));
        m_blocks[level - 1][first >> (3 * level)] = all;
    }
}

std::size_t CounterChunk::bytes() const {
    std::size_t bytes = sizeof(CounterChunk) + sizeof(CounterEntry) + m_capacity * sizeof(CounterPoint);
    for (int level = 1; level <= kForestLevels; ++level)
        bytes += m_capacity / blockSize(level) * sizeof(MinMax);
    return bytes;
}

std::uint64_t CounterView::firstFrom(std::int64_t timeNs) const {
    const auto next = std::partition_point(chunks.begin(), chunks.end(),
                                           [&](const CounterEntry& e) { return e.firstTime < timeNs; });
    if (next == chunks.begin())
        return 0;
    const auto entry = next - 1;
    std::uint32_t low = 0, high = entry->count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (entry->chunk->point(middle).timeNs >= timeNs)
            high = middle;
        else
            low = middle + 1;
    }
    return static_cast<std::uint64_t>(entry - chunks.begin()) * kChunkSpans + low;
}

CounterBin CounterView::takeBin(std::uint64_t& position, std::uint64_t size, std::int64_t t1,
                                double nsPerPixel) const {
    const CounterPoint& start = at(position);
    CounterBin bin{start.timeNs, start.value, start.value, start.value, 0};
    const double limit = std::min(static_cast<double>(start.timeNs) + nsPerPixel, static_cast<double>(t1));
    int level = kForestLevels;
    while (position < size && level >= 0) {
        const std::uint64_t last = position + blockSize(level) - 1;
        const bool first = level == 0 && bin.count == 0; // at least one, however narrow a pixel is
        const bool fits = position % blockSize(level) == 0 && last < size &&
                          (first || static_cast<double>(at(last).timeNs) < limit);
        if (!fits) {
            --level;
            continue;
        }
        const CounterPoint& point = at(last);
        const MinMax range = level == 0
                                 ? MinMax{point.value, point.value}
                                 : chunks[position / kChunkSpans].chunk->block(position % kChunkSpans, level);
        bin.min = std::min(bin.min, range.min);
        bin.max = std::max(bin.max, range.max);
        bin.last = point.value;
        bin.count += blockSize(level);
        position = last + 1;
        if (level < kForestLevels && position % blockSize(level + 1) == 0)
            ++level;
    }
    return bin;
}

void CounterView::query(std::int64_t t0, std::int64_t t1, double nsPerPixel,
                        std::vector<CounterBin>& out) const {
    const std::uint64_t size = this->size();
    std::uint64_t position = firstFrom(t0);
    if (position > 0) { // the value in force at t0
        const CounterPoint& before = at(position - 1);
        out.push_back({before.timeNs, before.value, before.value, before.value, 1});
    }
    while (position < size && at(position).timeNs < t1)
        out.push_back(takeBin(position, size, t1, nsPerPixel));
}

void CounterLane::dropLast(Reclaimer& reclaimer, std::atomic<std::size_t>& bytes) {
    bytes.fetch_sub(m_chunks.back()->bytes(), std::memory_order_relaxed);
    reclaimer.retire(std::move(m_chunks.back()));
    m_chunks.pop_back();
    m_view.chunks.pop_back();
}

void CounterLane::push(const CounterPoint& point, Reclaimer& reclaimer, std::atomic<std::size_t>& bytes) {
    if (m_chunks.empty() || m_chunks.back()->count() == m_chunks.back()->capacity()) {
        const bool grow = !m_chunks.empty() && m_chunks.back()->capacity() < kChunkSpans;
        const std::uint32_t capacity = grow ? LaneChunk::nextCapacity(m_chunks.back()->capacity())
                                            : (m_chunks.empty() ? kFirstCounterCapacity : kChunkSpans);
        auto chunk = std::make_unique<CounterChunk>(capacity);
        bytes.fetch_add(chunk->bytes(), std::memory_order_relaxed);
        if (grow) {
            for (std::uint32_t i = 0; i < m_chunks.back()->count(); ++i)
                chunk->append(m_chunks.back()->point(i));
            dropLast(reclaimer, bytes);
        }
        const std::int64_t firstTime = chunk->count() ? chunk->point(0).timeNs : point.timeNs;
        m_view.chunks.push_back({chunk.get(), chunk->count(), firstTime});
        m_chunks.push_back(std::move(chunk));
    }
    m_chunks.back()->append(point);
    m_view.chunks.back().count = m_chunks.back()->count();
}

void CounterLane::append(const CounterPoint& point, Reclaimer& reclaimer, std::atomic<std::size_t>& bytes) {
    const std::uint64_t size = m_view.size();
    if (size > 0 && point.timeNs < m_view.at(size - 1).timeNs)
        m_late.push_back(point);
    else
        push(point, reclaimer, bytes);
}

void CounterLane::mergeLate(Reclaimer& reclaimer, std::atomic<std::size_t>& bytes) {
    if (m_late.empty())
        return;
    const auto byTime = [](const CounterPoint& a, const CounterPoint& b) { return a.timeNs < b.timeNs; };
    const std::int64_t cut = std::min_element(m_late.begin(), m_late.end(), byTime)->timeNs;
    const std::uint64_t first = m_view.firstFrom(cut) / kChunkSpans * kChunkSpans; // whole chunks
    std::vector<CounterPoint> moved;
    for (std::uint64_t position = first; position < m_view.size(); ++position)
        moved.push_back(m_view.at(position));
    while (m_chunks.size() > first / kChunkSpans)
        dropLast(reclaimer, bytes);
    moved.insert(moved.end(), m_late.begin(), m_late.end());
    m_late.clear();
    std::stable_sort(moved.begin(), moved.end(), byTime);
    for (const CounterPoint& point : moved)
        push(point, reclaimer, bytes);
}

} // namespace heteroscope::profiling
