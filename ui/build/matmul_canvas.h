// SPDX-License-Identifier: GPL-3.0-or-later
// A × B = C with sides to scale; a click or the arrow keys choose the element whose row and column are
// marked. GUI thread.
#pragma once

#include "compute/experiment/spec/spec.h"

#include <QPainter>
#include <QRectF>
#include <QWidget>

namespace heteroscope::ui {

class MatmulCanvas : public QWidget {
    Q_OBJECT
  public:
    explicit MatmulCanvas(QWidget* parent = nullptr);
    void setSpec(const compute::MatmulSpec& spec);
    QSize minimumSizeHint() const override { return {360, 220}; }
    QSize sizeHint() const override { return minimumSizeHint(); }

    std::int64_t row() const { return m_row; }
    std::int64_t column() const { return m_column; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Places {
        QRectF a, b, c;
    };
    Places places() const;
    void paintMatrix(QPainter& painter, const QRectF& rect, const QString& name, std::int64_t rows,
                     std::int64_t columns, bool identity);
    void paintChoice(QPainter& painter, const Places& places);
    void choose(std::int64_t row, std::int64_t column);

    compute::MatmulSpec m_spec;
    std::int64_t m_row = 0, m_column = 0;
};

} // namespace heteroscope::ui
