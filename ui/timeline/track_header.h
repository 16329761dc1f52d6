// SPDX-License-Identifier: GPL-3.0-or-later
// The names beside the rows: collapse, pin, hide and reorder tracks by mouse and keyboard. GUI thread.
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QWidget>

class QMenu;

namespace heteroscope::ui {

class TrackHeader : public QWidget {
    Q_OBJECT
  public:
    /// `state` outlives the header. Rows start at the top of the widget.
    explicit TrackHeader(TimelineState* state, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {200, 300}; }
    QSize minimumSizeHint() const override { return {90, 60}; }
    /// The track that keys act on; kNoTrack before the first.
    profiling::TrackId currentTrack() const { return m_current; }
    void setCurrentTrack(profiling::TrackId track);
    void fillMenu(QMenu& menu, profiling::TrackId track);
    /// The largest value of a counter, in a unit that suits it.
    QString peakText(const TrackInfo& info) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    const Row* rowAt(int y) const;
    void paintSection(QPainter& painter, const std::vector<Row>& rows, int offset, int clipTop) const;
    void paintRow(QPainter& painter, const Row& row, const QRect& area) const;
    void paintCaret(QPainter& painter, const Row& row, const QRect& area) const;
    QRect caretRect(const Row& row, const QRect& area) const;
    QRect pinRect(const QRect& area) const;
    QRect areaOf(const Row& row) const;
    void toggleCollapsed(profiling::TrackId track);
    void togglePinned(profiling::TrackId track);
    void stepCurrent(int by);
    bool actOnCurrent(QKeyEvent* event);

    TimelineState* m_state;
    profiling::TrackId m_current = profiling::kNoTrack;
    profiling::TrackId m_hovered = profiling::kNoTrack;
    profiling::TrackId m_dragged = profiling::kNoTrack;
    QPoint m_pressed;
};

} // namespace heteroscope::ui
