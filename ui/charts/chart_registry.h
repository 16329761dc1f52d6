// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of chart. A new kind is one file with a builder and one line in the table of chart_registry.cpp.
#pragma once

#include "ui/charts/chart_input.h"

#include <QString>

#include <span>

namespace heteroscope::ui {

struct ChartKind {
    const char* id;    ///< stable: settings, file names, tests
    const char* title; ///< translated in context ChartText
    bool comparison;   ///< needs two studies
    /// Never fails: a chart that cannot be drawn says why in `reason`, and what to do in `advice`.
    ChartData (*build)(const ChartInput& input);
    bool networks = false; ///< says something of networks only
};

std::span<const ChartKind> chartKinds();
const ChartKind* findChartKind(const QString& id);
QString chartTitle(const ChartKind& kind);

/// Builds the chart and completes it: kind, title when the builder gave none, caption and honesty notes.
ChartData buildChart(const ChartKind& kind, const ChartInput& input);

} // namespace heteroscope::ui
