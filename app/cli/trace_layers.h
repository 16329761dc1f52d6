// SPDX-License-Identifier: Apache-2.0
// The times of a network's layers as text, CSV and JSON. Pure functions.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/layer_times.h"

#include <string>
#include <vector>

namespace heteroscope::cli {

/// A table a run; says so when the recording holds no layers.
std::string layerTimesText(const std::vector<profiling::RunLayerTimes>& runs);
/// One header line, one row a run, layer and phase; C locale, RFC 4180 quotes.
std::string layerTimesCsv(const std::vector<profiling::RunLayerTimes>& runs);
Json layerTimesJson(const std::vector<profiling::RunLayerTimes>& runs);

} // namespace heteroscope::cli
