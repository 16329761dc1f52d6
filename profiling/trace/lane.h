// SPDX-License-Identifier: Apache-2.0
// A lane: spans of a track that do not overlap, as a list of chunks. The writer's Lane grows; a LaneView is
// the immutable list that readers get with each publication.
#pragma once

#include "profiling/trace/lane_chunk.h"
#include "profiling/trace/reclaim.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

struct ChunkEntry {
    const LaneChunk* chunk = nullptr;
    std::uint32_t count = 0; ///< spans of the chunk that are visible
    std::int64_t firstStart = 0, lastEnd = 0;
};

/// Position of a span in a lane: all chunks but the last are full.
using LanePosition = std::uint64_t;

struct LaneView {
    std::vector<ChunkEntry> chunks;

    LanePosition size() const {
        return chunks.empty() ? 0 : (chunks.size() - 1) * LanePosition{kChunkSpans} + chunks.back().count;
    }
    std::uint32_t rowAt(LanePosition position) const {
        return chunks[position / kChunkSpans].chunk->row(position % kChunkSpans);
    }
    /// First position whose span ends after `timeNs`; size() when there is none.
    LanePosition firstEndingAfter(std::int64_t timeNs, const SpanRows& rows) const;
    /// First position whose span starts at or after `timeNs`; size() when there is none.
    LanePosition firstStartingFrom(std::int64_t timeNs, const SpanRows& rows) const;
};

class Lane {
  public:
    /// The span must start at or after lastEnd(), except in the overflow lane.
    void append(std::uint32_t row, const SpanRows& rows, Reclaimer& reclaimer,
                std::atomic<std::size_t>& bytes);
    /// Removes every span that starts at or after `timeNs` and adds their rows to `removed`. Chunks that
    /// readers may hold are replaced, never changed.
    void cutFrom(std::int64_t timeNs, const SpanRows& rows, Reclaimer& reclaimer,
                 std::atomic<std::size_t>& bytes, std::vector<std::uint32_t>& removed);

    std::int64_t lastStart() const { return m_lastStart; }
    std::int64_t lastEnd() const { return m_lastEnd; }
    LaneView view() const { return m_view; }

  private:
    void replaceLast(std::unique_ptr<LaneChunk> chunk, Reclaimer& reclaimer, std::atomic<std::size_t>& bytes);

    std::vector<std::unique_ptr<LaneChunk>> m_chunks;
    LaneView m_view;
    std::int64_t m_lastStart = std::numeric_limits<std::int64_t>::min();
    std::int64_t m_lastEnd = std::numeric_limits<std::int64_t>::min();
};

} // namespace heteroscope::profiling
