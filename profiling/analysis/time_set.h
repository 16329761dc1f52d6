// SPDX-License-Identifier: Apache-2.0
// Sets of time as sorted intervals that neither touch nor overlap: what unions, overlaps and gaps of spans
// are worked out with. Times in ns, intervals closed at the start and open at the end. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <vector>

namespace heteroscope::profiling {

struct NsRange {
    std::int64_t startNs = 0, endNs = 0;
    std::int64_t lengthNs() const { return endNs > startNs ? endNs - startNs : 0; }
    bool operator==(const NsRange&) const = default;
};

/// All of time, or as much as a difference of two moments can hold.
constexpr NsRange kAllTime{-(std::int64_t{1} << 62), std::int64_t{1} << 62};

/// The part of `a` inside `b`; empty (start = end) when they do not overlap.
NsRange inside(NsRange a, NsRange b);

/// Sorted, disjoint, none empty.
using TimeSet = std::vector<NsRange>;

/// The union of intervals in any order; empty ones add nothing.
TimeSet unionOf(std::vector<NsRange> ranges);
TimeSet unionOf(const TimeSet& a, const TimeSet& b);
TimeSet intersection(const TimeSet& a, const TimeSet& b);
TimeSet difference(const TimeSet& a, const TimeSet& b);
std::int64_t lengthNs(const TimeSet& set);

/// Nanoseconds of one interval that lie in the set; O(log n + intervals touched).
std::int64_t overlapNs(NsRange range, const TimeSet& set);

} // namespace heteroscope::profiling
