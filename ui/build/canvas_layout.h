// SPDX-License-Identifier: GPL-3.0-or-later
// Where the cells of the pooling picture lie, and how much of a large input is shown. Pure; GUI thread.
#pragma once

#include "ui/build/pooling_preview.h"

#include <QRectF>

#include <utility>

namespace heteroscope::ui {

/// The shown part along one axis. Positions of the padded input count from the first padding cell.
struct ShownAxis {
    std::int64_t firstOut = 0, outCount = 0; ///< output elements shown
    std::int64_t firstIn = 0,
                 inCount = 0; ///< cells of the padded input shown; firstIn counts from the input's first
    bool before = false, after = false; ///< cells are left out there
};

class CanvasLayout {
  public:
    CanvasLayout() = default;
    /// `origin` is the first output element (row, column) to show where not all fit.
    CanvasLayout(const PoolingPreview& preview, QSizeF size, std::pair<std::int64_t, std::int64_t> origin);

    const ShownAxis& rows() const { return m_rows; }
    const ShownAxis& columns() const { return m_columns; }
    double cell() const { return m_cell; }
    bool showsText() const { return m_cell >= kTextCell; }
    bool isCropped() const;

    QRectF inputCell(std::int64_t row, std::int64_t column) const; ///< row, column of the input
    QRectF outputCell(std::int64_t row, std::int64_t column) const;
    QRectF inputRect() const;  ///< all shown cells of the input
    QRectF outputRect() const; ///< all shown cells of the output
    bool showsOutput(std::int64_t row, std::int64_t column) const;
    bool showsInput(std::int64_t row, std::int64_t column) const;

    static constexpr double kLargestCell = 60, kTextCell = 20, kCroppedCell = 36;
    static constexpr double kGap = 92;      ///< between input and output: the arrow
    static constexpr double kTitle = 30;    ///< above the matrices
    static constexpr double kEllipsis = 22; ///< room for the mark of what is left out

  private:
    void place(QSizeF size);

    ShownAxis m_rows, m_columns;
    double m_cell = 0;
    QPointF m_inputAt, m_outputAt;
};

} // namespace heteroscope::ui
