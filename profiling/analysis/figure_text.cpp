// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/figure_text.h"

#include "compute/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heteroscope::profiling {

std::string shareText(double share) {
    if (!std::isfinite(share))
        return "unknown";
    constexpr double kSmallest = 0.0005; // half of the last digit
    if (share != 0 && std::abs(share) < kSmallest)
        return share > 0 ? "< 0.1 %" : "> -0.1 %";
    const double percent = 100 * share;
    return formatFixed(percent, std::abs(percent) < 999.95 ? 1 : 0) + " %";
}

std::string significantText(double value, int digits) {
    if (!std::isfinite(value))
        return "unknown";
    if (value == 0)
        return "0";
    std::array<char, 40> text{};
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, digits - 1)
                                .ptr;
    const std::string scientific(text.data(), static_cast<std::size_t>(end - text.data()));
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1)); // after rounding
    constexpr int kSmallest = -4, kLargest = 6, kMostDigits = 4;
    if (exponent < kSmallest || exponent > kLargest)
        return scientific;
    if (exponent < kMostDigits - 1)
        return formatFixed(value, std::max(0, digits - 1 - exponent));
    const double last = std::pow(10.0, exponent + 1 - std::max(digits, kMostDigits));
    return formatCount(std::llround(last > 1 ? std::round(value / last) * last : value));
}

std::string ratioText(double ratio) {
    return significantText(ratio) + "\u00d7";
}

std::string thresholdShareText(double share) {
    return formatFixed(100 * share, 0) + " %";
}

} // namespace heteroscope::profiling
