// SPDX-License-Identifier: Apache-2.0
// The counters pass: after a study, one more worker runs each op of each GPU target once on the device's
// counters. Its answer is one JSON document on stdout, {"runs": [{"run", "counters": [...]} or {"run",
// "error"}]} (profiling/stream/kernel_counters.h has the counters). Main thread.
#pragma once

#include "app/cli/run_arguments.h"
#include "app/cli/stop_request.h"
#include "app/cli/trace_bridge.h"
#include "compute/base/exit_code.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::cli {

/// In the worker.
ExitCode countHere(const compute::ExperimentSpec& spec, const RunArguments& arguments);

/// Starts the worker and puts what it counted into the study. Error: the sentence why there are no counters,
/// or not of all runs; the study keeps all else.
Status countInWorker(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                     const StopRequest& stop, TraceBridge& bridge);

} // namespace heteroscope::cli
