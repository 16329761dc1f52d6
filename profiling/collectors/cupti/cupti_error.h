// SPDX-License-Identifier: Apache-2.0
// CUPTI's results as errors for people. Pure functions; any thread.
#pragma once

#include "compute/base/result.h"

#include <cupti.h>
#include <string>

namespace heteroscope::profiling {

std::string resultText(CUptiResult result);

/// Success, or what went wrong while doing `what`, with what to do where that is known: a missing right, a
/// device without counters, another profiler.
Status cuptiStatus(CUptiResult result, const std::string& what);

} // namespace heteroscope::profiling
