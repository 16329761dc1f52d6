// SPDX-License-Identifier: GPL-3.0-or-later
// The times of layers in the runs of a study, with what each layer computed there: a layer of another network
// may have the same name. Any thread.
#pragma once

#include "profiling/analysis/layer_times.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::ui {

struct MeasuredRun {
    profiling::RunLayerTimes times;
    /// compute::layerIdentity() by name; those of which the study does not tell it are missing.
    std::map<std::string, std::string> identities;
};

using MeasuredLayersPtr = std::shared_ptr<const std::vector<MeasuredRun>>;

MeasuredLayersPtr measuredLayers(const profiling::Study& study,
                                 const std::vector<profiling::RunLayerTimes>& times);

} // namespace heteroscope::ui
