// SPDX-License-Identifier: GPL-3.0-or-later
// The whole recording in one strip with the visible window as a frame that can be dragged. GUI thread.
#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/timeline_state.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::ui {

class Minimap : public QWidget {
    Q_OBJECT
  public:
    /// `state` outlives the minimap.
    explicit Minimap(TimelineState* state, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {600, 44}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    enum class Drag { None, Move, Left, Right, New };

    void rebuild();
    void paintStripes(const TimeAxis& whole);
    QRectF frame() const;
    Drag partAt(double x) const;
    void dragTo(double x);

    TimelineState* m_state;
    std::unique_ptr<SpanPalette> m_palette;
    TimeAxis m_whole;
    QImage m_image;
    QTimer m_rebuild;                        ///< a growing trace is drawn again a few times a second
    std::vector<profiling::TrackId> m_order; ///< of the tracks, when it was drawn
    std::uint64_t m_version = 0;             ///< of the layout that was looked at last
    bool m_stale = true;
    Drag m_drag = Drag::None;
    double m_pressed = 0.0, m_grabbed = 0.0;
};

} // namespace heteroscope::ui
