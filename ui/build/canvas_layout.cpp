// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the cell size and the shown corner.
#include "ui/build/canvas_layout.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kMargin = 12;
constexpr double kSmallestFull = 30; ///< below this a part with larger cells says more than the whole
constexpr double kSmallest = 2;

struct AxisSizes {
    std::int64_t in, out, kernel, stride, before, after;
    std::int64_t padded() const { return in + before + after; }
};

/// The shown part when `cells` of the padded input have room.
ShownAxis showAxis(const AxisSizes& sizes, std::int64_t cells, std::int64_t origin) {
    ShownAxis shown;
    if (cells >= sizes.padded())
        return {0, sizes.out, -sizes.before, sizes.padded(), false, false};
    const std::int64_t windows = std::max<std::int64_t>((cells - sizes.kernel) / sizes.stride + 1, 1);
    shown.outCount = std::min(windows, sizes.out);
    shown.firstOut = std::clamp<std::int64_t>(origin, 0, sizes.out - shown.outCount);
    shown.firstIn = shown.firstOut * sizes.stride - sizes.before;
    shown.inCount =
        std::min((shown.outCount - 1) * sizes.stride + sizes.kernel, sizes.in + sizes.after - shown.firstIn);
    shown.before = shown.firstOut > 0;
    shown.after = shown.firstIn + shown.inCount < sizes.in + sizes.after;
    return shown;
}

double marks(const ShownAxis& axis) {
    return (axis.before ? CanvasLayout::kEllipsis : 0) + (axis.after ? CanvasLayout::kEllipsis : 0);
}

double neededWidth(const ShownAxis& columns, double cell) {
    return cell * static_cast<double>(columns.inCount + columns.outCount) + CanvasLayout::kGap +
           2 * marks(columns);
}

double neededHeight(const ShownAxis& rows, double cell) {
    return cell * static_cast<double>(std::max(rows.inCount, rows.outCount)) + CanvasLayout::kTitle +
           marks(rows);
}

} // namespace

CanvasLayout::CanvasLayout(const PoolingPreview& preview, QSizeF size,
                           std::pair<std::int64_t, std::int64_t> origin) {
    if (preview.isEmpty())
        return;
    const auto& p = preview.params();
    const AxisSizes vertical{preview.src().h, preview.dst().h, p.kernel.h,
                             p.stride.h,      p.padding.top,   p.padding.bottom};
    const AxisSizes horizontal{preview.src().w, preview.dst().w, p.kernel.w,
                               p.stride.w,      p.padding.left,  p.padding.right};
    const QSizeF room(size.width() - 2 * kMargin, size.height() - 2 * kMargin);
    m_rows = showAxis(vertical, vertical.padded(), 0);
    m_columns = showAxis(horizontal, horizontal.padded(), 0);
    const double fit =
        std::min((room.width() - kGap) / static_cast<double>(m_columns.inCount + m_columns.outCount),
                 (room.height() - kTitle) / static_cast<double>(std::max(m_rows.inCount, m_rows.outCount)));
    m_cell = std::min(fit, kLargestCell);
    if (m_cell < kSmallestFull) {
        m_cell = kCroppedCell;
        auto shrink = [&](const AxisSizes& sizes, std::int64_t at, double space, auto needed) {
            std::int64_t cells = std::min(sizes.padded(), static_cast<std::int64_t>(space / m_cell) + 1);
            ShownAxis shown = showAxis(sizes, cells, at);
            while (cells > sizes.kernel && needed(shown, m_cell) > space)
                shown = showAxis(sizes, --cells, at);
            return shown;
        };
        m_columns = shrink(horizontal, origin.second, room.width(), neededWidth);
        m_rows = shrink(vertical, origin.first, room.height(), neededHeight);
        const double width = static_cast<double>(m_columns.inCount + m_columns.outCount);
        const double height = static_cast<double>(std::max(m_rows.inCount, m_rows.outCount));
        m_cell = std::min({m_cell, (room.width() - kGap - 2 * marks(m_columns)) / width,
                           (room.height() - kTitle - marks(m_rows)) / height});
    }
    m_cell = std::max(std::floor(m_cell), kSmallest);
    place(size);
}

void CanvasLayout::place(QSizeF size) {
    const double width = neededWidth(m_columns, m_cell);
    const double height = neededHeight(m_rows, m_cell);
    const double left = std::max((size.width() - width) / 2, kMargin) + (m_columns.before ? kEllipsis : 0);
    const double top =
        std::max((size.height() - height) / 2, kMargin) + kTitle + (m_rows.before ? kEllipsis : 0);
    m_inputAt = QPointF(std::round(left), std::round(top));
    const double inputWidth = m_cell * static_cast<double>(m_columns.inCount);
    const double slack = m_cell * static_cast<double>(m_rows.inCount - m_rows.outCount);
    m_outputAt = QPointF(std::round(left + inputWidth + (m_columns.after ? kEllipsis : 0) + kGap +
                                    (m_columns.before ? kEllipsis : 0)),
                         std::round(top + std::max(slack / 2, 0.0)));
}

bool CanvasLayout::isCropped() const {
    return m_rows.before || m_rows.after || m_columns.before || m_columns.after;
}

QRectF CanvasLayout::inputCell(std::int64_t row, std::int64_t column) const {
    return QRectF(m_inputAt.x() + m_cell * static_cast<double>(column - m_columns.firstIn),
                  m_inputAt.y() + m_cell * static_cast<double>(row - m_rows.firstIn), m_cell, m_cell);
}

QRectF CanvasLayout::outputCell(std::int64_t row, std::int64_t column) const {
    return QRectF(m_outputAt.x() + m_cell * static_cast<double>(column - m_columns.firstOut),
                  m_outputAt.y() + m_cell * static_cast<double>(row - m_rows.firstOut), m_cell, m_cell);
}

QRectF CanvasLayout::inputRect() const {
    return QRectF(m_inputAt, QSizeF(m_cell * static_cast<double>(m_columns.inCount),
                                    m_cell * static_cast<double>(m_rows.inCount)));
}

QRectF CanvasLayout::outputRect() const {
    return QRectF(m_outputAt, QSizeF(m_cell * static_cast<double>(m_columns.outCount),
                                     m_cell * static_cast<double>(m_rows.outCount)));
}

bool CanvasLayout::showsOutput(std::int64_t row, std::int64_t column) const {
    return row >= m_rows.firstOut && row < m_rows.firstOut + m_rows.outCount &&
           column >= m_columns.firstOut && column < m_columns.firstOut + m_columns.outCount;
}

bool CanvasLayout::showsInput(std::int64_t row, std::int64_t column) const {
    return row >= m_rows.firstIn && row < m_rows.firstIn + m_rows.inCount && column >= m_columns.firstIn &&
           column < m_columns.firstIn + m_columns.inCount;
}

} // namespace heteroscope::ui
