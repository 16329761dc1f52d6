// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a timeline share: the trace, the window of time, the rows, the selection, the range, the
// search and the notes. Each part changes it and listens to it; none knows another. GUI thread.
#pragma once

#include "profiling/analysis/occupancy.h"
#include "profiling/stream/kernel_counters.h"
#include "profiling/trace/trace.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/track_layout.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

struct TimeRange {
    std::int64_t startNs = 0, endNs = 0;
    double lengthNs() const { return static_cast<double>(endNs - startNs); }
    bool operator==(const TimeRange&) const = default;
};

/// A named flag at a time.
struct Note {
    std::int64_t timeNs = 0;
    QString text;
    bool operator==(const Note&) const = default;
};

class TimelineState : public QObject {
    Q_OBJECT
  public:
    using TracePtr = std::shared_ptr<const profiling::Trace>;

    explicit TimelineState(QObject* parent = nullptr);

    void setTrace(TracePtr trace);
    const TracePtr& trace() const { return m_trace; } ///< null before the first
    /// Shows what `other` shows; for pictures of another size.
    void mirror(const TimelineState& other);
    bool isEmpty() const;
    /// Takes over what was published since; follows the end when asked to.
    void refresh();

    // --- window of time ---
    const TimeAxis& axis() const { return m_axis; }
    void setWidth(double pixels);
    void zoomAt(double pixel, double factor);
    void panBy(double pixels);
    void showRange(TimeRange range);
    void fitAll();
    void setLive(bool live);
    bool isLive() const { return m_live; }
    void setFollowing(bool follow);
    bool isFollowing() const { return m_following; }

    // --- rows ---
    const TrackLayout& layout() const { return m_layout; }
    void editLayout(const std::function<void(TrackLayout&)>& edit);
    int scrollY() const { return m_scrollY; }
    int viewHeight() const { return m_viewHeight; }
    int maxScrollY() const;
    void setScrollY(int y);
    void setViewHeight(int pixels);
    void revealTrack(profiling::TrackId track, int lane = 0);

    /// Limits of the recording's GPUs by device id, for the details of kernels.
    using DeviceLimits = std::map<std::string, profiling::MultiprocessorLimits>;
    void setDevices(DeviceLimits devices);
    /// Of the device a row belongs to (its group is named like the device); null when not known.
    const profiling::MultiprocessorLimits* deviceOf(profiling::TrackId track) const;

    /// What the device's counters said of the ops of the study.
    void setCounters(std::vector<profiling::OpCounters> counters);
    /// Of the first kernel of this name in an op; null when it was not counted.
    const profiling::KernelCounters* countersOf(const std::string& op, const std::string& shape,
                                                const std::string& kernel) const;

    // --- selection and range ---
    profiling::SpanRef selected() const { return m_selected; }
    std::optional<profiling::Span> selectedSpan() const;
    /// `reveal` scrolls and pans so that the span is in view.
    void select(profiling::SpanRef span, bool reveal);
    void selectNeighbour(bool forward);
    /// The span above (-1) or below (+1) the selected one.
    void selectVertically(int by);
    const std::optional<TimeRange>& range() const { return m_range; }
    void setRange(std::optional<TimeRange> range);
    /// Whether the recording has rows of copies between host and device.
    bool hasCopies() const;
    /// The range, else the selected span, else everything.
    void fitSelection();
    void zoomToSpan(profiling::SpanRef span);

    // --- search ---
    void search(const QString& text);
    const QString& searchText() const { return m_searchText; }
    const std::vector<profiling::SpanRef>& hits() const { return m_hits; }
    bool isSearching() const { return m_searching; }
    int currentHit() const { return m_currentHit; }
    void stepHit(int by);
    /// Whether a name contains the search text; remembered by name.
    bool matchesSearch(profiling::StringId name);
    static constexpr std::size_t kMostHits = 100000;

    // --- notes ---
    const std::vector<Note>& notes() const { return m_notes; }
    void setNotes(std::vector<Note> notes);
    /// Sets, changes or (empty text) removes the note at a time.
    void putNote(std::int64_t timeNs, const QString& text);

    std::optional<std::int64_t> hoverNs() const { return m_hoverNs; }
    void setHover(std::optional<std::int64_t> ns);

  signals:
    void traceChanged(); ///< another trace
    void dataChanged();  ///< the same trace, grown
    void viewChanged();  ///< window of time
    void rowsChanged();  ///< layout or vertical position
    void selectionChanged();
    void rangeChanged();
    void searchChanged();
    void notesChanged();
    void devicesChanged();
    void followChanged();
    void hoverChanged();

  private:
    void userMoved();
    void followEnd();
    void reloadTracks();
    void finishSearch(std::uint64_t ticket, std::vector<profiling::SpanRef> hits);

    TracePtr m_trace;
    std::uint64_t m_revision = 0;
    TimeAxis m_axis;
    bool m_fitted = true; ///< shows everything; stays so while the trace grows
    bool m_live = false, m_following = false;
    TrackLayout m_layout;
    int m_scrollY = 0, m_viewHeight = 400;
    profiling::SpanRef m_selected;
    std::optional<TimeRange> m_range;
    QString m_searchText;
    std::uint64_t m_searchTicket = 0;
    bool m_searching = false;
    std::vector<profiling::SpanRef> m_hits;
    int m_currentHit = -1;
    std::vector<signed char> m_nameMatches; ///< by name: -1 not looked up, 0, 1
    std::vector<Note> m_notes;
    DeviceLimits m_devices;
    std::vector<profiling::OpCounters> m_counters;
    std::optional<std::int64_t> m_hoverNs;
};

} // namespace heteroscope::ui
