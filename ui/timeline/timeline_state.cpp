// SPDX-License-Identifier: GPL-3.0-or-later
// The shared state of a timeline: trace, window of time and rows.
#include "ui/timeline/timeline_state.h"

#include "ui/timeline/draw_list.h"

#include <algorithm>

namespace heteroscope::ui {

TimelineState::TimelineState(QObject* parent) : QObject(parent) {}

void TimelineState::setTrace(TracePtr trace) {
    m_trace = std::move(trace);
    m_layout = TrackLayout();
    m_selected = {};
    m_range.reset();
    m_hits.clear();
    m_currentHit = -1;
    m_nameMatches.clear();
    m_hoverNs.reset();
    m_scrollY = 0;
    m_fitted = true;
    m_revision = m_trace ? m_trace->revision() : 0;
    reloadTracks();
    m_axis.setLimits(m_trace ? m_trace->startNs() : 0, m_trace ? m_trace->endNs() : 0);
    m_axis.fit();
    emit traceChanged();
    emit rowsChanged();
    emit viewChanged();
    emit selectionChanged();
    emit rangeChanged();
    search(m_searchText);
}

void TimelineState::mirror(const TimelineState& other) {
    m_trace = other.m_trace;
    m_revision = other.m_revision;
    m_axis = other.m_axis;
    m_fitted = false;
    m_layout = other.m_layout;
    m_scrollY = other.m_scrollY;
    m_viewHeight = other.m_viewHeight;
    m_selected = other.m_selected;
    m_range = other.m_range;
    m_searchText = other.m_searchText;
    m_hits = other.m_hits;
    m_notes = other.m_notes;
}

bool TimelineState::isEmpty() const {
    return !m_trace || (m_trace->spanCount() == 0 && m_trace->counterCount() == 0);
}

void TimelineState::reloadTracks() {
    std::vector<TrackInfo> tracks = m_trace ? readTracks(*m_trace) : std::vector<TrackInfo>{};
    const auto same = [](const TrackInfo& a, const TrackInfo& b) {
        return a.id == b.id && a.lanes == b.lanes && a.parent == b.parent && a.sortKey == b.sortKey &&
               a.name == b.name;
    };
    if (std::equal(tracks.begin(), tracks.end(), m_layout.tracks().begin(), m_layout.tracks().end(), same))
        return;
    m_layout.setTracks(std::move(tracks));
    setScrollY(m_scrollY);
    emit rowsChanged();
}

void TimelineState::refresh() {
    if (!m_trace || m_trace->revision() == m_revision)
        return;
    m_revision = m_trace->revision();
    reloadTracks();
    const TimeAxis before = m_axis;
    m_axis.setLimits(m_trace->startNs(), m_trace->endNs());
    if (m_fitted)
        m_axis.fit();
    else if (m_following)
        followEnd();
    emit dataChanged();
    if (!(m_axis == before))
        emit viewChanged();
}

void TimelineState::followEnd() {
    constexpr double kEndAt = 0.96; // of the width, so that the newest span does not touch the edge
    m_axis.place(m_axis.limitEndNs(), m_axis.width() * kEndAt);
}

void TimelineState::userMoved() {
    m_fitted = false;
    emit viewChanged();
}

void TimelineState::setWidth(double pixels) {
    if (pixels == m_axis.width())
        return;
    m_axis.setWidth(pixels);
    if (m_fitted)
        m_axis.fit();
    emit viewChanged();
}

void TimelineState::zoomAt(double pixel, double factor) {
    m_axis.zoomAt(pixel, factor);
    if (m_following) {
        followEnd(); // zooming does not leave the end; panning does
        m_fitted = false;
        emit viewChanged();
        return;
    }
    userMoved();
}

void TimelineState::panBy(double pixels) {
    setFollowing(false);
    m_axis.panBy(pixels);
    userMoved();
}

void TimelineState::showRange(TimeRange range) {
    setFollowing(false);
    m_axis.setRange(range.startNs, range.endNs);
    userMoved();
}

void TimelineState::fitAll() {
    m_axis.fit();
    m_fitted = true;
    emit viewChanged();
}

void TimelineState::setLive(bool live) {
    if (m_live == live)
        return;
    m_live = live;
    m_following = live;
    emit followChanged();
}

void TimelineState::setFollowing(bool follow) {
    if (m_following == follow)
        return;
    m_following = follow;
    if (follow) {
        followEnd();
        emit viewChanged();
    }
    emit followChanged();
}

void TimelineState::editLayout(const std::function<void(TrackLayout&)>& edit) {
    edit(m_layout);
    setScrollY(m_scrollY);
    emit rowsChanged();
}

int TimelineState::maxScrollY() const {
    return std::max(0, m_layout.height() + scrollTop(m_layout) - m_viewHeight);
}

void TimelineState::setScrollY(int y) {
    const int wanted = std::clamp(y, 0, maxScrollY());
    if (wanted == m_scrollY)
        return;
    m_scrollY = wanted;
    emit rowsChanged();
}

void TimelineState::setViewHeight(int pixels) {
    m_viewHeight = std::max(1, pixels);
    setScrollY(m_scrollY);
    emit rowsChanged();
}

void TimelineState::revealTrack(profiling::TrackId track, int lane) {
    for (const TrackInfo* info = m_layout.track(track); info; info = m_layout.track(info->parent))
        if (m_layout.isCollapsed(info->id) && (info->id != track || lane > 0))
            m_layout.setCollapsed(info->id, false);
    bool pinned = false;
    const Row* row = m_layout.rowOf(track, &pinned);
    emit rowsChanged();
    if (!row || pinned)
        return;
    const int top = row->lanes > 0 ? m_layout.laneTop(*row, lane) : row->y;
    const int bottom = row->lanes > 0 ? top + m_layout.laneBarHeight() : row->y + row->height;
    const int room = m_viewHeight - scrollTop(m_layout);
    if (top < m_scrollY)
        setScrollY(top - m_layout.metrics().lane);
    else if (bottom > m_scrollY + room)
        setScrollY(bottom - room + m_layout.metrics().lane);
}

void TimelineState::setCounters(std::vector<profiling::OpCounters> counters) {
    m_counters = std::move(counters);
    emit devicesChanged();
}

const profiling::KernelCounters* TimelineState::countersOf(const std::string& op, const std::string& shape,
                                                           const std::string& kernel) const {
    for (const profiling::OpCounters& counted : m_counters)
        if (counted.op == op && counted.detail == shape)
            for (const profiling::KernelCounters& counters : counted.kernels)
                if (counters.kernel == kernel)
                    return &counters;
    return nullptr;
}

void TimelineState::setDevices(DeviceLimits devices) {
    m_devices = std::move(devices);
    emit devicesChanged();
}

const profiling::MultiprocessorLimits* TimelineState::deviceOf(profiling::TrackId track) const {
    for (const TrackInfo* info = m_layout.track(track); info; info = m_layout.track(info->parent))
        if (const auto found = m_devices.find(info->name.toStdString()); found != m_devices.end())
            return &found->second;
    return nullptr;
}

void TimelineState::setNotes(std::vector<Note> notes) {
    m_notes = std::move(notes);
    std::sort(m_notes.begin(), m_notes.end(),
              [](const Note& a, const Note& b) { return a.timeNs < b.timeNs; });
    emit notesChanged();
}

void TimelineState::putNote(std::int64_t timeNs, const QString& text) {
    std::vector<Note> notes = m_notes;
    std::erase_if(notes, [timeNs](const Note& note) { return note.timeNs == timeNs; });
    if (!text.trimmed().isEmpty())
        notes.push_back({timeNs, text.trimmed()});
    setNotes(std::move(notes));
}

void TimelineState::setHover(std::optional<std::int64_t> ns) {
    if (ns == m_hoverNs)
        return;
    m_hoverNs = ns;
    emit hoverChanged();
}

} // namespace heteroscope::ui

#include "moc_timeline_state.cpp"
