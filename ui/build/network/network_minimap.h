// SPDX-License-Identifier: GPL-3.0-or-later
// The whole network as a strip beside its canvas, with the visible part as a frame to be dragged. Shown only
// where the network is larger than the canvas. GUI thread.
#pragma once

#include "ui/build/network/network_canvas.h"

namespace heteroscope::ui {

class NetworkMinimap : public QWidget {
    Q_OBJECT
  public:
    /// Lies on `canvas`, which owns it.
    explicit NetworkMinimap(NetworkCanvas* canvas);

    static constexpr int kWidth = 76; ///< device-independent pixels

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    void place();
    QRectF onStrip(const QRectF& sceneRect) const;

    NetworkCanvas* m_canvas;
    double m_scaleX = 1, m_scaleY = 1; ///< a long network is pressed together, so that it fits in height
};

} // namespace heteroscope::ui
