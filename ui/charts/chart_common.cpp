// SPDX-License-Identifier: GPL-3.0-or-later
// What several chart builders share: lines along an axis, and the charts that say why they are not there.
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

ChartSeries& seriesFor(std::vector<ChartSeries>& all, const QString& id, const std::string& target,
                       const std::vector<std::string>& targets) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const ChartSeries& s) { return s.id == id; });
    if (found != all.end())
        return *found;
    ChartSeries series;
    styleSeries(series, target, targets);
    series.id = id;
    all.push_back(std::move(series));
    return all.back();
}

// Several combinations of the other axes share a target's colour: they differ in dash and marker.
void restyleCombinations(std::vector<ChartSeries>& all, const std::vector<QString>& suffixes) {
    for (ChartSeries& series : all) {
        const auto at = std::find_if(suffixes.begin(), suffixes.end(),
                                     [&](const QString& suffix) { return series.id.endsWith(suffix); });
        const int index = static_cast<int>(at - suffixes.begin());
        series.dash = dashStyle(index);
        series.marker = markerShape(static_cast<int>(&series - all.data()));
    }
}

} // namespace

ChartData notDrawable(const QString& reason, const QString& advice) {
    ChartData chart;
    chart.reason = reason;
    chart.advice = advice;
    return chart;
}

ChartData noResults(const ChartInput& input) {
    if (!input.live)
        return notDrawable(ChartText::tr("No run of this study has a result."),
                           ChartText::tr("Show a target that is hidden, or open another recording."));
    return notDrawable(ChartText::tr("No run of this study has a result yet."),
                       ChartText::tr("Wait for the first samples, or show a target that is hidden."));
}

ChartAxis chartAxisFor(const StudyAxis& axis) {
    ChartAxis result;
    result.title = axis.title;
    const auto [low, high] = [&] {
        double least = INFINITY, most = -INFINITY;
        for (const Json& value : axis.values) {
            least = std::min(least, axisNumber(value).value_or(0));
            most = std::max(most, axisNumber(value).value_or(0));
        }
        return std::pair(least, most);
    }();
    if (axis.powersOfTwo && high / low >= 8)
        result.scale = AxisScale::Log2;
    else if (low > 0 && high / low >= 50)
        result.scale = AxisScale::Log10;
    if (result.scale != AxisScale::Linear)
        result.title = ChartText::tr("%1, log scale").arg(result.title);
    result.wholeNumbers = true;
    return result;
}

void groupBars(ChartData& chart) {
    constexpr double kGroup = 0.82; // of a category's slot
    const double slot = kGroup / std::max<double>(1, static_cast<double>(chart.series.size()));
    double offset = -(kGroup - slot) / 2;
    for (ChartSeries& series : chart.series) {
        series.kind = SeriesKind::Bars;
        series.barGroup = true;
        series.barWidth = std::min(0.56, slot * 0.92);
        for (ChartPoint& point : series.points)
            point.x += offset;
        offset += slot;
    }
}

void chooseScale(ChartData& chart, const QString& title) {
    double low = INFINITY, high = 0;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            low = std::min(low, point.y);
            high = std::max(high, point.y);
        }
    const bool log = low > 0 && high / low > 20;
    chart.y.scale = log ? AxisScale::Log10 : AxisScale::Linear;
    chart.y.fromZero = !log;
    chart.y.title = log ? ChartText::tr("%1, log scale").arg(title) : title;
}

std::vector<ChartSeries>
linesAlongAxis(const ChartInput& input, const StudyAxis& axis,
               const std::function<std::optional<ChartPoint>(const profiling::RunResult&, double x)>& value) {
    std::vector<ChartSeries> all;
    std::vector<QString> suffixes;
    const std::vector<std::string> targets = studyTargets(input.a->study);
    for (const auto* result : drawableRuns(input)) {
        const auto& run = *result->run;
        if (!run.point.contains(axis.pointer))
            continue;
        const auto x = axisNumber(run.point.at(axis.pointer));
        const auto point = x ? value(*result, *x) : std::nullopt;
        if (!point)
            continue;
        const QString other = pointTextWithout(run.point, axis.pointer);
        const QString suffix = other.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(other);
        if (std::find(suffixes.begin(), suffixes.end(), suffix) == suffixes.end())
            suffixes.push_back(suffix);
        ChartSeries& series =
            seriesFor(all, QString::fromStdString(run.target) + suffix, run.target, targets);
        series.name = targetLabel(run.target, targets) + suffix;
        series.points.push_back(*point);
    }
    for (ChartSeries& series : all)
        std::sort(series.points.begin(), series.points.end(),
                  [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    if (suffixes.size() > 1)
        restyleCombinations(all, suffixes);
    return all;
}

} // namespace heteroscope::ui
