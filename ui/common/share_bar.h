// SPDX-License-Identifier: GPL-3.0-or-later
// A bar in a table cell whose pieces are shares of a whole. GUI thread.
#pragma once

#include <QIcon>
#include <QStyledItemDelegate>

namespace heteroscope::ui {

/// A square in the colour of a piece, for the legend.
QIcon shareIcon(int piece);

class ShareBarDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    /// A list of numbers from 0 to 1 that add up to at most 1.
    static constexpr int kSharesRole = Qt::UserRole + 1;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace heteroscope::ui
