// SPDX-License-Identifier: Apache-2.0
// How figures are written: the same digits and words in tables, advice and reports. Pure functions; any
// thread.
#pragma once

#include <string>

namespace heteroscope::profiling {

/// "12.3 %" of 0.123; but for 0 nothing is written as 0: "< 0.1 %", "> -0.1 %". From 1000 % on without
/// decimals.
std::string shareText(double share);
/// "12.3", "0.0123", "1 235": rounded to `digits` significant digits, to four from 1000 on; groups as
/// formatCount() makes them. Below 0.0001 and from ten millions on with an exponent. "unknown" when it is no
/// finite number.
std::string significantText(double value, int digits = 3);
/// "12.3×": the quotient of two figures, in the digits of significantText().
std::string ratioText(double ratio);
/// "25 %": a threshold, which is no measurement.
std::string thresholdShareText(double share);

} // namespace heteroscope::profiling
