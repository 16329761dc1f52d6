// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/track_spans.h"

#include <algorithm>

namespace heteroscope::profiling {

std::uint32_t TrackSpans::append(const Span& span, Reclaimer& reclaimer) {
    const std::size_t before = m_rows.bytes();
    const std::uint32_t row = m_rows.push(span);
    m_bytes.fetch_add(m_rows.bytes() - before, std::memory_order_relaxed);
    if (comesInOrder(row))
        place(row, reclaimer);
    else
        m_late.push_back(row);
    return row;
}

bool TrackSpans::comesInOrder(std::uint32_t row) const {
    const std::int64_t start = m_rows.start(row);
    if (start > m_maxStart)
        return true;
    const std::uint8_t hint = m_rows.depthHint(row);
    if (hint == kNoDepth)
        return start == m_maxStart && m_rows.end(row) <= m_endAtMaxStart;
    return start == m_maxStart || hint >= m_lanes.size() || m_lanes[hint].lastEnd() <= start;
}

std::size_t TrackSpans::laneFor(std::int64_t start, std::int64_t end, std::uint8_t hint) const {
    std::size_t lane = hint == kNoDepth ? 0 : hint;
    if (hint == kNoDepth)
        for (std::size_t i = m_lanes.size(); i-- > 0;)
            if (m_lanes[i].lastEnd() > start && m_lanes[i].lastEnd() >= end) {
                lane = i + 1; // below the innermost span that encloses this one
                break;
            }
    while (lane < m_lanes.size() && m_lanes[lane].lastEnd() > start)
        ++lane;
    return lane;
}

void TrackSpans::place(std::uint32_t row, Reclaimer& reclaimer) {
    const std::int64_t start = m_rows.start(row), end = m_rows.end(row);
    std::size_t lane = laneFor(start, end, m_rows.depthHint(row));
    if (lane >= kMaxLanes) {
        lane = kMaxLanes - 1;
        m_overflowed = true;
    }
    if (lane >= m_lanes.size())
        m_lanes.resize(lane + 1);
    m_lanes[lane].append(row, m_rows, reclaimer, m_bytes);
    m_rows.setLane(row, static_cast<std::uint16_t>(lane));
    if (start >= m_maxStart) {
        m_maxStart = start;
        m_endAtMaxStart = end;
    }
}

void TrackSpans::mergeLate(Reclaimer& reclaimer) {
    if (m_late.empty())
        return;
    const auto byStart = [this](std::uint32_t a, std::uint32_t b) {
        return m_rows.start(a) < m_rows.start(b);
    };
    const std::int64_t cut = m_rows.start(*std::min_element(m_late.begin(), m_late.end(), byStart));
    std::vector<std::uint32_t> moved;
    moved.swap(m_late);
    for (Lane& lane : m_lanes)
        lane.cutFrom(cut, m_rows, reclaimer, m_bytes, moved);
    std::sort(moved.begin(), moved.end(), [this](std::uint32_t a, std::uint32_t b) {
        if (m_rows.start(a) != m_rows.start(b))
            return m_rows.start(a) < m_rows.start(b);
        return m_rows.duration(a) != m_rows.duration(b) ? m_rows.duration(a) > m_rows.duration(b) : a < b;
    });
    m_maxStart = std::numeric_limits<std::int64_t>::min();
    for (const std::uint32_t row : moved)
        place(row, reclaimer);
    while (!m_lanes.empty() && m_lanes.back().view().chunks.empty())
        m_lanes.pop_back();
}

std::vector<LaneView> TrackSpans::views() const {
    std::vector<LaneView> views;
    views.reserve(m_lanes.size());
    for (const Lane& lane : m_lanes)
        views.push_back(lane.view());
    return views;
}

} // namespace heteroscope::profiling
