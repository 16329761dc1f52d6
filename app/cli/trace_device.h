// SPDX-License-Identifier: Apache-2.0
// What a recording says of the device's work as text for the terminal. Pure functions.
#pragma once

#include "profiling/analysis/advice.h"

#include <string>

namespace heteroscope::cli {

/// Transfers of the whole recording, the split of each run's traced samples, and the advice. Empty without
/// device work.
std::string deviceReportText(const profiling::Trace& trace, const profiling::DeviceReport& report);

} // namespace heteroscope::cli
