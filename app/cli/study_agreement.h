// SPDX-License-Identifier: Apache-2.0
// Whether a worker does what the study consists of, where the study has it done. Pure functions.
#pragma once

#include "compute/experiment/study_observer.h"
#include "profiling/stream/study.h"

#include <string>
#include <vector>

namespace heteroscope::cli {

/// Error: the worker's run has another target or point than the study's run of its number, or there is none.
Status agreesWithPlan(const profiling::StudyRun& run, const std::vector<compute::RunDefinition>& planned,
                      const std::string& worker);

/// What differs between two environment records and bears on times, a sentence each. Times, loads and free
/// memory, which always differ, and what only one of them says are left out.
std::vector<std::string> environmentDifferences(const Json& study, const Json& worker);

} // namespace heteroscope::cli
