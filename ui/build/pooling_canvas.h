// SPDX-License-Identifier: GPL-3.0-or-later
// The pooling picture as a widget: steps with the arrow keys, moves the window to a clicked output, edits
// cells of a typed matrix in place. GUI thread.
#pragma once

#include "ui/build/canvas_painter.h"

#include <QWidget>

class QLineEdit;

namespace heteroscope::ui {

class PoolingCanvas : public QWidget {
    Q_OBJECT
  public:
    explicit PoolingCanvas(QWidget* parent = nullptr);

    void setPreview(PoolingPreview preview);
    const PoolingPreview& preview() const { return m_preview; }
    const CanvasLayout& canvasLayout() const { return m_layout; }
    void setEditable(bool editable); ///< a typed matrix: arrows move the cell cursor
    /// First output element to show where not all fit.
    void setOrigin(std::int64_t outRow, std::int64_t outColumn);

    /// Steps over the windows that are shown and whose numbers are known.
    int stepCount() const;
    int step() const { return m_step; }
    void setStep(int step);
    std::pair<std::int64_t, std::int64_t> outputOfStep(int step) const;

    std::pair<std::int64_t, std::int64_t> cursor() const { return m_cursor; }
    QSize minimumSizeHint() const override { return {360, 190}; }
    QSize sizeHint() const override { return {640, 190}; }

  signals:
    void stepChanged(int step);
    void stepCountChanged();
    void playToggled();
    void cellEdited(std::int64_t row, std::int64_t column, const QString& text);
    void pasteRequested(std::int64_t row, std::int64_t column);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void layOut();
    void describe();
    bool stepKey(QKeyEvent* event);
    bool cursorKey(QKeyEvent* event);
    bool editKey(QKeyEvent* event);
    void moveCursor(std::int64_t rows, std::int64_t columns);
    void beginEdit(const QString& text);
    void endEdit(bool keep);

    PoolingPreview m_preview;
    CanvasLayout m_layout;
    std::pair<std::int64_t, std::int64_t> m_origin{0, 0}, m_cursor{0, 0};
    int m_step = 0;
    bool m_editable = false;
    QLineEdit* m_edit;
};

} // namespace heteroscope::ui
