// SPDX-License-Identifier: Apache-2.0
// What is wrong with the data files of an experiment, for `check`. One thread.
#pragma once

#include "compute/experiment/spec/spec_json.h"

namespace heteroscope::cli {

/// Of all points, each set of files once. Errors: points that cannot be expanded.
Result<std::vector<compute::Diagnostic>> dataFaults(const compute::ExperimentSpec& spec);

} // namespace heteroscope::cli
