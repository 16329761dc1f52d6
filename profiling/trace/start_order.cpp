// SPDX-License-Identifier: Apache-2.0
// The walk over a track in order of start: merges its lanes, each of which is in order.
#include "profiling/trace/trace_impl.h"

#include <queue>

#include <tuple>

namespace heteroscope::profiling {

using Reading = Reclaimer::Reading;

namespace {

/// The next span of a lane. "Less" comes later, so that the top of a heap is the first.
struct Head {
    std::int64_t startNs, durationNs;
    std::uint16_t lane;
    std::uint32_t row;
    LanePosition at;
    bool operator<(const Head& other) const {
        return std::tie(other.startNs, durationNs, other.lane) < std::tie(startNs, other.durationNs, lane);
    }
};

Head headOf(const SpanRows& rows, const LaneView& view, std::uint16_t lane, LanePosition at) {
    const std::uint32_t row = view.rowAt(at);
    return {rows.start(row), rows.duration(row), lane, row, at};
}

} // namespace

void Trace::forEachSpanByStart(TrackId track, const std::function<bool(SpanRef, const Span&)>& visit) const {
    const Reading reading(m_impl->reclaimer);
    const TrackData* const data = m_impl->find(track);
    const TrackView* const view = Impl::viewOf(data);
    if (!view)
        return;
    const SpanRows& rows = data->spans.rows();
    std::priority_queue<Head> heads;
    for (std::size_t lane = 0; lane < view->lanes.size(); ++lane)
        if (view->lanes[lane].size() > 0)
            heads.push(headOf(rows, view->lanes[lane], static_cast<std::uint16_t>(lane), 0));
    while (!heads.empty()) {
        const Head head = heads.top();
        heads.pop();
        const Span span{track,
                        head.startNs,
                        head.durationNs,
                        rows.name(head.row),
                        rows.category(head.row),
                        rows.args(head.row),
                        static_cast<std::int16_t>(head.lane)};
        if (!visit({track, head.lane, head.row}, span))
            return;
        if (head.at + 1 < view->lanes[head.lane].size())
            heads.push(headOf(rows, view->lanes[head.lane], head.lane, head.at + 1));
    }
}

} // namespace heteroscope::profiling
