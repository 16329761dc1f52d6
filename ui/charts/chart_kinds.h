// SPDX-License-Identifier: GPL-3.0-or-later
// The builders behind the chart registry, one source file each. Pure functions of the input; GUI thread for
// colours.
#pragma once

#include "ui/charts/chart_input.h"

#include <functional>

namespace heteroscope::ui {

ChartData buildTimeChart(const ChartInput& input);
ChartData buildSpeedupChart(const ChartInput& input);
ChartData buildThreadSpeedupChart(const ChartInput& input);
ChartData buildEfficiencyChart(const ChartInput& input);
ChartData buildThroughputChart(const ChartInput& input);
ChartData buildSamplesChart(const ChartInput& input);
ChartData buildRunOrderChart(const ChartInput& input);
ChartData buildWindowsChart(const ChartInput& input);
ChartData buildRooflineChart(const ChartInput& input);
ChartData buildRatioChart(const ChartInput& input);
ChartData buildLayersChart(const ChartInput& input);
ChartData buildModelsChart(const ChartInput& input);
ChartData buildParametersChart(const ChartInput& input);
ChartData buildLossChart(const ChartInput& input);
ChartData buildAccuracyChart(const ChartInput& input);
ChartData buildStepTimeChart(const ChartInput& input);
ChartData buildLearningRateChart(const ChartInput& input);
ChartData buildGradientNormChart(const ChartInput& input);
ChartData buildPredictedChart(const ChartInput& input);

/// A chart that says why it is not there.
ChartData notDrawable(const QString& reason, const QString& advice);
/// Said when no run has a result: one that is live may get some.
ChartData noResults(const ChartInput& input);

/// A line per target (and per combination of the other axes) along the study's main axis. `value` gives a
/// point's figure from a result, or nothing to leave the point out.
std::vector<ChartSeries>
linesAlongAxis(const ChartInput& input, const StudyAxis& axis,
               const std::function<std::optional<ChartPoint>(const profiling::RunResult&, double x)>& value);
/// Log y when the medians span more than a factor of 20, else linear from zero; the title says which.
void chooseScale(ChartData& chart, const QString& title);
/// Puts the bars of several series side by side; their points' x are categories.
void groupBars(ChartData& chart);
/// Scale and title of x for an axis of the study.
ChartAxis chartAxisFor(const StudyAxis& axis);

} // namespace heteroscope::ui
