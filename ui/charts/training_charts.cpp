// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/training_charts.h"

#include "profiling/analysis/training_curves.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

using profiling::StudyRun;
using profiling::TrainingRecord;
using Runs = std::vector<const StudyRun*>;

struct Figure {
    const char* title;
    const char* y;
    std::vector<double> TrainingRecord::*column;
    std::optional<double> TrainingEpoch::*validation; ///< nullptr: none
};

Figure figureOf(TrainingFigure figure) {
    switch (figure) {
    case TrainingFigure::Loss:
        return {QT_TRANSLATE_NOOP("ChartText", "Loss while training"), QT_TRANSLATE_NOOP("ChartText", "Loss"),
                &TrainingRecord::loss, &TrainingEpoch::validationLoss};
    case TrainingFigure::Accuracy:
        return {QT_TRANSLATE_NOOP("ChartText", "Accuracy while training"),
                QT_TRANSLATE_NOOP("ChartText", "Accuracy"), &TrainingRecord::accuracy,
                &TrainingEpoch::validationAccuracy};
    case TrainingFigure::StepTime:
        return {QT_TRANSLATE_NOOP("ChartText", "Time of training steps"),
                QT_TRANSLATE_NOOP("ChartText", "Time of a step (ms)"), &TrainingRecord::stepMs, nullptr};
    case TrainingFigure::LearningRate:
        return {QT_TRANSLATE_NOOP("ChartText", "Learning rate"),
                QT_TRANSLATE_NOOP("ChartText", "Learning rate"), &TrainingRecord::learningRate, nullptr};
    case TrainingFigure::GradientNorm:
    case TrainingFigure::Predicted:
        break;
    }
    return {QT_TRANSLATE_NOOP("ChartText", "Norm of the gradient"),
            QT_TRANSLATE_NOOP("ChartText", "Norm of the gradient"), &TrainingRecord::gradientNorm, nullptr};
}

void addPoints(ChartSeries& series, const std::vector<double>& values, const TrainingRecord& record) {
    for (const profiling::StepValue& each :
         profiling::thinned(values, static_cast<double>(record.firstStep + 1), kCurveColumns)) {
        ChartPoint point;
        point.x = each.x;
        point.y = each.y;
        point.detail = ChartText::tr("%1 after step %2").arg(significant(each.y, 4)).arg(each.x, 0, 'f', 0);
        series.points.push_back(std::move(point));
    }
}

ChartSeries curveOf(const StudyRun& run, const std::vector<std::string>& targets, const char* part) {
    ChartSeries series;
    styleSeries(series, run.target, targets);
    series.id += QLatin1Char(' ') + QLatin1String(part);
    series.dash = DashStyle::Solid;
    series.marker = MarkerShape::None;
    return series;
}

/// Validation of each epoch, at the step that ended it.
ChartSeries validationOf(const StudyRun& run, const std::vector<std::string>& targets,
                         std::optional<double> TrainingEpoch::*value) {
    ChartSeries series = curveOf(run, targets, "validation");
    series.dash = DashStyle::Dash;
    series.marker = MarkerShape::Circle;
    for (const TrainingEpoch& epoch : run.training.epochs) {
        const auto& y = epoch.*value;
        if (!y || !std::isfinite(*y))
            continue;
        ChartPoint point;
        point.x = static_cast<double>(epoch.epoch * run.training.stepsPerEpoch);
        point.y = *y;
        point.detail =
            epoch.best
                ? ChartText::tr("%1 after epoch %2, the best so far").arg(significant(*y, 4)).arg(epoch.epoch)
                : ChartText::tr("%1 after epoch %2").arg(significant(*y, 4)).arg(epoch.epoch);
        series.points.push_back(std::move(point));
    }
    return series;
}

void addRun(ChartData& chart, const StudyRun& run, const std::vector<std::string>& targets,
            const Figure& figure, bool alone, double smoothing) {
    const std::vector<double>& values = run.training.*figure.column;
    const QString name = targetLabel(run.target, targets);
    const bool smooth = smoothing > 0 && figure.column != &TrainingRecord::learningRate;
    if (alone && smooth) {
        ChartSeries raw = curveOf(run, targets, "steps");
        raw.name = ChartText::tr("Each step");
        raw.faint = true;
        addPoints(raw, values, run.training);
        chart.series.push_back(std::move(raw));
    }
    ChartSeries curve = curveOf(run, targets, "smoothed");
    curve.name = alone && smooth ? ChartText::tr("Training, smoothed")
                 : alone         ? ChartText::tr("Training")
                                 : ChartText::tr("%1, training").arg(name);
    addPoints(curve, smooth ? profiling::smoothed(values, smoothing) : values, run.training);
    if (!curve.points.empty())
        chart.series.push_back(std::move(curve));
    if (figure.validation == nullptr)
        return;
    ChartSeries validation = validationOf(run, targets, figure.validation);
    validation.name = alone ? ChartText::tr("Validation") : ChartText::tr("%1, validation").arg(name);
    if (alone)
        validation.color = QColor(0xd5, 0x5e, 0x00);
    if (!validation.points.empty())
        chart.series.push_back(std::move(validation));
}

bool allPositive(const ChartData& chart) {
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            if (point.y <= 0)
                return false;
    return true;
}

ChartData nothingTrained() {
    return notDrawable(ChartText::tr("No run of this study trains a network on a dataset."),
                       ChartText::tr("Run an experiment with the task \"train\" and a data set: its curves "
                                     "appear with the first steps."));
}

QString captionOf(const TrainingStyle& style, bool alone) {
    QString text = alone ? ChartText::tr("Training of one run.") : ChartText::tr("Training of several runs.");
    if (style.smoothing > 0)
        text += QLatin1Char(' ') +
                ChartText::tr("Smoothed: exponential moving average of weight %1 with bias correction, "
                              "m(t) / (1 - w^t).")
                    .arg(style.smoothing, 0, 'f', 2);
    return text;
}

ChartData predictedChart(const Runs& runs, const std::vector<std::string>& targets) {
    ChartData chart;
    double low = INFINITY, high = -INFINITY;
    for (const StudyRun* run : runs) {
        const TrainingEvaluation* evaluation = shownEvaluation(*run);
        if (evaluation == nullptr || evaluation->predicted.empty())
            continue;
        ChartSeries series;
        styleSeries(series, run->target, targets);
        series.kind = SeriesKind::Points;
        const std::size_t pairs = std::min(evaluation->predicted.size(), evaluation->target.size());
        for (std::size_t i = 0; i < pairs; ++i) {
            ChartPoint point;
            point.x = evaluation->target[i];
            point.y = evaluation->predicted[i];
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                continue;
            low = std::min({low, point.x, point.y});
            high = std::max({high, point.x, point.y});
            point.detail = ChartText::tr("predicted %1").arg(significant(point.y, 4));
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
        chart.caption = ChartText::tr("Predicted against true values of the examples for %1 after epoch %2; "
                                      "on the line both are equal.")
                            .arg(QString::fromStdString(evaluation->part))
                            .arg(evaluation->epoch);
    }
    if (!(high >= low))
        return notDrawable(ChartText::tr("No run predicts numbers, or none was evaluated yet."),
                           ChartText::tr("Networks of regression are evaluated after each epoch."));
    ChartSeries equal;
    equal.id = QStringLiteral("equal");
    equal.name = ChartText::tr("predicted = true");
    equal.color = QColor(0x80, 0x80, 0x80);
    equal.derived = true;
    equal.points = {ChartPoint{low, low, {}, {}, {}, {}, 0, {}, {}, false},
                    ChartPoint{high, high, {}, {}, {}, {}, 0, {}, {}, false}};
    chart.series.push_back(std::move(equal));
    chart.title = ChartText::tr("Predicted against true");
    chart.x.title = ChartText::tr("True value");
    chart.y.title = ChartText::tr("Predicted value");
    return chart;
}

} // namespace

bool isTraining(const StudyRun& run) {
    return !run.training.empty();
}

const TrainingEvaluation* shownEvaluation(const StudyRun& run) {
    const TrainingEvaluation* test = run.training.evaluation("test");
    return test != nullptr ? test : run.training.evaluation("validation");
}

ChartData trainingChart(TrainingFigure figure, const Runs& runs, const std::vector<std::string>& targets,
                        const TrainingStyle& style) {
    if (runs.empty())
        return nothingTrained();
    if (figure == TrainingFigure::Predicted)
        return predictedChart(runs, targets);
    const Figure what = figureOf(figure);
    ChartData chart;
    for (const StudyRun* run : runs)
        addRun(chart, *run, targets, what, runs.size() == 1, style.smoothing);
    if (chart.series.empty() && figure == TrainingFigure::GradientNorm)
        return notDrawable(ChartText::tr("The norm of the gradient was not recorded."),
                           ChartText::tr("Ask for it in the experiment's training section."));
    if (chart.series.empty())
        return notDrawable(ChartText::tr("No step of the training has been told yet."),
                           ChartText::tr("The curve appears with the first steps."));
    chart.title = ChartText::tr(what.title);
    chart.x.title = ChartText::tr("Step");
    chart.x.wholeNumbers = true;
    const bool log = style.logScale && allPositive(chart);
    chart.y.scale = log ? AxisScale::Log10 : AxisScale::Linear;
    chart.y.title = ChartText::tr(what.y);
    if (log)
        chart.y.title = ChartText::tr("%1, log scale").arg(chart.y.title);
    chart.caption = captionOf(style, runs.size() == 1);
    return chart;
}

namespace {

ChartData fromInput(const ChartInput& input, TrainingFigure figure) {
    Runs runs;
    std::string at = input.options.point;
    const auto shown = [&](const StudyRun& run) {
        return isTraining(run) && !input.options.hiddenTargets.contains(QString::fromStdString(run.target));
    };
    for (const StudyRun& run : input.a->study.runs)
        if (input.options.point.empty() && shown(run))
            at = run.point.dump();
    for (const StudyRun& run : input.a->study.runs)
        if (shown(run) && run.point.dump() == at)
            runs.push_back(&run);
    return trainingChart(figure, runs, studyTargets(input.a->study),
                         {input.options.smoothing, input.options.logScale});
}

} // namespace

ChartData buildLossChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::Loss);
}

ChartData buildAccuracyChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::Accuracy);
}

ChartData buildStepTimeChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::StepTime);
}

ChartData buildLearningRateChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::LearningRate);
}

ChartData buildGradientNormChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::GradientNorm);
}

ChartData buildPredictedChart(const ChartInput& input) {
    return fromInput(input, TrainingFigure::Predicted);
}

} // namespace heteroscope::ui
