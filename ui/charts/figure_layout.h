// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of a figure lies: computed once from chart data, size and style, then used for painting on
// any device and for finding what is under the mouse. GUI thread (needs font metrics).
#pragma once

#include "ui/charts/chart_data.h"
#include "ui/charts/figure_style.h"
#include "ui/charts/ticks.h"

#include <QRectF>
#include <QSet>
#include <QSizeF>

#include <optional>
#include <vector>

namespace heteroscope::ui {

struct FigureRequest {
    QSizeF size; ///< painter units: inches times style.dpi
    FigureStyle style;
    QSet<QString> hiddenSeries;           ///< ids
    std::optional<Interval> xView, yView; ///< zoomed ranges; else everything
};

/// Data to painter units along one axis.
struct AxisMap {
    AxisScale scale = AxisScale::Linear;
    double low = 0, high = 1;  ///< data
    double start = 0, end = 1; ///< painter units of low and high
    bool contains(double value) const;
    double toUnits(double value) const;
    double toValue(double units) const;
};

struct LegendEntry {
    QRectF rect;
    int series = 0;
};

struct FigureLayout {
    QRectF figure, plot, title, caption, xTitle, yTitle;
    AxisMap x, y;
    std::vector<Tick> xTicks, yTicks;
    std::vector<LegendEntry> legend;
    double categoryWidth = 0;       ///< painter units of one category slot; 0 without categories
    bool uprightCategories = false; ///< their names are turned, because they are wider than their slots

    QPointF point(double px, double py) const { return {x.toUnits(px), y.toUnits(py)}; }
};

/// Name and note of a category in one line.
QString uprightLabel(const ChartAxis& axis, int index);

FigureLayout layoutFigure(const ChartData& chart, const FigureRequest& request);

/// Series that a layout draws.
bool seriesVisible(const ChartSeries& series, const FigureRequest& request);

constexpr double kUprightLabelPt = 90; ///< longest name of a category that is turned; the rest is left out
constexpr double kLegendSymbolPt = 20; ///< width of the line sample in a legend

} // namespace heteroscope::ui
