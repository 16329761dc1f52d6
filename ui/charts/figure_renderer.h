// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a chart with QPainter: the one renderer of PNG, SVG, PDF and the screen. It uses no clipping,
// patterns or transparency groups that SVG and PDF writers drop; lines are cut to the plot by arithmetic. GUI
// thread.
#pragma once

#include "ui/charts/figure_layout.h"

class QPainter;

namespace heteroscope::ui {

/// The painter's units are those of the layout. Fills the background first.
void paintFigure(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                 const FigureLayout& layout);

/// The sample of a series in a legend: line, marker, bar or box.
void paintLegendSymbol(QPainter& painter, const ChartSeries& series, const FigureStyle& style,
                       const QRectF& rect);

} // namespace heteroscope::ui
