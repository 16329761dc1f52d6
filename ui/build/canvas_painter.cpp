// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the pooling picture.
#include "ui/build/canvas_painter.h"

#include "ui/common/format.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QColor mix(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
                            float(a.greenF() + (b.greenF() - a.greenF()) * share),
                            float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

QString sizeText(std::int64_t rows, std::int64_t columns) {
    return QStringLiteral("%1 × %2").arg(countText(rows), countText(columns));
}

} // namespace

CanvasPainter::CanvasPainter(QPainter& painter, const PoolingPreview& preview, const CanvasLayout& layout,
                             const CanvasState& state)
    : m_painter(painter),
      m_preview(preview),
      m_layout(layout),
      m_state(state),
      m_colors(Theme::instance().colors()),
      m_window(Theme::seriesColor(1)),
      m_windowText(0x1a1200) {
    if (!Theme::instance().isDark()) {
        m_window = Theme::seriesColor(5);
        m_windowText = QColor(0xffffff);
    }
}

void CanvasPainter::paint() {
    m_painter.setRenderHint(QPainter::Antialiasing);
    const auto window = m_preview.window(m_state.outRow, m_state.outColumn);
    paintInput();
    paintOutput();
    if (window && m_layout.showsOutput(m_state.outRow, m_state.outColumn)) {
        paintBeam(*window);
        paintWindow(*window);
    }
    paintTitles();
    paintMarks(m_layout.inputRect());
    paintMarks(m_layout.outputRect());
}

QColor CanvasPainter::tint(double value) const {
    const double span = m_preview.highest() - m_preview.lowest();
    const double share = span > 0 && std::isfinite(value) ? (value - m_preview.lowest()) / span : 0.0;
    return mix(m_colors.surface, m_colors.accent, 0.05 + 0.33 * std::clamp(share, 0.0, 1.0));
}

void CanvasPainter::text(const QRectF& rect, const QString& words, const QColor& color, bool bold) {
    QFont font = m_painter.font();
    const double share = words.size() < 3 ? 0.42 : words.size() == 3 ? 0.34 : 0.27;
    font.setPixelSize(std::clamp(int(rect.height() * share), 8, 22));
    font.setBold(bold);
    m_painter.save();
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(rect, Qt::AlignCenter, words);
    m_painter.restore();
}

void CanvasPainter::paintInput() {
    const ShownAxis &rows = m_layout.rows(), &columns = m_layout.columns();
    for (std::int64_t row = rows.firstIn; row < rows.firstIn + rows.inCount; ++row)
        for (std::int64_t column = columns.firstIn; column < columns.firstIn + columns.inCount; ++column)
            paintInputCell(row, column);
    if (m_state.cursor && m_layout.showsInput(m_state.cursor->first, m_state.cursor->second)) {
        const QRectF cell = m_layout.inputCell(m_state.cursor->first, m_state.cursor->second);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_state.hasFocus ? m_colors.accent : m_colors.mutedText, 2));
        m_painter.drawRect(cell.adjusted(2, 2, -2, -2));
    }
}

void CanvasPainter::paintInputCell(std::int64_t row, std::int64_t column) {
    const QRectF rect = m_layout.inputCell(row, column);
    const auto cell = m_preview.cell(row, column);
    if (cell && cell->isPadding) {
        m_painter.fillRect(rect, QBrush(m_colors.border, Qt::BDiagPattern));
        m_painter.setPen(QPen(m_colors.border, 1, Qt::DotLine));
    } else {
        m_painter.fillRect(rect, cell ? tint(cell->value) : m_colors.raised);
        m_painter.setPen(QPen(m_colors.border, 1));
    }
    m_painter.setBrush(Qt::NoBrush);
    if (m_layout.cell() >= 5)
        m_painter.drawRect(rect);
    if (cell && m_layout.showsText())
        text(rect, cellText(cell->value), cell->isPadding ? m_colors.mutedText : m_colors.text);
}

void CanvasPainter::paintWindow(const PooledWindow& window) {
    const auto& kernel = m_preview.params().kernel;
    const QRectF first = m_layout.inputCell(window.top, window.left);
    const QRectF area(first.topLeft(),
                      QSizeF(m_layout.cell() * double(kernel.w), m_layout.cell() * double(kernel.h)));
    QColor wash = m_window;
    wash.setAlphaF(0.20F);
    m_painter.fillRect(area, wash);
    if (window.winner) {
        const CellValue& winner = window.cells[*window.winner];
        const QRectF cell = m_layout.inputCell(winner.row, winner.column);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_window);
        m_painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), 4, 4);
        if (m_layout.showsText())
            text(cell, cellText(winner.value), m_windowText, true);
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_window, 3, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
    m_painter.drawRoundedRect(area, 3, 3);
}

void CanvasPainter::paintOutput() {
    const ShownAxis &rows = m_layout.rows(), &columns = m_layout.columns();
    for (std::int64_t row = rows.firstOut; row < rows.firstOut + rows.outCount; ++row)
        for (std::int64_t column = columns.firstOut; column < columns.firstOut + columns.outCount; ++column)
            paintOutputCell(row, column);
}

void CanvasPainter::paintOutputCell(std::int64_t row, std::int64_t column) {
    const QRectF rect = m_layout.outputCell(row, column);
    const auto window = m_preview.window(row, column);
    const bool current = row == m_state.outRow && column == m_state.outColumn;
    const bool filled = row < m_state.outRow || (row == m_state.outRow && column <= m_state.outColumn);
    m_painter.fillRect(rect, current ? m_window : filled && window ? tint(window->result) : m_colors.surface);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_colors.border, 1, filled ? Qt::SolidLine : Qt::DotLine));
    if (m_layout.cell() >= 5)
        m_painter.drawRect(rect);
    if (window && m_layout.showsText())
        text(rect, cellText(window->result),
             current  ? m_windowText
             : filled ? m_colors.text
                      : m_colors.mutedText,
             current);
}

void CanvasPainter::paintBeam(const PooledWindow& window) {
    const auto& kernel = m_preview.params().kernel;
    const QRectF last = m_layout.inputCell(window.top, window.left + kernel.w - 1);
    const double bottom = last.top() + m_layout.cell() * double(kernel.h);
    const QRectF target = m_layout.outputCell(window.outRow, window.outColumn);
    const double edge = std::max(last.right(), m_layout.inputRect().left());
    QPainterPath beam(QPointF(edge, last.top()));
    beam.lineTo(target.topLeft());
    beam.lineTo(target.bottomLeft());
    beam.lineTo(QPointF(edge, bottom));
    beam.closeSubpath();
    QColor wash = m_window;
    wash.setAlphaF(0.06F);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(wash);
    m_painter.drawPath(beam);
    wash.setAlphaF(0.55F);
    m_painter.setPen(QPen(wash, 1.2));
    m_painter.drawLine(QPointF(edge, last.top()), target.topLeft());
    m_painter.drawLine(QPointF(edge, bottom), target.bottomLeft());
}

void CanvasPainter::paintTitles() {
    const auto title = [&](const QRectF& rect, const QString& name, const QString& size, double above) {
        QFont font = m_painter.font();
        font.setBold(true);
        const QRectF line(rect.left() - 40, rect.top() - CanvasLayout::kTitle - above, rect.width() + 80,
                          CanvasLayout::kTitle - 6);
        const QFontMetricsF bold(font), plain(m_painter.font());
        const double width = bold.horizontalAdvance(name) + 8 + plain.horizontalAdvance(size);
        QPointF at(line.center().x() - width / 2, line.bottom() - bold.descent());
        at.setX(std::max(at.x(), 2.0));
        m_painter.save();
        m_painter.setFont(font);
        m_painter.setPen(m_colors.text);
        m_painter.drawText(at, name);
        m_painter.restore();
        m_painter.setPen(m_colors.mutedText);
        m_painter.drawText(at + QPointF(bold.horizontalAdvance(name) + 8, 0), size);
    };
    const double above = m_layout.rows().before ? CanvasLayout::kEllipsis : 0;
    QString size = sizeText(m_preview.src().h, m_preview.src().w);
    if (const auto planes = m_preview.src().c * m_preview.src().n; planes > 1)
        size += tr(" · plane 1 of %1").arg(planes);
    title(m_layout.inputRect(), tr("Input"), size, above);
    title(m_layout.outputRect(), tr("Output"), sizeText(m_preview.dst().h, m_preview.dst().w), above);
}

void CanvasPainter::paintMarks(const QRectF& rect) {
    QFont font = m_painter.font();
    font.setPixelSize(18);
    m_painter.setFont(font);
    m_painter.setPen(m_colors.mutedText);
    const double e = CanvasLayout::kEllipsis;
    const ShownAxis &rows = m_layout.rows(), &columns = m_layout.columns();
    if (columns.after)
        m_painter.drawText(QRectF(rect.right(), rect.top(), e, rect.height()), Qt::AlignCenter,
                           QStringLiteral("⋯"));
    if (columns.before)
        m_painter.drawText(QRectF(rect.left() - e, rect.top(), e, rect.height()), Qt::AlignCenter,
                           QStringLiteral("⋯"));
    if (rows.after)
        m_painter.drawText(QRectF(rect.left(), rect.bottom(), rect.width(), e), Qt::AlignCenter,
                           QStringLiteral("⋮"));
    if (rows.before)
        m_painter.drawText(QRectF(rect.left(), rect.top() - e, rect.width(), e), Qt::AlignCenter,
                           QStringLiteral("⋮"));
}

} // namespace heteroscope::ui
