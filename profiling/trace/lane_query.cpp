// SPDX-License-Identifier: Apache-2.0
// From a lane to what is drawn: one walk over blocks, never below a pixel.
#include "profiling/trace/trace_impl.h"

#include <algorithm>

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
          m_pixel(nsPerPixel),
          m_size(lane.size()) {}

    void run(LanePosition position, std::vector<DrawSpan>& out) {
        m_position = position;
        while (m_position < m_size) {
            const std::uint32_t row = m_lane.rowAt(m_position);
            if (m_rows.start(row) >= m_t1)
                return;
            out.push_back(single(row));
            ++m_position;
            if (narrow(out.back().startNs, out.back().endNs))
                extend(out.back());
        }
    }

  private:
    bool narrow(std::int64_t from, std::int64_t to) const { return static_cast<double>(to - from) < m_pixel; }
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
        while (m_position < m_size) {
            const int level = fittingLevel(group.startNs);
            if (level < 0)
                break;
            if (level == 0)
                addSpan(group);
            else
                addBlock(group, level);
            const bool blockAhead = m_position < m_size && m_position % kBlockSpans == 0;
            if (blockAhead && static_cast<double>(group.endNs - group.startNs) * 2 > m_pixel)
                if (fittingLevel(group.startNs) < 1)
                    break;
        }
        group.name = m_rows.name(group.longest.index);
        group.category = m_rows.category(group.longest.index);
    }

    /// The largest aligned block at the position that still fits into the group; -1 when not even a span
    /// does.
    int fittingLevel(std::int64_t groupStart) const {
        const ChunkEntry& entry = m_lane.chunks[m_position / kChunkSpans];
        const auto offset = static_cast<std::uint32_t>(m_position % kChunkSpans);
        int best = -1;
        const std::uint32_t row = entry.chunk->row(offset);
        if (narrow(groupStart, m_rows.end(row)) && m_rows.start(row) < m_t1)
            best = 0;
        while (best >= 0 && best < kForestLevels) {
            const std::uint32_t size = blockSize(best + 1);
            if (offset % size != 0 || offset + size > entry.count)
                break;
            const std::int64_t end = entry.chunk->blockEnd(offset, best + 1);
            if (!narrow(groupStart, end) || end > m_t1)
                break;
            ++best;
        }
        return best;
    }

    void take(DrawSpan& group, std::uint32_t row) {
        if (m_rows.duration(row) > m_longest) {
            m_longest = m_rows.duration(row);
            group.longest.index = row;
        }
    }
    void addSpan(DrawSpan& group) {
        const std::uint32_t row = m_lane.rowAt(m_position++);
        group.endNs = std::max(group.endNs, m_rows.end(row));
        group.busyNs = addNs(group.busyNs, m_rows.duration(row));
        ++group.count;
        take(group, row);
    }
    void addBlock(DrawSpan& group, int level) {
        const LaneChunk& chunk = *m_lane.chunks[m_position / kChunkSpans].chunk;
        const auto offset = static_cast<std::uint32_t>(m_position % kChunkSpans);
        group.endNs = std::max(group.endNs, chunk.blockEnd(offset, level));
        group.busyNs = addNs(group.busyNs, chunk.blockBusy(offset, level));
        group.count += blockSize(level);
        take(group, chunk.row(chunk.blockLongest(offset, level)));
        m_position += blockSize(level);
    }

    const SpanRows& m_rows;
    const LaneView& m_lane;
    TrackId m_track;
    std::uint16_t m_laneIndex;
    std::int64_t m_t1;
    double m_pixel;
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
