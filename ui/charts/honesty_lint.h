// SPDX-License-Identifier: GPL-3.0-or-later
// What a careful reader would object to in a chart, said before somebody prints it. Pure function.
#pragma once

#include "ui/charts/chart_input.h"

namespace heteroscope::ui {

/// Notes on the study behind a chart: too few samples, outputs that differ or were not checked, debug build,
/// noisy or different machines, stopped early, no reference, unclear verdicts.
std::vector<ChartNote> honestyNotes(const ChartInput& input, const ChartData& chart);

} // namespace heteroscope::ui
