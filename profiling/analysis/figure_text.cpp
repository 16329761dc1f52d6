// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/figure_text.h"

#include "compute/base/units.h"
#include "profiling/analysis/figure.h"

#include <cmath>

namespace heteroscope::profiling {

std::string shareText(double share) {
    if (!std::isfinite(share))
        return "unknown";
    constexpr double kSmallest = 0.0005; // half of the last digit
    if (share > 0 && share < kSmallest)
        return "< 0.1 %";
    const double percent = 100 * share;
    return formatFixed(percent, percent < 999.95 ? 1 : 0) + " %";
}

std::string shareOfTracedText(double share) {
    return shareText(share) + " of the " + std::string(kWallOfTracedSamples);
}

std::string thresholdShareText(double share) {
    return formatFixed(100 * share, 0) + " %";
}

} // namespace heteroscope::profiling
