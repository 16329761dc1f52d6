// SPDX-License-Identifier: Apache-2.0
// When the traced samples of a study ran, and what else joins spans of host threads to runs and kernels. Pure
// functions; any thread.
#pragma once

#include "profiling/analysis/time_set.h"
#include "profiling/stream/study.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace heteroscope::profiling {

/// The end of a launch may lie this much behind the end of the span that launched it: the two clocks are
/// joined by a reading that takes up to 0.1 us.
constexpr std::int64_t kClockSlackNs = 1000;

struct TracedRange {
    NsRange range;
    std::size_t run = 0; ///< of the study
};

/// The ranges of traced samples that are no warm-ups, cut to the window, by start.
std::vector<TracedRange> tracedRanges(const Study& study, NsRange window);
/// The run whose sample a moment lies in.
std::optional<std::size_t> runAt(const std::vector<TracedRange>& ranges, std::int64_t timeNs);

/// The last item that starts at or before a moment; null without one. `items` are sorted by start.
template <typename Items, typename Start>
auto lastBefore(Items& items, std::int64_t timeNs, const Start& startOf) -> decltype(&*items.begin()) {
    const auto after =
        std::upper_bound(items.begin(), items.end(), timeNs,
                         [&](std::int64_t time, const auto& item) { return time < startOf(item); });
    return after == items.begin() ? nullptr : &*std::prev(after);
}

} // namespace heteroscope::profiling
