// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as text: the exact plotted points as CSV, and a LaTeX file with pgfplots that compiles by itself. C
// locale. Pure functions.
#pragma once

#include "ui/charts/chart_data.h"

#include <QByteArray>
#include <QSet>
#include <QSizeF>
#include <QStringList>

namespace heteroscope::ui {

/// One header line, one row a point; no preamble. English in every language of the window.
QByteArray chartToCsv(const ChartData& chart);

/// A figure with its caption and the data inline; compiles by itself and can be read with \input (see
/// latexDocument).
QByteArray chartToPgfplots(const ChartData& chart, QSizeF millimetres, const QSet<QString>& hidden);

/// Text with LaTeX's special characters written so that they print. Characters that a plain LaTeX does not
/// know appear as "[U+4E2D]".
QString latexText(const QString& text);
/// A file that pdflatex compiles by itself (on a page of this size) and that a paper reads with \input once
/// its preamble holds the same lines.
QString latexDocument(const QStringList& preamble, QSizeF pageMillimetres, const QString& body);

} // namespace heteroscope::ui
