// SPDX-License-Identifier: Apache-2.0
// Lowest and highest of values that not every sample knows. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/statistics.h"

#include <algorithm>
#include <optional>

namespace heteroscope::profiling {

inline std::optional<Interval> rangeOf(const std::optional<double>& value) {
    return value ? std::optional(Interval{*value, *value}) : std::nullopt;
}

inline void widen(std::optional<Interval>& range, const std::optional<Interval>& other) {
    if (!other)
        return;
    range = range ? Interval{std::min(range->low, other->low), std::max(range->high, other->high)} : *other;
}

/// [lowest, highest], or null.
inline Json rangeJson(const std::optional<Interval>& range) {
    return range ? Json::array({range->low, range->high}) : Json(nullptr);
}

} // namespace heteroscope::profiling
