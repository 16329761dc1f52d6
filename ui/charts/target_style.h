// SPDX-License-Identifier: GPL-3.0-or-later
// Name, colour, marker and dash of a target in charts: the same target looks the same in every chart of a
// study, and differs from the others in grey print too. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <string>
#include <vector>

namespace heteroscope::ui {

/// "openmp, 2 threads", with the device in front when `targets` name more than one.
QString targetLabel(const std::string& target, const std::vector<std::string>& targets);

/// Sets id, name, colour, marker and dash.
void styleSeries(ChartSeries& series, const std::string& target, const std::vector<std::string>& targets);

/// Marker and dash number `index`, wrapping around.
MarkerShape markerShape(int index);
DashStyle dashStyle(int index);

} // namespace heteroscope::ui
