// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as text: the exact plotted points as CSV, and a LaTeX file with pgfplots that compiles by itself. C
// locale. Pure functions.
#pragma once

#include "ui/charts/chart_data.h"

#include <QByteArray>
#include <QSet>
#include <QSizeF>

namespace heteroscope::ui {

/// One header line, one row a point; no preamble.
QByteArray chartToCsv(const ChartData& chart);

/// `\documentclass{standalone}` with the data inline.
QByteArray chartToPgfplots(const ChartData& chart, QSizeF millimetres, const QSet<QString>& hidden);

/// A field of a CSV line, quoted where needed.
QString csvField(const QString& text);
/// Text with LaTeX's special characters written so that they print.
QString latexText(const QString& text);

} // namespace heteroscope::ui
