// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs as CSV and as LaTeX.
#include "compute/base/cell_table.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/text_export.h"

#include <QLocale>

namespace heteroscope::ui {

namespace {

std::string exactText(const QVariant& value) {
    if (value.userType() == QMetaType::Double)
        return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest).toStdString();
    return value.toString().toStdString();
}

template <class Cells, class Text>
QString joined(const RunTable& table, const Cells& cells, const QString& separator, Text&& text) {
    QStringList parts;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].print)
            parts << text(cells[i]);
    return parts.join(separator);
}

} // namespace

QByteArray runTableToCsv(const RunTable& table) {
    CellTable out;
    for (const RunColumn& column : table.columns) {
        const std::string key = column.key.toStdString();
        if (column.interval)
            out.cells({key + "_low", key + "_high"});
        else
            out.cell(key);
    }
    out.endLine();
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            out.cell(exactText(row[i].value));
            if (table.columns[i].interval)
                out.cell(exactText(row[i].high));
        }
        out.endLine();
    }
    return QByteArray::fromStdString(out.text());
}

QByteArray runTableToLatex(const RunTable& table, const QString& caption) {
    QString alignment;
    for (const RunColumn& column : table.columns)
        if (column.print)
            alignment += QLatin1Char(column.numeric ? 'r' : 'l');
    const QString separator = QStringLiteral(" & "), end = QStringLiteral(" \\\\\n");
    QString out = QStringLiteral("\\begin{table}[htbp]\n  \\centering\n  \\footnotesize\n  \\caption{%1}\n"
                                 "  \\begin{tabular}{%2}\n  \\toprule\n  ")
                      .arg(latexText(caption), alignment);
    out += joined(table, table.columns, separator,
                  [](const RunColumn& column) { return latexText(column.title); }) +
           end;
    out += QStringLiteral("  \\midrule\n");
    for (const auto& row : table.rows)
        out += QStringLiteral("  ") +
               joined(table, row, separator, [](const RunCell& cell) { return latexText(cell.text); }) + end;
    out += QStringLiteral("  \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
    constexpr double kPageWidthMm = 210, kRowMm = 4, kOtherMm = 60;
    const QSizeF page(kPageWidthMm, kOtherMm + kRowMm * static_cast<double>(table.rows.size()));
    return latexDocument({QStringLiteral("\\usepackage{booktabs}"), QStringLiteral("\\usepackage{textcomp}")},
                         page, out)
        .toUtf8();
}

} // namespace heteroscope::ui
