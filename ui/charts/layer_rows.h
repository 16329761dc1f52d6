// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs, layers and directions the chart and the table of layers show. Pure functions; any thread.
#pragma once

#include "ui/charts/chart_input.h"

#include <string>
#include <vector>

namespace heteroscope::ui {

struct LayerCategory {
    std::string layer;
    profiling::LayerPhase phase = profiling::LayerPhase::Forward;
};

/// `type`: "convolution", "pooling", an operation such as "dense", or empty for every layer.
bool isLayerOfType(const profiling::LayerTime& layer, const QString& type);
/// Runs of the chosen point (else of the last one) whose targets are shown.
std::vector<const profiling::RunLayerTimes*> layerRunsAtPoint(const ChartInput& input);
/// The layers that any of the runs has, forward ones first, each in the order in which they ran.
std::vector<LayerCategory> layerCategories(const std::vector<const profiling::RunLayerTimes*>& runs,
                                           const ChartOptions& options);

} // namespace heteroscope::ui
