// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the samples of a run into a table cell: one dot each in order, higher is slower, with a line at the
// median. GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace heteroscope::ui {

class SampleStripDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A coloured square before the target's name.
class TargetDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace heteroscope::ui
