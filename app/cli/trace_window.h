// SPDX-License-Identifier: Apache-2.0
// The part of a recording that --from and --to choose. Pure functions.
#pragma once

#include "compute/base/result.h"
#include "profiling/analysis/time_set.h"
#include "profiling/trace/trace.h"

#include <string>

namespace heteroscope::cli {

/// "0.25", "0.25s", "250ms", "10us", "1500ns": ns; without a unit seconds. Error: BadInput with what is
/// allowed.
Result<std::int64_t> timeFromText(const std::string& text);

/// From and to count from the trace's start; empty texts are its start and its end. Errors: a text that is no
/// time, an end that is not after the start, a part in which nothing was recorded.
Result<profiling::NsRange> traceWindow(const profiling::Trace& trace, const std::string& from,
                                       const std::string& to);

} // namespace heteroscope::cli
