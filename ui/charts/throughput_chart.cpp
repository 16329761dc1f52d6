// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput against size: bytes or operations that the work needs at least, per second of median time.
#include "profiling/analysis/figures.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/common/figure_text.h"
#include "ui/common/format.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr double kGiga = 1e9;

bool countsOperations(const ChartInput& input) {
    return textField(input.a->study.experiment, "kind") == "matmul";
}

const profiling::Figure& rateFigure(bool operations) {
    return operations ? profiling::figure("operations_rate") : profiling::figure("least_bytes_rate");
}

QString unitOf(const profiling::Figure& figure) {
    return QString::fromStdString(std::string(figure.unit));
}

std::optional<ChartPoint> ratePoint(const profiling::RunResult& result, double x, bool operations) {
    const auto work = operations ? profiling::RunWork::Operations : profiling::RunWork::Bytes;
    const auto rate = [&](double ms) {
        return profiling::workPerSecond(*result.run, ms, work).value_or(0) / kGiga;
    };
    ChartPoint point;
    point.x = x;
    point.y = rate(result.timeMs.median);
    if (point.y <= 0)
        return std::nullopt;
    point.n = result.timeMs.n;
    if (result.timeMs.hasInterval && result.timeMs.ci95.low > 0)
        point.interval = Interval{rate(result.timeMs.ci95.high), rate(result.timeMs.ci95.low)};
    if (result.timeMs.n >= 5 && result.timeMs.q1 > 0)
        point.quartiles = Interval{rate(result.timeMs.q3), rate(result.timeMs.q1)};
    if (point.n < 5)
        for (const double ms : result.run->timesMs())
            point.samples.push_back(rate(ms));
    point.detail = QStringLiteral("%1 %2, n = %3")
                       .arg(significant(point.y), unitOf(rateFigure(operations)))
                       .arg(countText(static_cast<std::int64_t>(point.n)));
    return point;
}

} // namespace

ChartData buildThroughputChart(const ChartInput& input) {
    if (drawableRuns(input).empty())
        return noResults(input);
    const auto axis = mainAxis(input);
    if (!axis)
        return notDrawable(ChartText::tr("This study has no axis with at least two numeric values."),
                           ChartText::tr("Add an axis such as the input size in Build and run again."));
    const bool operations = countsOperations(input);
    ChartData chart;
    chart.x = chartAxisFor(*axis);
    chart.series = linesAlongAxis(input, *axis, [operations](const profiling::RunResult& result, double x) {
        return ratePoint(result, x, operations);
    });
    if (chart.series.empty())
        return notDrawable(ChartText::tr("The runs do not say how many bytes or operations they need."),
                           ChartText::tr("Repeat the study with this version of the program."));
    for (ChartSeries& series : chart.series)
        series.band = true;
    const profiling::Figure& figure = rateFigure(operations);
    chooseScale(chart, QStringLiteral("%1 (%2)").arg(figureTitle(figure), unitOf(figure)));
    chart.caption = ChartText::tr("%1: %2; higher is better. Medians with 95 % intervals; quartiles shaded.")
                        .arg(figureTitle(figure), figureMeaning(figure)) +
                    overProcessesSentence(input);
    return chart;
}

} // namespace heteroscope::ui
