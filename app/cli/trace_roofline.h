// SPDX-License-Identifier: Apache-2.0
// The roofline of a trace's ops as text for people.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/roofline.h"

#include <string>

namespace heteroscope::cli {

/// A table of the ops and the roofs with their sources; empty when no op has a time.
std::string rooflineText(const profiling::Roofline& roofline);

/// What the device's counters said, kernel by kernel; empty without a counters pass.
std::string countersText(const profiling::Study& study);
/// The same: [{"run", "target", "counters": [...]}].
Json countersJson(const profiling::Study& study);

} // namespace heteroscope::cli
