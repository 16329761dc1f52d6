// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the column titles itself: a styled QHeaderView keeps place for the sort arrow even where nothing
// sorts.
#include "ui/common/table_header.h"

#include "ui/common/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr int kArrow = 9; ///< width
constexpr int kArrowGap = 6;
constexpr int kVerticalPadding = 6;

void drawArrow(QPainter& painter, const QPointF& center, bool up) {
    const double half = kArrow / 2.0, rise = up ? -3.0 : 3.0;
    QPainterPath arrow;
    arrow.moveTo(center + QPointF(-half, -rise));
    arrow.lineTo(center + QPointF(half, -rise));
    arrow.lineTo(center + QPointF(0, rise));
    arrow.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(arrow, Theme::instance().colors().accent);
}

} // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setHighlightSections(false);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

bool TableHeader::isSorted(int logicalIndex) const {
    return isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
}

QString TableHeader::title(int logicalIndex) const {
    return model() == nullptr ? QString()
                              : model()->headerData(logicalIndex, orientation(), Qt::DisplayRole).toString();
}

QFont TableHeader::titleFont() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

QSize TableHeader::sectionSizeFromContents(int logicalIndex) const {
    const QFontMetrics metrics(titleFont());
    const int arrow = isSortIndicatorShown() ? kArrow + kArrowGap : 0;
    // Whole pixels are rounded; elidedText() counts the parts of them.
    const int text = int(std::ceil(QFontMetricsF(titleFont()).horizontalAdvance(title(logicalIndex))));
    return {text + 2 * kCellMargin + arrow, metrics.height() + 2 * kVerticalPadding};
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter->fillRect(rect, colors.surface);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.border);
    const QVariant wish = model()->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole);
    const auto alignment = wish.isValid() ? Qt::Alignment(wish.toInt()) : Qt::AlignLeft | Qt::AlignVCenter;
    const bool right = alignment & Qt::AlignRight, sorted = isSorted(logicalIndex);
    QRect area = rect.adjusted(kCellMargin, 0, -kCellMargin, 0);
    painter->save();
    painter->setFont(titleFont());
    painter->setPen(sorted ? colors.text : colors.mutedText);
    const QFontMetrics metrics(painter->font());
    const int room = area.width() - (sorted ? kArrow + kArrowGap : 0);
    const QString text = metrics.elidedText(title(logicalIndex), Qt::ElideRight, std::max(room, 0));
    painter->drawText(area, int((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter), text);
    if (sorted) {
        const double away = metrics.horizontalAdvance(text) + kArrowGap + kArrow / 2.0;
        const double x = right ? area.right() + 1 - away : area.left() + away;
        drawArrow(*painter, QPointF(x, rect.center().y() + 0.5), sortIndicatorOrder() == Qt::AscendingOrder);
    }
    painter->restore();
}

} // namespace heteroscope::ui

#include "moc_table_header.cpp"
