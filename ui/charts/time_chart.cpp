// SPDX-License-Identifier: GPL-3.0-or-later
// Time against size: the main figure of a sweep, with the sizes from which one target is faster than another.
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/crossover_notes.h"
#include "ui/common/format.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QString pointDetail(const profiling::RunResult& result) {
    QString text = ChartText::tr("median %1").arg(millisecondsText(result.timeMs.median));
    if (result.timeMs.hasInterval)
        text += ChartText::tr(" [%1, %2]")
                    .arg(millisecondsText(result.timeMs.ci95.low), millisecondsText(result.timeMs.ci95.high));
    return text + ChartText::tr(", n = %1").arg(countText(static_cast<std::int64_t>(result.timeMs.n)));
}

} // namespace

ChartData buildTimeChart(const ChartInput& input) {
    if (drawableRuns(input).empty())
        return noResults(input);
    const auto axis = mainAxis(input);
    if (!axis)
        return notDrawable(
            ChartText::tr("This study has no axis with at least two numeric values."),
            ChartText::tr(
                "Add an axis such as the input size in Build, or use the speedup chart for one point."));
    ChartData chart;
    chart.x = chartAxisFor(*axis);
    chart.series = linesAlongAxis(input, *axis, [](const profiling::RunResult& result, double x) {
        ChartPoint point = timePoint(result, x);
        point.detail = pointDetail(result);
        return std::optional(point);
    });
    for (ChartSeries& series : chart.series)
        series.band = true;
    chooseScale(chart, ChartText::tr("Time per run (ms)"));
    addCrossovers(chart, input, *axis);
    chart.caption = ChartText::tr("Time of one run against %1: medians with 95 % intervals (bars) and "
                                  "quartiles (shaded).")
                        .arg(axis->shortName) +
                    overProcessesSentence(input);
    return chart;
}

} // namespace heteroscope::ui
