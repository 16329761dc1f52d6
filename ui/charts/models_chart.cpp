// SPDX-License-Identifier: GPL-3.0-or-later
// Networks against each other: time by model, grouped by target, and time against parameters.
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/network.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscope::ui {

namespace {

ChartData noNetworks() {
    return notDrawable(ChartText::tr("This study computes no network."),
                       ChartText::tr("Open an example of a network in Build, or build one."));
}

/// A network as a point of the study has it.
struct Model {
    double parameters = 0;
    int denseLayers = 0; ///< with the output
};

std::optional<Model> modelAt(const profiling::Study& study, const Json& point) {
    const auto spec = compute::specFromJson(compute::experimentAt(study.experiment, point));
    if (!spec || spec->kind != compute::ExperimentKind::Network)
        return std::nullopt;
    const compute::Network network =
        compute::resolveNetwork(spec->network.network, compute::networkRequest(spec->network));
    if (network.firstError() != nullptr)
        return std::nullopt;
    Model model;
    model.parameters = static_cast<double>(network.parameterElements());
    for (const compute::NetworkLayer& layer : network.layers)
        model.denseLayers += layer.spec.type == "dense" ? 1 : 0;
    return model;
}

/// Points are often many, and each takes a parse of the experiment.
class Models {
  public:
    explicit Models(const profiling::Study& study) : m_study(study) {}
    const std::optional<Model>& at(const Json& point) {
        const auto [entry, isNew] = m_models.try_emplace(point.dump());
        if (isNew)
            entry->second = modelAt(m_study, point);
        return entry->second;
    }

  private:
    const profiling::Study& m_study;
    std::map<std::string, std::optional<Model>> m_models;
};

/// An axis over whole networks says only how many layers each has; names of its values are short ones.
QString modelName(const Json& point, int index) {
    if (const auto name = point.find(compute::kNetwork); name != point.end() && name->is_string())
        return QString::fromStdString(name->get<std::string>());
    for (const auto& [pointer, value] : point.items())
        if (value.is_object() || (value.is_array() && !value.empty() && value[0].is_object()))
            return value.is_object() && value.contains("name") && value.at("name").is_string()
                       ? QString::fromStdString(value.at("name").get<std::string>())
                       : ChartText::tr("Model %1").arg(index);
    const QString text = pointText(point);
    return text.isEmpty() ? ChartText::tr("Model %1").arg(index) : text;
}

QString parameterCountText(double count) {
    return count >= 1e6   ? significant(count / 1e6) + QStringLiteral(" M")
           : count >= 1e3 ? significant(count / 1e3) + QStringLiteral(" k")
                          : numberText(count);
}

} // namespace

ChartData buildModelsChart(const ChartInput& input) {
    if (!isNetworkStudy(input.a->study))
        return noNetworks();
    if (drawableRuns(input).empty())
        return noResults(input);
    ChartData chart;
    chart.x.scale = AxisScale::Category;
    chart.x.title = ChartText::tr("Model");
    Models models(input.a->study);
    std::map<std::string, int> categories;
    const std::vector<std::string> points = studyPoints(input.a->study);
    const std::vector<std::string> targets = studyTargets(input.a->study);
    std::map<std::string, std::size_t> seriesOf;
    for (const auto* result : drawableRuns(input)) {
        const Json& point = result->run->point;
        const auto [category, isNew] = categories.try_emplace(point.dump(), chart.x.categories.size());
        if (isNew) {
            chart.x.categories << (points.size() == 1 ? QString::fromStdString(input.a->study.name())
                                                      : modelName(point, category->second));
            const auto& model = models.at(point);
            chart.x.categoryNotes
                << (model ? ChartText::tr("%1 parameters").arg(parameterCountText(model->parameters))
                          : QString());
        }
        const auto [at, isNewSeries] = seriesOf.try_emplace(result->run->target, chart.series.size());
        if (isNewSeries)
            styleSeries(chart.series.emplace_back(), result->run->target, targets);
        ChartPoint bar = timePoint(*result, category->second);
        bar.detail = ChartText::tr("median %1, n = %2")
                         .arg(millisecondsText(bar.y))
                         .arg(countText(static_cast<std::int64_t>(bar.n)));
        bar.samples.clear(); // bars show medians
        chart.series[at->second].points.push_back(std::move(bar));
    }
    groupBars(chart);
    chooseScale(chart, ChartText::tr("Time per run (ms)"));
    chart.caption = ChartText::tr("Median time of each network on each target, whiskers are 95 % "
                                  "intervals; dots stand for medians of fewer than 5 samples.") +
                    overProcessesSentence(input);
    return chart;
}

ChartData buildParametersChart(const ChartInput& input) {
    if (!isNetworkStudy(input.a->study))
        return noNetworks();
    if (drawableRuns(input).empty())
        return noResults(input);
    Models models(input.a->study);
    const std::vector<std::string> targets = studyTargets(input.a->study);
    std::map<std::pair<std::string, int>, ChartSeries> lines; // by target and depth
    std::map<int, int> depths;
    double least = INFINITY, most = 0;
    for (const auto* result : drawableRuns(input)) {
        const auto& model = models.at(result->run->point);
        if (!model || model->parameters <= 0)
            continue;
        least = std::min(least, model->parameters);
        most = std::max(most, model->parameters);
        depths.try_emplace(model->denseLayers, 0);
        ChartPoint point = timePoint(*result, model->parameters);
        point.detail = ChartText::tr("%1 parameters, median %2, n = %3")
                           .arg(parameterCountText(model->parameters), millisecondsText(point.y))
                           .arg(countText(static_cast<std::int64_t>(point.n)));
        lines[{result->run->target, model->denseLayers}].points.push_back(std::move(point));
    }
    if (!(most > least))
        return notDrawable(ChartText::tr("The networks of this study have one number of parameters."),
                           ChartText::tr("Add an axis over a layer's width, or over whole networks."));
    int place = 0;
    for (auto& [depth, index] : depths)
        index = place++;
    ChartData chart;
    for (auto& [key, series] : lines) {
        auto points = std::move(series.points);
        std::stable_sort(points.begin(), points.end(),
                         [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
        styleSeries(series, key.first, targets);
        series.points = std::move(points);
        if (depths.size() > 1) {
            series.id += QStringLiteral(" depth %1").arg(key.second);
            series.name = ChartText::tr("%1, %2 dense layers").arg(series.name).arg(key.second);
            series.dash = dashStyle(depths[key.second]);
            series.marker = markerShape(depths[key.second]);
        }
        chart.series.push_back(std::move(series));
    }
    const bool log = most / least > 20;
    chart.x.scale = log ? AxisScale::Log10 : AxisScale::Linear;
    chart.x.title = log ? ChartText::tr("Parameters, log scale") : ChartText::tr("Parameters");
    chooseScale(chart, ChartText::tr("Time per run (ms)"));
    chart.caption = ChartText::tr("Median time against the number of parameters, with 95 % "
                                  "intervals; a line for each target and number of dense layers.") +
                    overProcessesSentence(input);
    return chart;
}

} // namespace heteroscope::ui
