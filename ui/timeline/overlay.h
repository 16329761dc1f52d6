// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the rows: ruler, range, selection, search hits, flows and notes. The screen and the exports
// share it. Coordinates are those of the rows' area, y 0 at its top; the ruler lies above, at negative y.
#pragma once

#include "ui/common/theme.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/time_format.h"
#include "ui/timeline/timeline_state.h"

#include <QFont>
#include <QRectF>

#include <optional>

class QPainter;

namespace heteroscope::ui {

constexpr int kRulerHeight = 44;
constexpr int kNoteStrip = 18; ///< upper part of the ruler: notes and the base time

/// Where a span is drawn, or the row that hides it; nothing when its track is not shown.
std::optional<QRectF> spanRect(const TimelineState& state, profiling::SpanRef ref);

class Overlay {
  public:
    Overlay(QPainter& painter, const TimelineState& state, const ThemeColors& colors, const QFont& font,
            double height);

    void paintRuler(const TickSet& ticks) const;
    void paintRange() const;
    void paintNotes() const;
    void paintHits() const;
    void paintFlows() const;
    void paintSelection() const;
    void paintCounterScales(const DrawList& list) const;
    void paintCursor(std::int64_t ns) const;

  private:
    void paintFlow(const profiling::Flow& flow) const;
    double x(std::int64_t ns) const { return m_state.axis().toPixel(ns); }
    double width() const { return m_state.axis().width(); }
    void clipToRows(bool pinned) const;

    QPainter& m_painter;
    const TimelineState& m_state;
    const ThemeColors& m_colors;
    QFont m_font;
    double m_height;
};

} // namespace heteroscope::ui
