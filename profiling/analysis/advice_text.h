// SPDX-License-Identifier: Apache-2.0
// What the texts of all rules of the advice share. Pure functions; any thread.
#pragma once

#include "compute/base/units.h"
#include "profiling/analysis/advice.h"

#include <string>
#include <utility>

namespace heteroscope::profiling {

inline std::string percent(double share) {
    return formatFixed(100 * share, share < 0.1 ? 1 : 0) + " %";
}

inline std::string thresholdText(double share) {
    return "Shown from " + percent(share) + " of the wall time of the traced samples. ";
}

inline Advice adviceFor(const RunFigures& run, std::string rule, const Place& place, double share) {
    Advice advice;
    advice.rule = std::move(rule);
    advice.run = run.run;
    advice.place = place;
    advice.share = share;
    return advice;
}

} // namespace heteroscope::profiling
