// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of a pooling run.
#include "ui/charts/study_windows.h"

#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"

namespace heteroscope::ui {

std::optional<double> windowsOf(const profiling::Study& study, const profiling::StudyRun& run) {
    if (const auto found = run.metrics.find("windows"); found != run.metrics.end() && found->is_number())
        return found->get<double>();
    const auto spec = compute::specFromJson(compute::experimentAt(study.experiment, run.point));
    if (!spec || spec->kind != compute::ExperimentKind::Pooling)
        return std::nullopt;
    const auto estimate = compute::estimatePoint(*spec);
    return estimate && estimate->windows > 0 ? std::optional(static_cast<double>(estimate->windows))
                                             : std::nullopt;
}

} // namespace heteroscope::ui
