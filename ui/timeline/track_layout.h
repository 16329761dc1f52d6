// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of a trace are shown, in which order and how tall. A value type without widgets.
#pragma once

#include "profiling/trace/trace.h"

#include <QString>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heteroscope::ui {

struct TrackInfo {
    profiling::TrackId id = 0;
    profiling::TrackId parent = profiling::kNoTrack;
    profiling::TrackKind kind = profiling::TrackKind::Thread;
    QString name;
    QString unit;
    std::int32_t sortKey = 0;
    int lanes = 1;
};

/// The tracks of a store as the layout needs them.
std::vector<TrackInfo> readTracks(const profiling::Trace& trace);

/// One row on screen. y and height are device-independent pixels from the top of the row's section.
struct Row {
    profiling::TrackId track = profiling::kNoTrack;
    int level = 0; ///< depth in the tree of tracks
    int y = 0, height = 0;
    int lanes = 0;           ///< lanes drawn; 0 for counters and summaries
    bool expandable = false; ///< has children or more than one lane
    bool collapsed = false;
    bool pinned = false;
    bool summary = false; ///< a collapsed group: draws the activity of what it hides
};

struct LayoutMetrics {
    int lane = 20;    ///< bar and gap
    int padding = 3;  ///< above and below the lanes
    int group = 26;   ///< row of a group without spans of its own
    int counter = 48; ///< counter row
};

class TrackLayout {
  public:
    /// Takes new tracks or lanes; what was collapsed, pinned, hidden or moved stays so.
    void setTracks(std::vector<TrackInfo> tracks);
    void setMetrics(const LayoutMetrics& metrics);
    const LayoutMetrics& metrics() const { return m_metrics; }

    void setCollapsed(profiling::TrackId track, bool collapsed);
    bool isCollapsed(profiling::TrackId track) const { return m_collapsed.count(track) != 0; }
    void setAllCollapsed(bool collapsed);
    void setPinned(profiling::TrackId track, bool pinned);
    bool isPinned(profiling::TrackId track) const;
    void setHidden(profiling::TrackId track, bool hidden);
    bool hasHidden() const { return !m_hidden.empty(); }
    void showAll();
    /// Keeps tracks whose name contains the text (any case), what is under them and what is above them.
    void setFilter(const QString& text);
    const QString& filter() const { return m_filter; }
    /// Moves a track among its siblings: -1 up, +1 down. False at the end.
    bool move(profiling::TrackId track, int by);

    /// Pinned rows stand above and do not scroll; the others scroll below them. Both count y from 0.
    const std::vector<Row>& pinnedRows() const { return m_pinnedRows; }
    const std::vector<Row>& rows() const { return m_rows; }
    int pinnedHeight() const { return m_pinnedHeight; }
    int height() const { return m_height; }
    /// Index of the row at `y`, or -1.
    static int rowAt(const std::vector<Row>& rows, int y);
    /// The row that shows a track, or the nearest collapsed one above it; null when filtered or hidden.
    const Row* rowOf(profiling::TrackId track, bool* pinned = nullptr) const;

    const std::vector<TrackInfo>& tracks() const { return m_tracks; }
    const TrackInfo* track(profiling::TrackId id) const;
    /// All tracks from top to bottom as their rows would stand, hidden and collapsed ones too.
    std::vector<profiling::TrackId> tracksInOrder() const;
    const std::vector<profiling::TrackId>& children(profiling::TrackId id) const;
    /// "Process / Thread"
    QString path(profiling::TrackId id) const;
    /// Tracks of the shown rows, collapsed content included.
    std::vector<profiling::TrackId> shownTracks() const;
    /// Grows with each change, for caches.
    std::uint64_t version() const { return m_version; }
    /// y of a lane's bar inside its row, and the bar's height.
    int laneTop(const Row& row, int lane) const;
    int laneBarHeight() const { return m_metrics.lane - 2; }

  private:
    void rebuild();
    void sortChildren();
    bool matches(profiling::TrackId id) const;
    bool subtreeMatches(profiling::TrackId id) const;
    void place(profiling::TrackId id, int level, bool inheritedMatch);
    Row makeRow(const TrackInfo& info, int level) const;
    /// The track and what is under it, but for what is hidden.
    void collect(profiling::TrackId id, std::vector<profiling::TrackId>& out) const;
    void collectAll(profiling::TrackId id, std::vector<profiling::TrackId>& out) const;

    LayoutMetrics m_metrics;
    std::vector<TrackInfo> m_tracks;
    std::unordered_map<profiling::TrackId, std::size_t> m_index;
    std::unordered_map<profiling::TrackId, std::vector<profiling::TrackId>> m_children;
    std::unordered_map<profiling::TrackId, int> m_order; ///< position given by the user among siblings
    std::unordered_set<profiling::TrackId> m_collapsed, m_hidden;
    std::vector<profiling::TrackId> m_pinned;
    QString m_filter;
    std::vector<Row> m_pinnedRows, m_rows;
    int m_pinnedHeight = 0, m_height = 0;
    std::uint64_t m_version = 1;
};

} // namespace heteroscope::ui
