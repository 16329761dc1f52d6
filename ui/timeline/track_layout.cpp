// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of a trace are shown, in which order and how tall.
#include "ui/timeline/track_layout.h"

#include "ui/common/format.h"

#include <QStringList>

#include <algorithm>
#include <tuple>

namespace heteroscope::ui {

using profiling::kNoTrack;
using profiling::TrackId;
using profiling::TrackKind;

std::vector<TrackInfo> readTracks(const profiling::Trace& trace) {
    std::vector<TrackInfo> tracks;
    const std::uint32_t count = trace.trackCount();
    tracks.reserve(count);
    for (TrackId id = 0; id < count; ++id) {
        const profiling::Track track = trace.track(id);
        tracks.push_back({id, track.parent, track.kind, shownText(fromStd(trace.string(track.name))),
                          shownText(fromStd(trace.string(track.unit))), track.sortKey,
                          static_cast<int>(trace.laneCount(id))});
    }
    return tracks;
}

void TrackLayout::setTracks(std::vector<TrackInfo> tracks) {
    m_tracks = std::move(tracks);
    m_index.clear();
    m_children.clear();
    for (std::size_t i = 0; i < m_tracks.size(); ++i)
        m_index[m_tracks[i].id] = i;
    for (TrackInfo& info : m_tracks) {
        if (!m_index.count(info.parent))
            info.parent = kNoTrack;
        m_children[info.parent].push_back(info.id);
    }
    sortChildren();
    rebuild();
}

void TrackLayout::setMetrics(const LayoutMetrics& metrics) {
    m_metrics = metrics;
    rebuild();
}

void TrackLayout::sortChildren() {
    for (auto& [parent, list] : m_children) {
        std::stable_sort(list.begin(), list.end(), [this](TrackId a, TrackId b) {
            const auto key = [this](TrackId id) {
                const auto moved = m_order.find(id);
                const TrackInfo& info = m_tracks[m_index.at(id)];
                // A track the user has moved keeps its place; the others follow in recorded order.
                return std::tuple(moved != m_order.end() ? moved->second : 1 << 30, info.sortKey, id);
            };
            return key(a) < key(b);
        });
    }
}

void TrackLayout::setCollapsed(TrackId track, bool collapsed) {
    if (collapsed)
        m_collapsed.insert(track);
    else
        m_collapsed.erase(track);
    rebuild();
}

void TrackLayout::setAllCollapsed(bool collapsed) {
    m_collapsed.clear();
    for (const TrackInfo& info : m_tracks)
        if (collapsed && (!children(info.id).empty() || info.lanes > 1))
            m_collapsed.insert(info.id);
    rebuild();
}

void TrackLayout::setPinned(TrackId track, bool pinned) {
    std::erase(m_pinned, track);
    if (pinned)
        m_pinned.push_back(track);
    rebuild();
}

bool TrackLayout::isPinned(TrackId track) const {
    return std::find(m_pinned.begin(), m_pinned.end(), track) != m_pinned.end();
}

void TrackLayout::setHidden(TrackId track, bool hidden) {
    if (hidden)
        m_hidden.insert(track);
    else
        m_hidden.erase(track);
    rebuild();
}

void TrackLayout::showAll() {
    m_hidden.clear();
    m_filter.clear();
    rebuild();
}

void TrackLayout::setFilter(const QString& text) {
    m_filter = text.trimmed();
    rebuild();
}

bool TrackLayout::move(TrackId track, int by) {
    const TrackInfo* info = this->track(track);
    if (!info)
        return false;
    std::vector<TrackId>& siblings = m_children[info->parent];
    const auto at = std::find(siblings.begin(), siblings.end(), track) - siblings.begin();
    const auto to = at + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(siblings.size()))
        return false;
    siblings.erase(siblings.begin() + at);
    siblings.insert(siblings.begin() + to, track);
    for (std::size_t i = 0; i < siblings.size(); ++i)
        m_order[siblings[i]] = static_cast<int>(i);
    rebuild();
    return true;
}

bool TrackLayout::matches(TrackId id) const {
    const TrackInfo* info = track(id);
    return info && info->name.contains(m_filter, Qt::CaseInsensitive);
}

bool TrackLayout::subtreeMatches(TrackId id) const {
    if (m_hidden.count(id))
        return false;
    if (matches(id))
        return true;
    const auto& list = children(id);
    return std::any_of(list.begin(), list.end(), [this](TrackId child) { return subtreeMatches(child); });
}

Row TrackLayout::makeRow(const TrackInfo& info, int level) const {
    Row row;
    row.track = info.id;
    row.level = level;
    const bool parent = !children(info.id).empty();
    row.expandable = parent || info.lanes > 1;
    row.collapsed = row.expandable && m_filter.isEmpty() && isCollapsed(info.id);
    row.pinned = isPinned(info.id);
    if (info.kind == TrackKind::Counter) {
        row.height = m_metrics.counter;
        return row;
    }
    row.summary = parent && row.collapsed && info.lanes == 0;
    row.lanes = row.collapsed ? std::min(1, info.lanes) : info.lanes;
    if (!parent)
        row.lanes = std::max(1, row.lanes);
    row.height = row.lanes == 0 ? m_metrics.group : row.lanes * m_metrics.lane + 2 * m_metrics.padding;
    return row;
}

void TrackLayout::place(TrackId id, int level, bool inheritedMatch) {
    const TrackInfo& info = m_tracks[m_index.at(id)];
    if (m_hidden.count(id))
        return;
    const bool match = inheritedMatch || matches(id);
    if (!match && !subtreeMatches(id))
        return;
    Row row = makeRow(info, level);
    if (!row.pinned) {
        row.y = m_height;
        m_height += row.height;
        m_rows.push_back(row);
    }
    if (row.collapsed)
        return;
    for (const TrackId child : children(id))
        place(child, level + 1, match);
}

void TrackLayout::rebuild() {
    m_rows.clear();
    m_pinnedRows.clear();
    m_height = m_pinnedHeight = 0;
    for (const TrackId id : m_pinned) {
        const TrackInfo* info = track(id);
        if (!info)
            continue;
        Row row = makeRow(*info, 0);
        row.y = m_pinnedHeight;
        m_pinnedHeight += row.height;
        m_pinnedRows.push_back(row);
    }
    for (const TrackId id : children(kNoTrack))
        place(id, 0, m_filter.isEmpty());
    ++m_version;
}

int TrackLayout::rowAt(const std::vector<Row>& rows, int y) {
    const auto after =
        std::upper_bound(rows.begin(), rows.end(), y, [](int v, const Row& r) { return v < r.y; });
    if (after == rows.begin())
        return -1;
    const auto row = after - 1;
    return y < row->y + row->height ? static_cast<int>(row - rows.begin()) : -1;
}

const Row* TrackLayout::rowOf(TrackId id, bool* pinned) const {
    const auto find = [](const std::vector<Row>& rows, TrackId wanted) -> const Row* {
        const auto hit =
            std::find_if(rows.begin(), rows.end(), [wanted](const Row& r) { return r.track == wanted; });
        return hit == rows.end() ? nullptr : &*hit;
    };
    for (const TrackInfo* info = track(id); info; info = track(info->parent)) {
        const Row* stuck = find(m_pinnedRows, info->id);
        const Row* row = stuck ? stuck : find(m_rows, info->id);
        if (pinned)
            *pinned = stuck != nullptr;
        if (row)
            return info->id == id || row->collapsed ? row : nullptr;
    }
    return nullptr;
}

const TrackInfo* TrackLayout::track(TrackId id) const {
    const auto found = m_index.find(id);
    return found == m_index.end() ? nullptr : &m_tracks[found->second];
}

const std::vector<TrackId>& TrackLayout::children(TrackId id) const {
    static const std::vector<TrackId> kNone;
    const auto found = m_children.find(id);
    return found == m_children.end() ? kNone : found->second;
}

QString TrackLayout::path(TrackId id) const {
    QStringList parts;
    for (const TrackInfo* info = track(id); info; info = track(info->parent))
        parts.prepend(info->name);
    return parts.join(QStringLiteral(" / "));
}

void TrackLayout::collect(TrackId id, std::vector<TrackId>& out) const {
    if (m_hidden.count(id))
        return;
    out.push_back(id);
    for (const TrackId child : children(id))
        collect(child, out);
}

void TrackLayout::collectAll(TrackId id, std::vector<TrackId>& out) const {
    if (id != kNoTrack)
        out.push_back(id);
    for (const TrackId child : children(id))
        collectAll(child, out);
}

std::vector<TrackId> TrackLayout::tracksInOrder() const {
    std::vector<TrackId> all;
    all.reserve(m_tracks.size());
    collectAll(kNoTrack, all);
    return all;
}

std::vector<TrackId> TrackLayout::shownTracks() const {
    std::vector<TrackId> shown;
    for (const auto* section : {&m_pinnedRows, &m_rows})
        for (const Row& row : *section) {
            if (row.collapsed)
                collect(row.track, shown);
            else
                shown.push_back(row.track);
        }
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    return shown;
}

int TrackLayout::laneTop(const Row& row, int lane) const {
    return row.y + m_metrics.padding + lane * m_metrics.lane + 1;
}

} // namespace heteroscope::ui
