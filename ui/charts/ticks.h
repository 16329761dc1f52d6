// SPDX-License-Identifier: GPL-3.0-or-later
// Where an axis has its ticks and what they say. Pure functions; any thread. Numbers are in the C locale.
#pragma once

#include "ui/charts/chart_data.h"

#include <QString>

#include <vector>

namespace heteroscope::ui {

struct Tick {
    double value = 0;
    QString text; ///< empty for a minor tick
};

/// Ticks of [low, high], at most `maxLabels` of them with text. Log axes that cover little fall back to 1-2-5
/// steps, and to linear steps when even those are too coarse, so that at least two ticks always have text.
std::vector<Tick> axisTicks(AxisScale scale, double low, double high, int maxLabels,
                            bool wholeNumbers = false);

/// "0.25", "4 096", "10⁻⁶": short and exact to the axis's step.
QString tickText(double value, double step);
QString logTickText(double value);

} // namespace heteroscope::ui
