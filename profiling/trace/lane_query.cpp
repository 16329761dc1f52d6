// SPDX-License-Identifier: Apache-2.0
// From a lane to what is drawn: one walk over blocks, never below a pixel.
#include "profiling/trace/trace_impl.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::profiling {

using Reading = Reclaimer::Reading;

namespace {

/// Walks a lane and joins runs of spans that are narrower than a pixel. A block whose whole extent fits into
/// what is left of the pixel is taken at once; when it does not fit and the group fills more than half a
/// pixel, the group ends there, so that a walk over dense data goes from large block to large block.
class LaneWalk {
  public:
    LaneWalk(const SpanRows& rows, const LaneView& lane, TrackId track, std::uint16_t laneIndex,
             std::int64_t t1, double nsPerPixel)
        : m_rows(rows),
          m_lane(lane),
          m_track(track),
          m_laneIndex(laneIndex),
          m_t1(t1),
          m_room(roomOf(nsPerPixel)),
          m_size(lane.size()) {}

    void run(LanePosition position, std::vector<DrawSpan>& out) {
        m_position = position;
        while (m_position < m_size) {
            const std::uint32_t row = m_lane.rowAt(m_position);
            if (m_rows.start(row) >= m_t1)
                return;
            out.push_back(single(row));
            ++m_position;
            if (out.back().endNs - out.back().startNs <= m_room)
                extend(out.back());
        }
    }

  private:
    /// The longest that is still narrower than a pixel; below zero when not even an instant is.
    static std::int64_t roomOf(double nsPerPixel) {
        constexpr double kWidest = 4.6e18; // beyond any two times of a store, and their sum fits
        return nsPerPixel > 0 ? static_cast<std::int64_t>(std::ceil(std::min(nsPerPixel, kWidest))) - 1 : -1;
    }
    DrawSpan single(std::uint32_t row) const {
        const std::int64_t start = m_rows.start(row), duration = m_rows.duration(row);
        return {start,
                start + duration,
                duration,
                1,
                {m_track, m_laneIndex, row},
                m_rows.name(row),
                m_rows.category(row)};
    }

    /// Adds what follows while the group stays narrower than a pixel.
    void extend(DrawSpan& group) {
        m_longest = group.busyNs;
        const std::int64_t limit = group.startNs + m_room;
        for (bool first = true; m_position < m_size; first = false) {
            const ChunkEntry& entry = m_lane.chunks[m_position / kChunkSpans];
            const auto offset = static_cast<std::uint32_t>(m_position % kChunkSpans);
            const std::uint32_t row = entry.chunk->row(offset);
            const SpanRows::Times times = m_rows.times(row);
            if (times.end > limit || times.start >= m_t1)
                break;
            const int level = offset % kBlockSpans == 0 ? fittingLevel(entry, offset, limit) : 0;
            if (level > 0)
                addBlock(group, *entry.chunk, offset, level);
            else if (!first && offset % kBlockSpans == 0 && group.endNs - group.startNs > m_room / 2)
                break;
            else
                addSpan(group, row, times);
        }
        group.name = m_rows.name(group.longest.index);
        group.category = m_rows.category(group.longest.index);
    }

    /// The largest aligned block at the position that still fits into the group; 0 when none does.
    int fittingLevel(const ChunkEntry& entry, std::uint32_t offset, std::int64_t limit) const {
        int best = 0;
        while (best < kForestLevels) {
            const std::uint32_t size = blockSize(best + 1);
            if (offset % size != 0 || offset + size > entry.count)
                break;
            const std::int64_t end = entry.chunk->blockEnd(offset, best + 1);
            if (end > limit || end > m_t1)
                break;
            ++best;
        }
        return best;
    }

    void take(DrawSpan& group, std::uint32_t row, std::int64_t durationNs) {
        if (durationNs > m_longest) {
            m_longest = durationNs;
            group.longest.index = row;
        }
    }
    void addSpan(DrawSpan& group, std::uint32_t row, const SpanRows::Times& times) {
        ++m_position;
        group.endNs = std::max(group.endNs, times.end);
        group.busyNs = addNs(group.busyNs, times.end - times.start);
        ++group.count;
        take(group, row, times.end - times.start);
    }
    void addBlock(DrawSpan& group, const LaneChunk& chunk, std::uint32_t offset, int level) {
        group.endNs = std::max(group.endNs, chunk.blockEnd(offset, level));
        group.busyNs = addNs(group.busyNs, chunk.blockBusy(offset, level));
        group.count += blockSize(level);
        const std::uint32_t row = chunk.row(chunk.blockLongest(offset, level));
        take(group, row, m_rows.duration(row));
        m_position += blockSize(level);
    }

    const SpanRows& m_rows;
    const LaneView& m_lane;
    TrackId m_track;
    std::uint16_t m_laneIndex;
    std::int64_t m_t1;
    std::int64_t m_room;
    LanePosition m_size, m_position = 0;
    std::int64_t m_longest = 0;
};

} // namespace

void Trace::query(TrackId track, std::uint16_t lane, std::int64_t t0, std::int64_t t1, double nsPerPixel,
                  std::vector<DrawSpan>& out) const {
    const Reading reading(m_impl->reclaimer);
    const TrackData* const data = m_impl->find(track);
    const TrackView* const view = Impl::viewOf(data);
    if (!view || lane >= view->lanes.size())
        return;
    const SpanRows& rows = data->spans.rows();
    LanePosition first = view->lanes[lane].firstEndingAfter(t0, rows);
    // Spans of no duration at t0 itself touch the range as well.
    while (first > 0 && rows.start(view->lanes[lane].rowAt(first - 1)) >= t0)
        --first;
    LaneWalk(rows, view->lanes[lane], track, lane, t1, nsPerPixel).run(first, out);
}

void Trace::queryCounter(TrackId track, std::int64_t t0, std::int64_t t1, double nsPerPixel,
                         std::vector<CounterBin>& out) const {
    const Reading reading(m_impl->reclaimer);
    if (const TrackView* const view = Impl::viewOf(m_impl->find(track)))
        view->counter.query(t0, t1, nsPerPixel, out);
}

SpanRef Trace::at(TrackId track, std::uint16_t lane, std::int64_t timeNs, std::int64_t slackNs) const {
    const Reading reading(m_impl->reclaimer);
    const TrackData* const data = m_impl->find(track);
    const TrackView* const view = Impl::viewOf(data);
    if (!view || lane >= view->lanes.size())
        return {};
    const LaneView& spans = view->lanes[lane];
    const SpanRows& rows = data->spans.rows();
    const LanePosition next = spans.firstEndingAfter(timeNs, rows);
    SpanRef best;
    std::int64_t bestDistance = std::max<std::int64_t>(slackNs, 0);
    const auto consider = [&](LanePosition position) {
        const std::uint32_t row = spans.rowAt(position);
        const std::int64_t distance = std::max<std::int64_t>(
            {subtractNs(rows.start(row), timeNs), subtractNs(timeNs, rows.end(row)), 0});
        if (distance < bestDistance || (distance == bestDistance && !best.valid())) {
            best = {track, lane, row};
            bestDistance = distance;
        }
    };
    if (next < spans.size())
        consider(next);
    if (next > 0 && !(best.valid() && bestDistance == 0))
        consider(next - 1);
    return best;
}

} // namespace heteroscope::profiling
