// SPDX-License-Identifier: GPL-3.0-or-later
// Every sample: as quartile boxes with dots for one point, and in the order in which they were taken.
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::ui {

namespace {

std::vector<const profiling::RunResult*> runsAtPoint(const ChartInput& input) {
    const std::string at = chosenPoint(input);
    std::vector<const profiling::RunResult*> runs;
    for (const auto* result : drawableRuns(input))
        if (result->run->point.dump() == at)
            runs.push_back(result);
    return runs;
}

QString pointName(const ChartInput& input) {
    const std::string at = chosenPoint(input);
    return pointText(Json::parse(at.empty() ? "{}" : at, nullptr, false));
}

void addBox(ChartData& chart, const profiling::RunResult& result, const std::vector<std::string>& targets) {
    ChartSeries series;
    styleSeries(series, result.run->target, targets);
    series.kind = SeriesKind::Boxes;
    ChartPoint point = timePoint(result, chart.x.categories.size());
    point.detail = ChartText::tr("median %1, quartiles %2 to %3, n = %4, outliers %5")
                       .arg(millisecondsText(result.timeMs.median), millisecondsText(result.timeMs.q1),
                            millisecondsText(result.timeMs.q3))
                       .arg(countText(static_cast<std::int64_t>(result.timeMs.n)))
                       .arg(result.timeMs.outlierCount);
    series.points.push_back(std::move(point));
    chart.x.categories << series.name;
    chart.x.categoryNotes << QStringLiteral("n = %1").arg(
        countText(static_cast<std::int64_t>(result.timeMs.n)));
    chart.series.push_back(std::move(series));
}

// Log when the targets lie more than a factor of 5 apart: on a linear axis the fast ones would be a line.
void scaleOfSamples(ChartData& chart) {
    double low = INFINITY, high = 0;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            low = std::min(low, point.y);
            high = std::max(high, point.y);
        }
    const bool log = low > 0 && high / low > 5;
    chart.y.scale = log ? AxisScale::Log10 : AxisScale::Linear;
    chart.y.title = log ? ChartText::tr("Time per run (ms), log scale") : ChartText::tr("Time per run (ms)");
}

} // namespace

ChartData buildSamplesChart(const ChartInput& input) {
    const auto runs = runsAtPoint(input);
    if (runs.empty())
        return noResults(input);
    ChartData chart;
    chart.x.scale = AxisScale::Category;
    const QString where = pointName(input);
    chart.x.title = where.isEmpty() ? ChartText::tr("Target") : ChartText::tr("Target, at %1").arg(where);
    const std::vector<std::string> targets = studyTargets(input.a->study);
    for (const auto* result : runs)
        addBox(chart, *result, targets);
    scaleOfSamples(chart);
    chart.caption =
        ChartText::tr("Every sample (dots) with its quartiles (box) and median (line). Diamonds lie more "
                      "than 1.5, stars more than 3 interquartile ranges outside the box; none is left "
                      "out of the statistics. Boxes are drawn from 5 samples on.") +
        overProcessesSentence(input);
    return chart;
}

ChartData buildRunOrderChart(const ChartInput& input) {
    const auto runs = runsAtPoint(input);
    if (runs.empty())
        return noResults(input);
    ChartData chart;
    const QString where = pointName(input);
    chart.title = where.isEmpty() ? ChartText::tr("Samples in run order")
                                  : ChartText::tr("Samples in run order, at %1").arg(where);
    chart.x.title = ChartText::tr("Time since the first of these samples (s)");
    const std::vector<std::string> targets = studyTargets(input.a->study);
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto* result : runs)
        for (const auto& sample : result->run->samples)
            if (!sample.warmup && !sample.traced)
                first = std::min(first, sample.startNs);
    for (const auto* result : runs) {
        ChartSeries series;
        styleSeries(series, result->run->target, targets);
        series.kind = SeriesKind::Points;
        for (const auto& sample : result->run->samples) {
            if (sample.warmup || sample.traced)
                continue;
            ChartPoint point;
            point.x = static_cast<double>(sample.startNs - first) * 1e-9;
            point.y = sample.wallMs;
            point.n = 1;
            point.detail =
                ChartText::tr("sample %1, %2").arg(sample.sample + 1).arg(millisecondsText(sample.wallMs));
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
    }
    scaleOfSamples(chart);
    chart.caption =
        ChartText::tr("Single samples in the order in which they were taken; a slope or a step means that "
                      "the machine changed during the study. Warm-ups and traced samples are left out.");
    return chart;
}

} // namespace heteroscope::ui
