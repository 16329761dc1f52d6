// SPDX-License-Identifier: GPL-3.0-or-later
// Speedup against a named reference: bars for one point, lines for a sweep. Absolute times stand beside it.
#include "profiling/analysis/run_match.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

std::optional<ChartPoint> speedupPoint(const profiling::RunResult& result, double x) {
    if (!result.speedup || result.speedup->ratio <= 0)
        return std::nullopt;
    ChartPoint point;
    point.x = x;
    point.y = result.speedup->ratio;
    point.n = result.timeMs.n;
    if (result.speedup->hasInterval)
        point.interval = result.speedup->ci95;
    point.comparison = *result.speedup;
    point.doubt = profiling::doubtOf(*result.speedup);
    point.unclear = point.doubt != profiling::Doubt::None;
    point.detail =
        QStringLiteral("%1, %2").arg(comparisonText(*result.speedup), millisecondsText(result.timeMs.median));
    return point;
}

void addSpeedupAxis(ChartData& chart, const ChartInput& input) {
    const QString reference = targetLabel(input.a->results.reference, studyTargets(input.a->study));
    double high = 0, low = 1;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            high = std::max(high, point.y);
            low = std::min(low, point.y);
        }
    const bool log = chart.x.scale != AxisScale::Category && high / low > 50;
    chart.y.scale = log ? AxisScale::Log10 : AxisScale::Linear;
    chart.y.fromZero = !log;
    chart.y.title = log ? ChartText::tr("Speedup vs %1, log scale").arg(reference)
                        : ChartText::tr("Speedup vs %1").arg(reference);
    chart.references.push_back({Qt::Horizontal, 1.0, QStringLiteral("1×")});
}

ChartData speedupLines(const ChartInput& input, const StudyAxis& axis) {
    ChartData chart;
    chart.x = chartAxisFor(axis);
    chart.series = linesAlongAxis(input, axis, [&](const profiling::RunResult& result, double x) {
        return result.run->target == input.a->results.reference ? std::nullopt : speedupPoint(result, x);
    });
    addSpeedupAxis(chart, input);
    chart.caption = ChartText::tr("Speedup against %1: ratio of medians (of several processes their "
                                  "geometric mean) with 95 % intervals; hollow marks "
                                  "are UNCLEAR.")
                        .arg(QString::fromStdString(input.a->results.reference));
    return chart;
}

void addBar(ChartData& chart, const profiling::RunResult& result, const std::vector<std::string>& targets) {
    auto point = speedupPoint(result, chart.x.categories.size());
    if (!point)
        return;
    ChartSeries series;
    styleSeries(series, result.run->target, targets);
    series.kind = SeriesKind::Bars;
    point->label = formatSpeedup(point->y);
    if (point->unclear)
        point->label = ChartText::tr("UNCLEAR") + QLatin1Char('\n') + point->label;
    series.points.push_back(*point);
    chart.x.categories << series.name;
    chart.x.categoryNotes << millisecondsText(result.timeMs.median);
    chart.series.push_back(std::move(series));
}

ChartData speedupBars(const ChartInput& input) {
    ChartData chart;
    chart.x.scale = AxisScale::Category;
    const std::string at = chosenPoint(input);
    const std::vector<std::string> targets = studyTargets(input.a->study);
    for (const auto* result : drawableRuns(input))
        if (result->run->point.dump() == at)
            addBar(chart, *result, targets);
    const QString where = pointText(Json::parse(at.empty() ? "{}" : at, nullptr, false));
    chart.x.title = where.isEmpty() ? ChartText::tr("Target, with its median time")
                                    : ChartText::tr("Target, with its median time at %1").arg(where);
    addSpeedupAxis(chart, input);
    chart.caption = ChartText::tr("Speedup against %1: ratio of medians (of several processes their "
                                  "geometric mean), whiskers are 95 % intervals, "
                                  "hatched bars are UNCLEAR; the median time stands under each bar.")
                        .arg(QString::fromStdString(input.a->results.reference));
    return chart;
}

} // namespace

ChartData buildSpeedupChart(const ChartInput& input) {
    if (drawableRuns(input).empty())
        return noResults(input);
    if (studyTargets(input.a->study).size() < 2)
        return notDrawable(ChartText::tr("A speedup needs two targets; this study has one."),
                           ChartText::tr("Add a second target in Build and run again."));
    const auto axis = mainAxis(input);
    ChartData chart = axis && input.options.point.empty() ? speedupLines(input, *axis) : speedupBars(input);
    const bool any = std::any_of(chart.series.begin(), chart.series.end(),
                                 [](const ChartSeries& series) { return !series.points.empty(); });
    if (!any)
        return notDrawable(
            ChartText::tr("No run has a speedup: the reference %1 has no result at the same points.")
                .arg(QString::fromStdString(input.a->results.reference)),
            ChartText::tr("Choose another reference on the right."));
    return chart;
}

} // namespace heteroscope::ui
