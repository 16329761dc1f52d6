// SPDX-License-Identifier: Apache-2.0
// What the texts of all rules of the advice share. Pure functions; any thread.
#pragma once

#include "profiling/analysis/advice.h"
#include "profiling/analysis/figure.h"
#include "profiling/analysis/figure_text.h"

#include <string>
#include <utility>

namespace heteroscope::profiling {

inline std::string thresholdText(double share) {
    return "Shown from " + thresholdShareText(share) + " of the " + std::string(kWallOfTracedSamples) + ". ";
}

inline Advice adviceFor(const RunFigures& run, std::string rule, const Place& place, double share) {
    Advice advice;
    advice.rule = std::move(rule);
    advice.run = run.run;
    advice.place = place;
    advice.share = share;
    return advice;
}

/// Keeps the estimate, and says it at the end of the text.
inline void addGain(Advice& advice, Gain gain) {
    advice.gain = std::move(gain);
    advice.text += advice.gain.sentence();
}

} // namespace heteroscope::profiling
