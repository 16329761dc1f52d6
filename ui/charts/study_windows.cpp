// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of a pooling run.
#include "ui/charts/study_windows.h"

#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"

namespace heteroscope::ui {

Json experimentAt(const Json& experiment, const Json& point) {
    Json document = experiment;
    if (!document.is_object())
        return document;
    document.erase("axes");
    for (const auto& [axis, value] : point.items())
        compute::setAxisValue(document, axis, value);
    return document;
}

std::optional<double> windowsOf(const profiling::Study& study, const profiling::StudyRun& run) {
    if (const auto found = run.metrics.find("windows"); found != run.metrics.end() && found->is_number())
        return found->get<double>();
    const auto spec = compute::specFromJson(experimentAt(study.experiment, run.point));
    if (!spec || spec->kind != compute::ExperimentKind::Pooling)
        return std::nullopt;
    const auto estimate = compute::estimatePoint(*spec);
    return estimate && estimate->windows > 0 ? std::optional(static_cast<double>(estimate->windows))
                                             : std::nullopt;
}

} // namespace heteroscope::ui
