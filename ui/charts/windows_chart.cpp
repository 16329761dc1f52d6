// SPDX-License-Identifier: GPL-3.0-or-later
// Time against the number of windows extracted: what the window strategy pays for each of them.
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/study_windows.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

// "sequential: 412 ns a window": median over the three largest points, where fixed costs matter least.
QString costSentence(const ChartSeries& series) {
    std::vector<double> costs;
    for (std::size_t i = series.points.size() > 3 ? series.points.size() - 3 : 0; i < series.points.size();
         ++i)
        costs.push_back(series.points[i].y / series.points[i].x);
    std::sort(costs.begin(), costs.end());
    return ChartText::tr("%1: %2 per window").arg(series.name, millisecondsText(costs[costs.size() / 2]));
}

} // namespace

ChartData buildWindowsChart(const ChartInput& input) {
    if (drawableRuns(input).empty())
        return noResults(input);
    const auto axis = mainAxis(input);
    if (!axis)
        return notDrawable(ChartText::tr("This study has no axis with at least two numeric values."),
                           ChartText::tr("Add the input size as an axis in Build and run again."));
    ChartData chart;
    chart.series = linesAlongAxis(input, *axis, [&](const profiling::RunResult& result, double) {
        const auto windows = windowsOf(input.a->study, *result.run);
        if (!windows)
            return std::optional<ChartPoint>();
        ChartPoint point = timePoint(result, *windows);
        point.detail = ChartText::tr("%1 windows, %2, %3 per window")
                           .arg(*windows, 0, 'f', 0)
                           .arg(millisecondsText(point.y), millisecondsText(point.y / point.x));
        return std::optional(point);
    });
    if (chart.series.empty())
        return notDrawable(ChartText::tr("Only pooling studies extract windows."),
                           ChartText::tr("Open a pooling study, such as the window-strategy example."));
    for (ChartSeries& series : chart.series) {
        series.band = true;
        chart.findings << costSentence(series);
    }
    chart.x.title = ChartText::tr("Windows extracted, log scale");
    chart.x.scale = AxisScale::Log10;
    chooseScale(chart, ChartText::tr("Time per run (ms)"));
    chart.caption =
        ChartText::tr("Time of one run against the number of windows it extracts: medians with 95 % "
                      "intervals; quartiles shaded. A straight line of slope one is a fixed "
                      "cost per window.") +
        overProcessesSentence(input);
    return chart;
}

} // namespace heteroscope::ui
