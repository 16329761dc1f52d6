// SPDX-License-Identifier: GPL-3.0-or-later
// Reduces an experiment to what is drawn.
#include "ui/build/preview_spec.h"

#include "compute/experiment/spec/spec_json.h"

namespace heteroscope::ui {

Result<compute::ExperimentSpec> previewSpec(const Json& document) {
    Json reduced = {{"heteroscope", 1}, {"targets", Json::array({"cpu/sequential"})}};
    for (const char* key : {"kind", "pooling", "matmul", "task", "network", "training"})
        if (document.contains(key))
            reduced[key] = document.at(key);
    if (reduced.contains("pooling") && reduced["pooling"].is_object() &&
        reduced["pooling"].contains("input") && reduced["pooling"]["input"].is_object() &&
        reduced["pooling"]["input"].contains("path") && reduced["pooling"]["input"]["path"] == "")
        reduced["pooling"]["input"]["path"] = "none"; // not chosen yet: the picture says so itself
    return compute::specFromJson(reduced);
}

} // namespace heteroscope::ui
