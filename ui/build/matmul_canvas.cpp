// SPDX-License-Identifier: GPL-3.0-or-later
// Painting and keys of the matrix-multiplication picture.
#include "ui/build/matmul_canvas.h"

#include "ui/common/format.h"
#include "ui/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kSign = 48, kTitle = 26, kMatrixCaption = 26, kMatrixMargin = 16;
constexpr double kThinnest = 10;    ///< a matrix is never drawn thinner
constexpr double kSmallestCell = 7; ///< grid lines from here on

} // namespace

MatmulCanvas::MatmulCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setObjectName(QStringLiteral("matmul-canvas"));
    setAccessibleName(tr("Picture of the matrix multiplication"));
    setToolTip(tr("Arrows or a click choose an element of C; its row of A and column of B are marked"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MatmulCanvas::setSpec(const compute::MatmulSpec& spec) {
    const bool fresh = m_spec.m != spec.m || m_spec.n != spec.n;
    m_spec = spec;
    if (fresh || (m_row == 0 && m_column == 0))
        choose(spec.m / 3, spec.n * 2 / 3);
    choose(m_row, m_column);
}

void MatmulCanvas::choose(std::int64_t row, std::int64_t column) {
    m_row = std::clamp<std::int64_t>(row, 0, m_spec.m - 1);
    m_column = std::clamp<std::int64_t>(column, 0, m_spec.n - 1);
    setAccessibleDescription(
        tr("Row %1 of A and column %2 of B give one element of C").arg(m_row).arg(m_column));
    update();
}

MatmulCanvas::Places MatmulCanvas::places() const {
    const auto m = double(m_spec.m), n = double(m_spec.n), k = double(m_spec.k);
    const double across = width() - 2 * (kMatrixMargin + kSign),
                 down = height() - kTitle - kMatrixCaption - 2 * kMatrixMargin;
    const double scale = std::min(across / (k + n + n), down / std::max(m, k));
    const auto side = [&](double size) { return std::max(std::round(size * scale), kThinnest); };
    const double total = side(k) + 2 * side(n) + 2 * kSign;
    const double left = (width() - total) / 2;
    const double middle = kTitle + kMatrixMargin + down / 2;
    const auto at = [&](double x, double columns, double rows) {
        return QRectF(std::round(x), std::round(middle - side(rows) / 2), side(columns), side(rows));
    };
    Places p;
    p.a = at(left, k, m);
    p.b = at(p.a.right() + kSign, n, k);
    p.c = at(p.b.right() + kSign, n, m);
    return p;
}

void MatmulCanvas::paintMatrix(QPainter& painter, const QRectF& rect, const QString& name, std::int64_t rows,
                               std::int64_t columns, bool identity) {
    const ThemeColors& colors = Theme::instance().colors();
    QColor fill = colors.accent;
    fill.setAlphaF(0.14F);
    painter.fillRect(rect, fill);
    painter.setPen(QPen(colors.border, 1));
    const double stepX = rect.width() / double(columns), stepY = rect.height() / double(rows);
    if (stepX >= kSmallestCell && stepY >= kSmallestCell) {
        for (std::int64_t i = 1; i < columns; ++i)
            painter.drawLine(QPointF(rect.left() + stepX * double(i), rect.top()),
                             QPointF(rect.left() + stepX * double(i), rect.bottom()));
        for (std::int64_t i = 1; i < rows; ++i)
            painter.drawLine(QPointF(rect.left(), rect.top() + stepY * double(i)),
                             QPointF(rect.right(), rect.top() + stepY * double(i)));
    }
    if (identity) {
        const double steps = double(std::min(rows, columns));
        painter.setPen(QPen(colors.accent, 2));
        painter.drawLine(rect.topLeft(), QPointF(rect.left() + stepX * steps, rect.top() + stepY * steps));
    }
    painter.setPen(QPen(colors.mutedText, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
    QFont bold = painter.font();
    bold.setBold(true);
    painter.save();
    painter.setFont(bold);
    painter.setPen(colors.text);
    painter.drawText(QRectF(rect.left() - 60, rect.top() - kTitle, rect.width() + 120, kTitle - 4),
                     Qt::AlignHCenter | Qt::AlignBottom, name);
    painter.restore();
    painter.setPen(colors.mutedText);
    painter.drawText(QRectF(rect.left() - 60, rect.bottom() + 4, rect.width() + 120, kMatrixCaption),
                     Qt::AlignHCenter | Qt::AlignTop,
                     QStringLiteral("%1 × %2").arg(countText(rows), countText(columns)));
}

void MatmulCanvas::paintChoice(QPainter& painter, const Places& p) {
    const QColor mark = Theme::seriesColor(Theme::instance().isDark() ? 1 : 5);
    QColor wash = mark;
    wash.setAlphaF(0.45F);
    const double rowHeight = std::max(p.a.height() / double(m_spec.m), 3.0);
    const double columnWidth = std::max(p.b.width() / double(m_spec.n), 3.0);
    const double y = p.a.top() + (p.a.height() - rowHeight) * double(m_row) /
                                     double(std::max<std::int64_t>(m_spec.m - 1, 1));
    const double x =
        (p.b.width() - columnWidth) * double(m_column) / double(std::max<std::int64_t>(m_spec.n - 1, 1));
    const QRectF row(p.a.left(), y, p.a.width(), rowHeight);
    const QRectF column(p.b.left() + x, p.b.top(), columnWidth, p.b.height());
    const QRectF element(p.c.left() + x, y, columnWidth, rowHeight);
    painter.setPen(QPen(mark, 1));
    painter.setBrush(wash);
    painter.drawRect(row);
    painter.drawRect(column);
    painter.setBrush(mark);
    painter.drawRect(element.width() < 6 ? element.adjusted(-2, -2, 2, 2) : element);
}

void MatmulCanvas::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Places p = places();
    paintMatrix(painter, p.a, tr("A"), m_spec.m, m_spec.k, false);
    const bool identity = m_spec.right == compute::MatmulRight::Identity;
    paintMatrix(painter, p.b, identity ? tr("B = identity") : tr("B"), m_spec.k, m_spec.n, identity);
    paintMatrix(painter, p.c, tr("C"), m_spec.m, m_spec.n, false);
    paintChoice(painter, p);
    QFont sign = painter.font();
    sign.setPixelSize(24);
    painter.setFont(sign);
    painter.setPen(colors.text);
    const double middle = p.a.center().y();
    painter.drawText(QRectF(p.a.right(), middle - 20, kSign, 40), Qt::AlignCenter, QStringLiteral("×"));
    painter.drawText(QRectF(p.b.right(), middle - 20, kSign, 40), Qt::AlignCenter, QStringLiteral("="));
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
}

void MatmulCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const Places p = places();
    const QPointF at = event->position();
    const auto part = [](double x, double start, double length, std::int64_t count) {
        return static_cast<std::int64_t>((x - start) / length * double(count));
    };
    if (p.c.contains(at))
        choose(part(at.y(), p.c.top(), p.c.height(), m_spec.m),
               part(at.x(), p.c.left(), p.c.width(), m_spec.n));
    else if (p.a.contains(at))
        choose(part(at.y(), p.a.top(), p.a.height(), m_spec.m), m_column);
    else if (p.b.contains(at))
        choose(m_row, part(at.x(), p.b.left(), p.b.width(), m_spec.n));
}

void MatmulCanvas::keyPressEvent(QKeyEvent* event) {
    const std::int64_t down = std::max<std::int64_t>(m_spec.m / 32, 1),
                       across = std::max<std::int64_t>(m_spec.n / 32, 1);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        choose(m_row + (event->key() == Qt::Key_Down ? down : -down), m_column);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        choose(m_row, m_column + (event->key() == Qt::Key_Right ? across : -across));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void MatmulCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void MatmulCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace heteroscope::ui

#include "moc_matmul_canvas.cpp"
