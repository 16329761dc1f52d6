// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes from which one target is faster than the reference, as marks and sentences in a time chart. Pure
// function.
#pragma once

#include "ui/charts/chart_input.h"

namespace heteroscope::ui {

/// Adds annotations (at most `kMostCrossoverMarks`) and findings for each target against the reference.
void addCrossovers(ChartData& chart, const ChartInput& input, const StudyAxis& axis);

constexpr std::size_t kMostCrossoverMarks = 2;

} // namespace heteroscope::ui
