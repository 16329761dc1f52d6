// SPDX-License-Identifier: GPL-3.0-or-later
// Model and page of the table of all runs: sortable, filterable, verdicts as words and colours, exports. GUI
// thread.
#pragma once

#include "ui/analyze/run_table.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace heteroscope::ui {

class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    /// Same columns and rows: only the values change, and selection and scrolling stay.
    void setTable(RunTable table);
    const RunTable& table() const { return m_table; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    RunTable m_table;
};

/// Filters rows by words that must all occur somewhere in the row.
class RunFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    explicit RunFilterModel(QObject* parent = nullptr);
    void setFilterText(const QString& text);
    /// The rows as shown: filtered and sorted.
    RunTable shownTable() const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    QStringList m_words;
};

} // namespace heteroscope::ui
