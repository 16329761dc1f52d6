// SPDX-License-Identifier: Apache-2.0
// The roofline of a trace's ops as text for people.
#pragma once

#include "profiling/analysis/roofline.h"

#include <string>

namespace heteroscope::cli {

/// A table of the ops and the roofs with their sources; empty when no op has a time.
std::string rooflineText(const profiling::Roofline& roofline);

} // namespace heteroscope::cli
