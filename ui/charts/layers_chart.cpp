// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a network's layers, forward and backward, the targets side by side.
#include "compute/base/units.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/layer_rows.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

using profiling::LayerPhase;
using profiling::LayerTime;
using profiling::RunLayerTimes;

ChartPoint pointOf(const profiling::LayerPhaseTime& time, double x) {
    ChartPoint point;
    point.x = x;
    point.y = time.ms.median;
    point.n = time.ms.n;
    if (time.ms.hasInterval)
        point.interval = time.ms.ci95;
    if (time.ms.n >= 5)
        point.quartiles = Interval{time.ms.q1, time.ms.q3};
    point.detail = ChartText::tr("median %1, n = %2")
                       .arg(millisecondsText(time.ms.median))
                       .arg(countText(static_cast<std::int64_t>(time.passes)));
    return point;
}

ChartSeries seriesOf(const ChartInput& input, const RunLayerTimes& run, const ChartData& chart,
                     const std::vector<LayerCategory>& categories) {
    ChartSeries series;
    styleSeries(series, run.target, studyTargets(input.a->study));
    for (int i = 0; i < static_cast<int>(categories.size()); ++i) {
        const LayerCategory& category = categories[static_cast<std::size_t>(i)];
        const LayerTime* layer = run.find(category.layer);
        if (layer != nullptr && (*layer)[category.phase].measured())
            series.points.push_back(pointOf((*layer)[category.phase], i));
    }
    Q_ASSERT(chart.x.categories.size() == static_cast<int>(categories.size()));
    return series;
}

/// Many layers leave room for short words only.
QString directionText(LayerPhase phase, std::size_t categories) {
    constexpr std::size_t kMostWhole = 10;
    const bool forward = phase == LayerPhase::Forward;
    if (categories > kMostWhole)
        return forward ? ChartText::tr("fwd.") : ChartText::tr("bwd.");
    return forward ? ChartText::tr("forward") : ChartText::tr("backward");
}

void addNotes(ChartData& chart, const std::vector<const RunLayerTimes*>& runs) {
    QStringList costs;
    for (const RunLayerTimes* run : runs) {
        const QString target = QString::fromStdString(run->target);
        double reordersMs = 0;
        for (const LayerTime& layer : run->layers)
            reordersMs += layer.isReorder ? layer.totalMs() : 0.0;
        if (reordersMs > 0)
            chart.notes.push_back(
                {NoteLevel::Info,
                 ChartText::tr("%1: reorders between layouts take %2 more; they belong to no layer "
                               "and stand in the table of layers.")
                     .arg(target, QString::fromStdString(formatDurationNs(reordersMs * 1e6)))});
        if (run->reason.empty())
            costs << QStringLiteral("%1: %2").arg(target, phraseText(profiling::tracingCostText(*run)));
        else
            chart.notes.push_back(
                {NoteLevel::Warning,
                 ChartText::tr("%1 has no times of layers: %2.").arg(target, phraseText(run->reason))});
    }
    if (!costs.isEmpty())
        chart.notes.push_back({NoteLevel::Info, costs.join(QStringLiteral("; ")) + QLatin1Char('.')});
}

} // namespace

bool isLayerOfType(const LayerTime& layer, const QString& type) {
    const QString own = QString::fromStdString(layer.type);
    if (type == QLatin1String("convolution"))
        return own.startsWith(QLatin1String("conv"));
    if (type == QLatin1String("pooling"))
        return own.contains(QLatin1String("pool"));
    return type.isEmpty() || own == type;
}

std::vector<const RunLayerTimes*> layerRunsAtPoint(const ChartInput& input) {
    std::vector<const RunLayerTimes*> all;
    if (!input.layers || !input.a)
        return all;
    const auto shown = [&](const RunLayerTimes& run) {
        return static_cast<std::size_t>(run.run) < input.a->study.runs.size() &&
               !input.options.hiddenTargets.contains(QString::fromStdString(run.target));
    };
    const auto pointOfRun = [&](const RunLayerTimes& run) {
        return input.a->study.runs[static_cast<std::size_t>(run.run)].point.dump();
    };
    std::string at = input.options.point;
    for (const RunLayerTimes& run : *input.layers)
        if (input.options.point.empty() && shown(run))
            at = pointOfRun(run);
    for (const RunLayerTimes& run : *input.layers)
        if (shown(run) && pointOfRun(run) == at)
            all.push_back(&run);
    return all;
}

std::vector<LayerCategory> layerCategories(const std::vector<const RunLayerTimes*>& runs,
                                           const ChartOptions& options) {
    std::vector<LayerCategory> categories;
    const auto add = [&](const LayerTime& layer, LayerPhase phase) {
        const bool wanted = !options.layerPhase || *options.layerPhase == phase;
        const bool known = std::any_of(categories.begin(), categories.end(), [&](const LayerCategory& each) {
            return each.layer == layer.name && each.phase == phase;
        });
        if (wanted && !known && layer[phase].measured())
            categories.push_back({layer.name, phase});
    };
    for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward})
        for (const RunLayerTimes* run : runs)
            for (const LayerTime& layer : run->layers)
                if (layer.isLayer && isLayerOfType(layer, options.layerType))
                    add(layer, phase);
    return categories;
}

ChartData buildLayersChart(const ChartInput& input) {
    if (!input.layers)
        return notDrawable(ChartText::tr("The timeline of this study has not been read."),
                           ChartText::tr("Times of layers are taken from the timeline."));
    const auto runs = layerRunsAtPoint(input);
    const auto categories = layerCategories(runs, input.options);
    if (categories.empty())
        return notDrawable(runs.empty() ? ChartText::tr("The timeline holds no layers of a network.")
                                        : ChartText::tr("No layer of the chosen kind was recorded."),
                           runs.empty()
                               ? ChartText::tr("Run a network with tracing on: layers are timed in traced "
                                               "samples.")
                               : ChartText::tr("Choose other layers on the right, or show a target that is "
                                               "hidden."));
    ChartData chart;
    chart.x.scale = AxisScale::Category;
    chart.x.title = ChartText::tr("Layer");
    for (const LayerCategory& category : categories) {
        chart.x.categories << QString::fromStdString(category.layer);
        chart.x.categoryNotes << directionText(category.phase, categories.size());
    }
    for (const RunLayerTimes* run : runs) {
        if (run->reason.empty())
            chart.series.push_back(seriesOf(input, *run, chart, categories));
    }
    addNotes(chart, runs);
    groupBars(chart);
    chooseScale(chart, ChartText::tr("Time of one pass (ms)"));
    chart.ofTracedSamples = true;
    const QString point = QString::fromStdString(runs.front()->point);
    chart.caption =
        ChartText::tr("Median time of one pass through each layer in traced samples, with 95 % "
                      "bootstrap intervals: of its kernels on a GPU, of its span on a processor%1.")
            .arg(point.isEmpty() ? QString() : ChartText::tr("; at %1").arg(point));
    return chart;
}

} // namespace heteroscope::ui
