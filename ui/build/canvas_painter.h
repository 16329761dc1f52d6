// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the pooling picture: matrices, moving window, winner, output being filled. GUI thread.
#pragma once

#include "ui/build/canvas_layout.h"
#include "ui/common/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <optional>

namespace heteroscope::ui {

struct CanvasState {
    std::int64_t outRow = 0, outColumn = 0;                      ///< the window at work
    std::optional<std::pair<std::int64_t, std::int64_t>> cursor; ///< the cell that keys edit
    bool hasFocus = false;
};

class CanvasPainter {
    Q_DECLARE_TR_FUNCTIONS(heteroscope::ui::CanvasPainter)
  public:
    CanvasPainter(QPainter& painter, const PoolingPreview& preview, const CanvasLayout& layout,
                  const CanvasState& state);
    void paint();

  private:
    void paintInput();
    void paintInputCell(std::int64_t row, std::int64_t column);
    void paintWindow(const PooledWindow& window);
    void paintOutput();
    void paintOutputCell(std::int64_t row, std::int64_t column);
    void paintBeam(const PooledWindow& window);
    void paintTitles();
    void paintMarks(const QRectF& rect);
    void text(const QRectF& rect, const QString& text, const QColor& color, bool bold = false);
    QColor tint(double value) const;

    QPainter& m_painter;
    const PoolingPreview& m_preview;
    const CanvasLayout& m_layout;
    const CanvasState& m_state;
    const ThemeColors& m_colors;
    QColor m_window, m_windowText;
};

} // namespace heteroscope::ui
