// SPDX-License-Identifier: GPL-3.0-or-later
// Chart points as CSV.
#include "compute/base/cell_table.h"
#include "ui/charts/chart_table_model.h"
#include "ui/charts/text_export.h"
#include "ui/common/language.h"

namespace heteroscope::ui {

namespace {

void appendLine(CellTable& out, const QStringList& cells) {
    for (const QString& cell : cells)
        out.cell(cell.toStdString());
    out.endLine();
}

} // namespace

QByteArray chartToCsv(const ChartData& chart) {
    const EnglishTexts english;
    const ChartTable table = chartTable(chart.inEnglish ? *chart.inEnglish : chart);
    CellTable out;
    appendLine(out, table.header);
    for (const QStringList& row : table.rows)
        appendLine(out, row);
    return QByteArray::fromStdString(out.text());
}

} // namespace heteroscope::ui
