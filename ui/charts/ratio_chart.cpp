// SPDX-License-Identifier: GPL-3.0-or-later
// Two studies, run by run: how much faster the second is, with intervals.
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/phrase_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

ChartPoint ratioPoint(const profiling::RunComparison& run, double x) {
    ChartPoint point;
    point.x = x;
    point.y = run.comparison->ratio;
    if (run.comparison->hasInterval)
        point.interval = run.comparison->ci95;
    point.doubt = profiling::doubtOf(*run.comparison);
    point.unclear = point.doubt != profiling::Doubt::None;
    point.n = run.samplesB;
    point.nOfA = run.samplesA;
    point.detail = comparisonText(*run.comparison);
    return point;
}

ChartSeries& seriesOf(ChartData& chart, const std::string& target, const std::vector<std::string>& targets) {
    for (ChartSeries& series : chart.series)
        if (series.id == QString::fromStdString(target))
            return series;
    ChartSeries series;
    styleSeries(series, target, targets);
    chart.series.push_back(series);
    return chart.series.back();
}

std::vector<const profiling::RunComparison*> comparable(const profiling::StudyComparison& comparison,
                                                        const ChartInput& input) {
    std::vector<const profiling::RunComparison*> runs;
    for (const auto& run : comparison.runs)
        if (run.comparison && run.comparison->ratio > 0 && isShown(input, run.target))
            runs.push_back(&run);
    return runs;
}

void alongAxis(ChartData& chart, const std::vector<const profiling::RunComparison*>& runs,
               const StudyAxis& axis, const std::vector<std::string>& targets) {
    chart.x = chartAxisFor(axis);
    for (const auto* run : runs) {
        const auto x =
            run->point.contains(axis.pointer) ? axisNumber(run->point.at(axis.pointer)) : std::nullopt;
        if (x)
            seriesOf(chart, run->target, targets).points.push_back(ratioPoint(*run, *x));
    }
    for (ChartSeries& series : chart.series)
        std::sort(series.points.begin(), series.points.end(),
                  [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
}

void byRun(ChartData& chart, const std::vector<const profiling::RunComparison*>& runs,
           const std::vector<std::string>& targets) {
    chart.x.scale = AxisScale::Category;
    chart.x.title = ChartText::tr("Run");
    for (const auto* run : runs) {
        ChartSeries& series = seriesOf(chart, run->target, targets);
        series.kind = SeriesKind::Points;
        series.points.push_back(ratioPoint(*run, chart.x.categories.size()));
        chart.x.categories << series.name;
        chart.x.categoryNotes << pointText(run->point);
    }
}

QString nameOf(const AnalyzedStudy& one) {
    return QStringLiteral("%1, %2").arg(QString::fromStdString(one.study.name()),
                                        QString::fromStdString(one.study.startedUtc));
}

QString captionOf(const ChartInput& input) {
    if (input.furtherPairs.empty())
        return ChartText::tr("B (%1) against A (%2): ratio of medians A/B (of several processes "
                             "their geometric mean) with 95 % intervals; "
                             "above 1 B is faster, hollow marks are UNCLEAR.")
            .arg(nameOf(*input.b), nameOf(*input.a));
    QStringList studies;
    for (const ComparedStudy& one : comparedStudies(input))
        studies << QStringLiteral("%1 (%2)").arg(one.letter, nameOf(*one.study));
    return ChartText::tr("Pairs of studies %1: geometric mean of A/B over the pairs with 95 % intervals; "
                         "above 1 B is faster, hollow marks are UNCLEAR. Verdicts look at the 98 % interval.")
               .arg(studies.join(QStringLiteral(", "))) +
           (input.comparison->tookTurns
                ? QString()
                : QLatin1Char(' ') + ChartText::tr("The studies did not take turns."));
}

} // namespace

ChartData buildRatioChart(const ChartInput& input) {
    const profiling::StudyComparison& comparison = *input.comparison;
    const auto runs = comparable(comparison, input);
    if (runs.empty())
        return notDrawable(ChartText::tr("No run of the two studies has the same point and target."),
                           ChartText::tr("Compare studies that share sizes and targets."));
    const std::vector<std::string> targets = studyTargets(input.a->study);
    ChartData chart;
    if (const auto axis = mainAxis(input))
        alongAxis(chart, runs, *axis, targets);
    else
        byRun(chart, runs, targets);
    chart.y.title = ChartText::tr("Speedup of B over A");
    chart.references.push_back({Qt::Horizontal, 1.0, QString()});
    for (const Phrase& difference : comparison.differences)
        chart.notes.push_back({NoteLevel::Info, ChartText::tr("Differs: %1").arg(phraseText(difference))});
    if (!input.furtherPairs.empty())
        chart.title = ChartText::tr("Comparison of pairs of studies");
    chart.caption = captionOf(input);
    return chart;
}

} // namespace heteroscope::ui
