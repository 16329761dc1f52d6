// SPDX-License-Identifier: Apache-2.0
// The points of one counter in time order, with minimum and maximum per block of 8, 64, 512 and 4096, so that
// a pixel column costs a few blocks. The same publication scheme as lanes of spans.
#pragma once

#include "profiling/trace/lane_chunk.h"
#include "profiling/trace/reclaim.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

struct MinMax {
    double min = 0, max = 0;
};

class CounterChunk {
  public:
    explicit CounterChunk(std::uint32_t capacity);
    void append(const CounterPoint& point);
    std::uint32_t count() const { return m_count; } ///< writer only
    std::uint32_t capacity() const { return m_capacity; }
    std::size_t bytes() const;

    const CounterPoint& point(std::uint32_t position) const { return m_points[position]; }
    const MinMax& block(std::uint32_t position, int level) const {
        return m_blocks[level - 1][position >> (3 * level)];
    }

  private:
    std::uint32_t m_capacity;
    std::uint32_t m_count = 0;
    std::unique_ptr<CounterPoint[]> m_points;
    std::array<std::unique_ptr<MinMax[]>, kForestLevels> m_blocks;
};

struct CounterEntry {
    const CounterChunk* chunk = nullptr;
    std::uint32_t count = 0;
    std::int64_t firstTime = 0;
};

struct CounterView {
    std::vector<CounterEntry> chunks;

    std::uint64_t size() const {
        return chunks.empty() ? 0 : (chunks.size() - 1) * std::uint64_t{kChunkSpans} + chunks.back().count;
    }
    const CounterPoint& at(std::uint64_t position) const {
        return chunks[position / kChunkSpans].chunk->point(position % kChunkSpans);
    }
    /// First position at or after `timeNs`.
    std::uint64_t firstFrom(std::int64_t timeNs) const;
    void query(std::int64_t t0, std::int64_t t1, double nsPerPixel, std::vector<CounterBin>& out) const;

  private:
    CounterBin takeBin(std::uint64_t& position, std::uint64_t size, std::int64_t t1, double nsPerPixel) const;
};

/// Writer side.
class CounterLane {
  public:
    void append(const CounterPoint& point, Reclaimer& reclaimer, std::atomic<std::size_t>& bytes);
    void mergeLate(Reclaimer& reclaimer, std::atomic<std::size_t>& bytes);
    const CounterView& view() const { return m_view; }

  private:
    void push(const CounterPoint& point, Reclaimer& reclaimer, std::atomic<std::size_t>& bytes);
    void dropLast(Reclaimer& reclaimer, std::atomic<std::size_t>& bytes);

    std::vector<std::unique_ptr<CounterChunk>> m_chunks;
    CounterView m_view;
    std::vector<CounterPoint> m_late;
};

} // namespace heteroscope::profiling
