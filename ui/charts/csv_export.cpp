// SPDX-License-Identifier: GPL-3.0-or-later
// Chart points as CSV.
#include "compute/base/csv_cell.h"
#include "ui/charts/chart_table_model.h"
#include "ui/charts/text_export.h"
#include "ui/common/language.h"

namespace heteroscope::ui {

namespace {

void appendLine(QByteArray& out, const QStringList& cells) {
    QStringList fields;
    for (const QString& cell : cells)
        fields << csvField(cell);
    out += fields.join(QLatin1Char(',')).toUtf8() + '\n';
}

} // namespace

QString csvField(const QString& text) {
    return QString::fromStdString(csvCell(text.toStdString()));
}

QByteArray chartToCsv(const ChartData& chart) {
    const EnglishTexts english;
    const ChartTable table = chartTable(chart.inEnglish ? *chart.inEnglish : chart);
    QByteArray out;
    appendLine(out, table.header);
    for (const QStringList& row : table.rows)
        appendLine(out, row);
    return out;
}

} // namespace heteroscope::ui
