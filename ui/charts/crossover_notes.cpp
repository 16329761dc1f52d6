// SPDX-License-Identifier: GPL-3.0-or-later
// Crossover marks and sentences.
#include "ui/charts/crossover_notes.h"

#include "profiling/analysis/crossover.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

using profiling::Crossover;
using profiling::CurvePoint;

// The last measured size decides; said only when every common size agrees.
QString alwaysSentence(const std::vector<CurvePoint>& reference, const std::vector<CurvePoint>& other,
                       const QString& referenceName, const QString& name) {
    int faster = 0, slower = 0;
    for (const CurvePoint& a : reference)
        for (const CurvePoint& b : other)
            if (a.x == b.x) {
                faster += profiling::isClearlyFaster(b, a);
                slower += profiling::isClearlyFaster(a, b);
            }
    if (faster > 1 && slower == 0)
        return ChartText::tr("%1 is not slower than %2 at any size").arg(name, referenceName);
    if (slower > 1 && faster == 0)
        return ChartText::tr("%1 is not faster than %2 at any size").arg(name, referenceName);
    return {};
}

QString crossoverSentence(const Crossover& crossover, const QString& winner, const QString& loser,
                          const QString& axis) {
    const QString text = ChartText::tr("%1 is faster than %2 from %3 = %4")
                             .arg(winner, loser, axis, numberText(crossover.above, 10));
    return crossover.clear ? text : ChartText::tr("%1, but UNCLEAR there").arg(text);
}

} // namespace

void addCrossovers(ChartData& chart, const ChartInput& input, const StudyAxis& axis) {
    const auto runs = drawableRuns(input);
    const bool few =
        std::any_of(runs.begin(), runs.end(), [](const auto* run) { return !run->timeMs.hasInterval; });
    if (few || studyAxes(input.a->study).size() > 1)
        return; // without intervals nothing is claimed; with several axes a pair of targets has many curves
    const auto& results = input.a->results;
    const std::vector<std::string> targets = studyTargets(input.a->study);
    const auto reference = profiling::curveOf(results, results.reference, axis.pointer);
    const QString referenceName = targetLabel(results.reference, targets);
    for (const std::string& target : targets) {
        if (target == results.reference ||
            input.options.hiddenTargets.contains(QString::fromStdString(target)) ||
            input.options.hiddenTargets.contains(QString::fromStdString(results.reference)))
            continue;
        const auto curve = profiling::curveOf(results, target, axis.pointer);
        const QString name = targetLabel(target, targets);
        const auto crossovers = profiling::findCrossovers(reference, curve);
        if (crossovers.empty()) {
            if (const QString always = alwaysSentence(reference, curve, referenceName, name);
                !always.isEmpty())
                chart.findings << always;
            continue;
        }
        const Crossover& last = crossovers.back();
        const QString winner = last.firstIsFasterAbove ? referenceName : name;
        chart.findings << crossoverSentence(last, winner, last.firstIsFasterAbove ? name : referenceName,
                                            axis.shortName);
        if (last.clear && chart.annotations.size() < kMostCrossoverMarks)
            chart.annotations.push_back({last.x, last.timeMs,
                                         ChartText::tr("%1 is faster from %2 = %3")
                                             .arg(winner, axis.shortName, numberText(last.above, 10))});
    }
}

} // namespace heteroscope::ui
