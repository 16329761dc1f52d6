// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the page of transfers and advice: as wide as their titles ask for, as high as their rows.
#pragma once

#include <QStringList>

class QTreeWidget;
class QTreeWidgetItem;

namespace heteroscope::ui {

/// Columns from `firstNumber` on hold numbers, which stand on the right.
QTreeWidget* makeReportTable(const char* name, const QString& accessibleName, const QStringList& columns,
                             int firstNumber);
/// A row over the whole width that names the rows put below it.
QTreeWidgetItem* addReportPart(QTreeWidget* table, const QString& title);
QTreeWidgetItem* addReportRow(QTreeWidget* table, const QStringList& cells, QTreeWidgetItem* part = nullptr);
/// Columns as wide as they need to be but those of the bar, which keeps its width; at most `mostRows` rows
/// are shown at once.
void fitReportTable(QTreeWidget* table, int mostRows, int barColumn = -1);

} // namespace heteroscope::ui
