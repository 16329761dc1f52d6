// SPDX-License-Identifier: GPL-3.0-or-later
// All runs of a study, or of a comparison of two, as plain rows: what the table shows and what its exports
// write. Pure functions.
#pragma once

#include "ui/charts/chart_input.h"

#include <QByteArray>
#include <QString>
#include <QVariant>

#include <vector>

namespace heteroscope::ui {

enum class CellTone { Plain, Good, Bad, Unclear, Muted };

struct RunCell {
    QString text; ///< as shown
    QVariant
        value; ///< to sort by and to export: a number where it is one, else an English word or a given text
    CellTone tone = CellTone::Plain;
    QVariant high = {}; ///< upper end of an interval, whose lower end is `value`
};

struct RunColumn {
    QString key;   ///< in CSV: "median_ms"
    QString title; ///< in the window
    bool numeric = false;
    bool print = true;     ///< part of the LaTeX table
    bool interval = false; ///< two columns in CSV: key_low and key_high
    QString meaning = {};  ///< by the dictionary of figures; of an axis its pointer
};

struct RunTable {
    std::vector<RunColumn> columns;
    std::vector<std::vector<RunCell>> rows; ///< every run, those without a result too
    int column(const QString& key) const;   ///< -1 when absent
};

/// Of a comparison: the ratio of its sides, run by run, of the targets that are shown.
RunTable buildRunTable(const ChartInput& input);

/// One header line, one row a run, C locale.
QByteArray runTableToCsv(const RunTable& table);
/// A `tabular` with booktabs rules of the columns meant for print.
QByteArray runTableToLatex(const RunTable& table, const QString& caption);

CellTone verdictTone(Verdict verdict);

} // namespace heteroscope::ui
