// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a chart as a table: what the CSV export writes, and what "View as table" shows. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <QAbstractTableModel>

#include <vector>

namespace heteroscope::ui {

/// One row of the table; empty cells are empty texts. Numbers as the C locale writes them, shortest exact
/// form. The header names x and y as the chart's axes do, with their units.
struct ChartTable {
    QStringList header;
    std::vector<QStringList> rows;
};
ChartTable chartTable(const ChartData& chart);

/// For people: at most four significant digits, whose tooltips have all; ends of an interval in one column,
/// and no column that is empty.
class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    using QAbstractTableModel::QAbstractTableModel;
    void setChart(const ChartData& chart);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    struct Cell {
        QString text, exact;
    };
    using Row = std::vector<Cell>;
    static Row rowOf(const ChartData& chart, const ChartSeries& series, const ChartPoint& point);
    void dropEmptyColumns();

    QStringList m_header;
    std::vector<Row> m_rows;
};

} // namespace heteroscope::ui
