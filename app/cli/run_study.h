// SPDX-License-Identifier: Apache-2.0
// Runs a study in this process, or spread over fresh ones, and reports it. Main thread.
#pragma once

#include "app/cli/run_arguments.h"
#include "app/cli/stop_request.h"
#include "compute/base/exit_code.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::cli {

/// Whether the study asks for a GPU, there or not; known without a registry, which would start the driver.
bool namesAnyGpu(const compute::ExperimentSpec& spec);

ExitCode runHere(const compute::ExperimentSpec& spec, const RunArguments& arguments, StopRequest& stop);

/// Whether the study is spread over processes: compute::freshProcesses, or a GPU
/// whose work is recorded.
bool wantsFreshProcesses(const compute::ExperimentSpec& spec, const RunArguments& arguments);

/// The samples come from several processes, started one after the other, so that what a process happens to be
/// lucky or unlucky with (addresses, pages, thread placement, its moment) is part of the spread.
ExitCode runInFreshProcesses(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                             StopRequest& stop);

} // namespace heteroscope::cli
