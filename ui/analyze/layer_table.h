// SPDX-License-Identifier: GPL-3.0-or-later
// Layers against targets: the time of a forward and of a backward pass of each, a bar in its cell, and how
// many times faster than the reference. GUI thread.
#pragma once

#include "ui/charts/chart_input.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QTreeWidget;

namespace heteroscope::ui {

/// Text over a bar from the left.
class CellBarDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    static constexpr int kShareRole = Qt::UserRole + 1; ///< of the cell's width, 0 to 1
    static constexpr int kColorRole = Qt::UserRole + 2;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

class LayerTable : public QWidget {
    Q_OBJECT
  public:
    explicit LayerTable(QWidget* parent = nullptr);
    /// The layers and runs that the chart of layers shows; the reference of the study's speedups.
    void setInput(const ChartInput& input);

  private:
    QTreeWidget* m_table;
};

} // namespace heteroscope::ui
