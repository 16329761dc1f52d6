// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, always in the C locale.
#include "compute/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace heteroscope {
std::string formatFixed(double value, int decimals) {
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

namespace {

/// Three significant digits for values below 1000.
std::string threeDigits(double value) {
    const double size = std::abs(value);
    return formatFixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

std::string minutes(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    const std::string rest = std::to_string(whole % 60);
    return std::to_string(whole / 60) + " min " + (rest.size() < 2 ? "0" : "") + rest + " s";
}

} // namespace

std::string formatBytes(double bytes) {
    constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (!std::isfinite(bytes))
        return "unknown";
    std::size_t unit = 0;
    while (std::abs(bytes) >= (unit == 0 ? 1023.95 : 1023.5) && unit + 1 < kUnits.size()) {
        bytes /= 1024.0;
        ++unit;
    }
    const bool whole = unit == 0 || std::abs(bytes) >= 999.95; // four digits at most
    return formatFixed(bytes, whole ? 0 : 1) + " " + std::string(kUnits[unit]);
}

std::string formatBytesUnlike(std::int64_t bytes, std::int64_t other) {
    std::string text = formatBytes(static_cast<double>(bytes));
    if (bytes != other && text == formatBytes(static_cast<double>(other)))
        return formatCount(bytes) + " B";
    return text;
}

std::string formatDurationNs(double ns) {
    if (!std::isfinite(ns))
        return "unknown";
    const double size = std::abs(ns);
    if (size < 999.5)
        return formatFixed(ns, 0) + " ns";
    if (size < 999.5e3)
        return threeDigits(ns / 1e3) + " \u00b5s";
    if (size < 999.5e6)
        return threeDigits(ns / 1e6) + " ms";
    if (size < 99.95e9)
        return threeDigits(ns / 1e9) + " s";
    return minutes(ns / 1e9);
}

std::string groupDigits(std::string number) {
    const std::size_t first = number.starts_with('-') ? 1 : 0;
    std::size_t place = std::min(number.find_first_not_of("0123456789", first), number.size());
    while (place > first + 3) {
        place -= 3;
        number.insert(place, "\u00a0");
    }
    return number;
}

std::string formatCount(std::int64_t count) {
    return groupDigits(std::to_string(count));
}

namespace {

/// Decimal prefixes, as vendors give rates.
std::string formatRate(double perSecond, std::string_view unit) {
    constexpr std::array<std::string_view, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
    if (!std::isfinite(perSecond))
        return "unknown";
    std::size_t prefix = 0;
    while (std::abs(perSecond) >= 999.5 && prefix + 1 < kPrefixes.size()) {
        perSecond /= 1000.0;
        ++prefix;
    }
    return (prefix == 0 ? formatFixed(perSecond, 0) : threeDigits(perSecond)) + " " +
           std::string(kPrefixes[prefix]) + std::string(unit);
}

} // namespace

std::string formatBandwidth(double bytesPerSecond) {
    return formatRate(bytesPerSecond, "B/s");
}

std::string formatFlops(double flopsPerSecond) {
    return formatRate(flopsPerSecond, "FLOP/s");
}

} // namespace heteroscope
