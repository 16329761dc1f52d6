// SPDX-License-Identifier: Apache-2.0
// Sums over a time range: statistics by name and the union of busy time.
#include "profiling/trace/name_sums.h"
#include "profiling/trace/trace_impl.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::profiling {

using Reading = Reclaimer::Reading;

namespace {

/// Adds what lies in [t0, t1): full chunks inside the range by their sums, the rest span by span, clipped.
void addLane(const SpanRows& rows, const LaneView& lane, std::int64_t t0, std::int64_t t1, NameSums& sums) {
    LanePosition position = lane.firstEndingAfter(t0, rows);
    while (position > 0 && rows.start(lane.rowAt(position - 1)) >= t0)
        --position;
    const LanePosition end = lane.firstStartingFrom(t1, rows);
    while (position < end) {
        const ChunkEntry& entry = lane.chunks[position / kChunkSpans];
        const bool inside = position % kChunkSpans == 0 && entry.count == kChunkSpans &&
                            entry.firstStart >= t0 && entry.lastEnd <= t1;
        if (inside && !entry.chunk->histogram().empty()) {
            for (const SpanStats& name : entry.chunk->histogram())
                sums.add(name);
            position += kChunkSpans;
            continue;
        }
        const std::uint32_t row = lane.rowAt(position++);
        const std::int64_t from = std::max(rows.start(row), t0), to = std::min(rows.end(row), t1);
        sums.add(rows.name(row), rows.category(row), std::max<std::int64_t>(to - from, 0));
    }
}

/// Time of [t0, t1) that spans of one lane cover, from running sums.
std::int64_t busyOfLane(const SpanRows& rows, const LaneView& lane, std::int64_t t0, std::int64_t t1) {
    const LanePosition first = lane.firstEndingAfter(t0, rows);
    const LanePosition end = lane.firstStartingFrom(t1, rows);
    if (first >= end)
        return 0;
    std::int64_t busy = 0;
    for (LanePosition chunk = first / kChunkSpans; chunk * kChunkSpans < end; ++chunk) {
        const LaneChunk& spans = *lane.chunks[chunk].chunk;
        const LanePosition base = chunk * kChunkSpans;
        const auto from = static_cast<std::uint32_t>(std::max(first, base) - base);
        const auto to = static_cast<std::uint32_t>(std::min<LanePosition>(end - base, kChunkSpans));
        busy = addNs(busy, subtractNs(spans.busyBefore(to, rows), spans.busyBefore(from, rows)));
    }
    if (const std::int64_t start = rows.start(lane.rowAt(first)); start < t0)
        busy = subtractNs(busy, t0 - start);
    if (const std::int64_t last = rows.end(lane.rowAt(end - 1)); last > t1)
        busy = subtractNs(busy, last - t1);
    return busy;
}

/// The union over several lanes: from each covered end on to the earliest span that reaches beyond it.
std::int64_t busyOfLanes(const SpanRows& rows, const std::vector<LaneView>& lanes, std::int64_t t0,
                         std::int64_t t1) {
    struct Next {
        LanePosition position, size;
        std::int64_t start, end;
    };
    std::vector<Next> next(lanes.size());
    const auto seek = [&](std::size_t lane, std::int64_t time) {
        Next& n = next[lane];
        while (n.position < n.size && rows.end(lanes[lane].rowAt(n.position)) <= time) {
            // spans below a long one are skipped by a search, neighbours by a step
            const LanePosition step = n.position + 1;
            n.position = step < n.size && rows.end(lanes[lane].rowAt(step)) <= time
                             ? std::max(step + 1, lanes[lane].firstEndingAfter(time, rows))
                             : step;
        }
        if (n.position < n.size) {
            n.start = rows.start(lanes[lane].rowAt(n.position));
            n.end = rows.end(lanes[lane].rowAt(n.position));
        }
    };
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        next[lane] = {lanes[lane].firstEndingAfter(t0, rows), lanes[lane].size(), 0, 0};
        seek(lane, t0);
    }
    std::int64_t covered = t0, busy = 0;
    while (true) {
        const Next* earliest = nullptr;
        for (const Next& n : next)
            if (n.position < n.size && (!earliest || n.start < earliest->start))
                earliest = &n;
        if (!earliest || earliest->start >= t1)
            return busy;
        const std::int64_t end = std::min(earliest->end, t1);
        busy += end - std::max(earliest->start, covered);
        covered = end;
        if (covered >= t1)
            return busy;
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            seek(lane, covered);
    }
}

} // namespace

std::vector<SpanStats> Trace::statistics(std::int64_t t0, std::int64_t t1,
                                         const std::vector<TrackId>& tracks) const {
    std::vector<TrackId> wanted = tracks;
    if (wanted.empty()) {
        wanted.resize(trackCount());
        std::iota(wanted.begin(), wanted.end(), TrackId{0});
    }
    const Reading reading(m_impl->reclaimer);
    NameSums sums;
    for (const TrackId track : wanted) {
        const TrackData* const data = m_impl->find(track);
        const TrackView* const view = Impl::viewOf(data);
        for (std::size_t lane = 0; view && lane < view->lanes.size(); ++lane)
            addLane(data->spans.rows(), view->lanes[lane], t0, t1, sums);
    }
    std::vector<SpanStats> result = sums.take();
    std::stable_sort(result.begin(), result.end(),
                     [](const SpanStats& a, const SpanStats& b) { return a.totalNs > b.totalNs; });
    return result;
}

std::int64_t Trace::busyNs(TrackId track, std::int64_t t0, std::int64_t t1) const {
    const Reading reading(m_impl->reclaimer);
    const TrackData* const data = m_impl->find(track);
    const TrackView* const view = Impl::viewOf(data);
    t0 = std::max(t0, startNs()); // so that the length of the range does not wrap
    t1 = std::min(t1, endNs());
    if (!view || view->lanes.empty() || t0 >= t1)
        return 0;
    if (view->lanes.size() == 1)
        return busyOfLane(data->spans.rows(), view->lanes.front(), t0, t1);
    return busyOfLanes(data->spans.rows(), view->lanes, t0, t1);
}

} // namespace heteroscope::profiling
