// SPDX-License-Identifier: GPL-3.0-or-later
// The table of chart kinds, in the order of the gallery.
#include "ui/charts/chart_registry.h"

#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/honesty_lint.h"
#include "ui/common/language.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr ChartKind kKinds[] = {
    {"time", QT_TRANSLATE_NOOP("ChartText", "Time against size"), false, buildTimeChart},
    {"speedup", QT_TRANSLATE_NOOP("ChartText", "Speedup"), false, buildSpeedupChart},
    {"threads", QT_TRANSLATE_NOOP("ChartText", "Speedup by threads"), false, buildThreadSpeedupChart},
    {"efficiency", QT_TRANSLATE_NOOP("ChartText", "Thread efficiency"), false, buildEfficiencyChart},
    {"throughput", QT_TRANSLATE_NOOP("ChartText", "Throughput"), false, buildThroughputChart},
    {"samples", QT_TRANSLATE_NOOP("ChartText", "Distribution of samples"), false, buildSamplesChart},
    {"order", QT_TRANSLATE_NOOP("ChartText", "Samples in run order"), false, buildRunOrderChart},
    {"windows", QT_TRANSLATE_NOOP("ChartText", "Time against windows"), false, buildWindowsChart},
    {"roofline", QT_TRANSLATE_NOOP("ChartText", "Roofline of operations"), false, buildRooflineChart},
    {"layers", QT_TRANSLATE_NOOP("ChartText", "Time of layers"), false, buildLayersChart, true},
    {"models", QT_TRANSLATE_NOOP("ChartText", "Time by model"), false, buildModelsChart, true},
    {"parameters", QT_TRANSLATE_NOOP("ChartText", "Time against parameters"), false, buildParametersChart,
     true},
    {"loss", QT_TRANSLATE_NOOP("ChartText", "Loss"), false, buildLossChart, true},
    {"accuracy", QT_TRANSLATE_NOOP("ChartText", "Accuracy"), false, buildAccuracyChart, true},
    {"step-time", QT_TRANSLATE_NOOP("ChartText", "Time of training steps"), false, buildStepTimeChart, true},
    {"learning-rate", QT_TRANSLATE_NOOP("ChartText", "Learning rate"), false, buildLearningRateChart, true},
    {"gradient-norm", QT_TRANSLATE_NOOP("ChartText", "Norm of the gradient"), false, buildGradientNormChart,
     true},
    {"predicted", QT_TRANSLATE_NOOP("ChartText", "Predicted against true"), false, buildPredictedChart, true},
    {"ratio", QT_TRANSLATE_NOOP("ChartText", "Comparison of two studies"), true, buildRatioChart},
};

} // namespace

std::span<const ChartKind> chartKinds() {
    return kKinds;
}

const ChartKind* findChartKind(const QString& id) {
    for (const ChartKind& kind : kKinds)
        if (id == QLatin1String(kind.id))
            return &kind;
    return nullptr;
}

QString chartTitle(const ChartKind& kind) {
    return ChartText::tr(kind.title);
}

namespace {

/// Whose figures they are: the sides may differ in machine, samples and processes. Equal ones are said once.
QString captionsOf(const std::vector<ComparedStudy>& studies) {
    std::vector<std::pair<QString, QStringList>> captions; // with the letters of those that have it
    for (const ComparedStudy& one : studies) {
        const auto known = std::find_if(captions.begin(), captions.end(), [&](const auto& caption) {
            return caption.first == one.study->caption;
        });
        if (known != captions.end())
            known->second << one.letter;
        else
            captions.push_back({one.study->caption, {one.letter}});
    }
    QString text;
    for (const auto& [caption, letters] : captions)
        text += QStringLiteral(" %1: %2").arg(lettersText(letters, studies.size()), caption);
    return text;
}

ChartData completeChart(const ChartKind& kind, const ChartInput& input) {
    if (!input.a || (kind.comparison && !input.comparison))
        return notDrawable(
            ChartText::tr("This chart compares two studies; only one is open."),
            ChartText::tr("Choose two runs in Library, or pairs that took turns, and press Compare."));
    ChartData chart = kind.build(input);
    chart.kind = QLatin1String(kind.id);
    if (chart.title.isEmpty())
        chart.title = chartTitle(kind);
    if (!chart.drawable())
        return chart;
    if (kind.comparison)
        chart.caption += captionsOf(comparedStudies(input));
    else if (!chart.ofTracedSamples)
        chart.caption += QLatin1Char(' ') + input.a->caption;
    const std::vector<ChartNote> notes = honestyNotes(input, chart);
    chart.notes.insert(chart.notes.begin(), notes.begin(), notes.end());
    return chart;
}

} // namespace

ChartData buildChart(const ChartKind& kind, const ChartInput& input) {
    ChartData chart = completeChart(kind, input);
    if (chart.drawable() && textsAreTranslated()) {
        const EnglishTexts english;
        chart.inEnglish = std::make_shared<const ChartData>(completeChart(kind, input));
    }
    return chart;
}

} // namespace heteroscope::ui
