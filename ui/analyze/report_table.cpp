// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/report_table.h"

#include "ui/common/theme.h"

#include <QFont>
#include <QHeaderView>
#include <QScrollBar>
#include <QTreeWidget>

#include <algorithm>

namespace heteroscope::ui {

namespace {
constexpr char kFirstNumber[] = "firstNumberColumn";
} // namespace

QTreeWidget* makeReportTable(const char* name, const QString& accessibleName, const QStringList& columns,
                             int firstNumber) {
    auto* table = new QTreeWidget;
    table->setObjectName(QString::fromLatin1(name));
    table->setAccessibleName(accessibleName);
    table->setHeaderLabels(columns);
    table->setRootIsDecorated(false);
    table->setIndentation(Theme::kSpacing);
    table->header()->setStretchLastSection(false);
    table->setUniformRowHeights(true);
    table->setAlternatingRowColors(true);
    table->setProperty(kFirstNumber, firstNumber);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (int column = firstNumber; column < table->columnCount(); ++column)
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return table;
}

QTreeWidgetItem* addReportRow(QTreeWidget* table, const QStringList& cells, QTreeWidgetItem* part) {
    auto* row = part != nullptr ? new QTreeWidgetItem(part, cells) : new QTreeWidgetItem(table, cells);
    for (int column = table->property(kFirstNumber).toInt(); column < table->columnCount(); ++column)
        row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return row;
}

QTreeWidgetItem* addReportPart(QTreeWidget* table, const QString& title) {
    auto* part = new QTreeWidgetItem(table, QStringList{title});
    QFont bold = table->font();
    bold.setBold(true);
    part->setFont(0, bold);
    part->setFirstColumnSpanned(true);
    part->setExpanded(true);
    return part;
}

void fitReportTable(QTreeWidget* table, int mostRows, int barColumn) {
    for (int column = 0; column < table->columnCount(); ++column) {
        if (column == barColumn)
            continue;
        table->resizeColumnToContents(column);
        table->setColumnWidth(column, table->columnWidth(column) + Theme::kSpacing); // titles are bold
    }
    int rows = table->topLevelItemCount();
    for (int part = 0; part < table->topLevelItemCount(); ++part)
        rows += table->topLevelItem(part)->childCount();
    const int height = std::max(table->sizeHintForRow(0), table->fontMetrics().height());
    table->setFixedHeight(table->header()->sizeHint().height() + std::clamp(rows, 1, mostRows) * height +
                          2 * table->frameWidth() + table->horizontalScrollBar()->sizeHint().height());
}

} // namespace heteroscope::ui
