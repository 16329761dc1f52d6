// SPDX-License-Identifier: Apache-2.0
// How figures are written: the same digits and words in tables, advice and reports. Pure functions; any
// thread.
#pragma once

#include <string>

namespace heteroscope::profiling {

/// "12.3 %" of 0.123; above 0 and below half a tenth of a percent "< 0.1 %"; from 1000 % on without decimals.
std::string shareText(double share);
/// "12.3 % of the wall time of the traced samples".
std::string shareOfTracedText(double share);
/// "25 %": a threshold, which is no measurement.
std::string thresholdShareText(double share);

} // namespace heteroscope::profiling
