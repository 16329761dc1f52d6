// SPDX-License-Identifier: GPL-3.0-or-later
// Paints shares as a stacked bar.
#include "ui/common/share_bar.h"

#include "ui/common/theme.h"

#include <QPainter>
#include <QPixmap>

namespace heteroscope::ui {

QIcon shareIcon(int piece) {
    QPixmap square(12, 12);
    square.fill(Theme::seriesColor(piece));
    return QIcon(square);
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QRectF bar = QRectF(option.rect).adjusted(4, 4, -4, -4);
    painter->fillRect(bar, Theme::instance().colors().grid); // the whole, of which the pieces are shares
    double at = bar.left();
    int piece = 0;
    for (const QVariant& share : index.data(kSharesRole).toList()) {
        const double width = bar.width() * share.toDouble();
        painter->fillRect(QRectF(at, bar.top(), width, bar.height()), Theme::seriesColor(piece++));
        at += width;
    }
}

} // namespace heteroscope::ui

#include "moc_share_bar.cpp"
