// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs as an item model.
#include "ui/analyze/run_table_model.h"

#include "ui/common/theme.h"

#include <QFont>

#include <algorithm>

namespace heteroscope::ui {

namespace {

QVariant toneColor(CellTone tone) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (tone) {
    case CellTone::Good:
        return colors.good;
    case CellTone::Bad:
        return colors.error;
    case CellTone::Unclear:
        return colors.warning;
    case CellTone::Muted:
        return colors.mutedText;
    case CellTone::Plain:
        break;
    }
    return {};
}

bool sameColumns(const RunTable& a, const RunTable& b) {
    return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                      [](const RunColumn& x, const RunColumn& y) { return x.key == y.key; });
}

} // namespace

void RunTableModel::setTable(RunTable table) {
    if (sameColumns(table, m_table) && table.rows.size() == m_table.rows.size() && !table.rows.empty()) {
        m_table = std::move(table);
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const RunCell& cell =
        m_table.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.text.size() > 24 ? QVariant(cell.text) : QVariant();
    case kSortRole:
        return cell.value;
    case Qt::ForegroundRole:
        return toneColor(cell.tone);
    case Qt::TextAlignmentRole: {
        const bool numeric = m_table.columns[static_cast<std::size_t>(index.column())].numeric;
        return QVariant((numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    const RunColumn& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    return role == Qt::ToolTipRole ? QVariant(column.meaning) : QVariant();
}

RunFilterModel::RunFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunTableModel::kSortRole);
}

void RunFilterModel::setFilterText(const QString& text) {
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
            if (sourceModel()
                    ->index(row, column, parent)
                    .data()
                    .toString()
                    .contains(word, Qt::CaseInsensitive))
                return true;
        return false;
    });
}

RunTable RunFilterModel::shownTable() const {
    const RunTable& all = static_cast<const RunTableModel*>(sourceModel())->table();
    RunTable shown;
    shown.columns = all.columns;
    for (int row = 0; row < rowCount(); ++row)
        shown.rows.push_back(all.rows[static_cast<std::size_t>(mapToSource(index(row, 0)).row())]);
    return shown;
}

} // namespace heteroscope::ui

#include "moc_run_table_model.cpp"
