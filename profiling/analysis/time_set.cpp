// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/time_set.h"

#include <algorithm>

namespace heteroscope::profiling {

NsRange inside(NsRange a, NsRange b) {
    const std::int64_t start = std::max(a.startNs, b.startNs);
    return {start, std::max(start, std::min(a.endNs, b.endNs))};
}

TimeSet unionOf(std::vector<NsRange> ranges) {
    std::erase_if(ranges, [](const NsRange& range) { return range.lengthNs() == 0; });
    std::sort(ranges.begin(), ranges.end(),
              [](const NsRange& a, const NsRange& b) { return a.startNs < b.startNs; });
    TimeSet set;
    for (const NsRange& range : ranges) {
        if (!set.empty() && range.startNs <= set.back().endNs)
            set.back().endNs = std::max(set.back().endNs, range.endNs);
        else
            set.push_back(range);
    }
    return set;
}

TimeSet unionOf(const TimeSet& a, const TimeSet& b) {
    std::vector<NsRange> all = a;
    all.insert(all.end(), b.begin(), b.end());
    return unionOf(std::move(all));
}

TimeSet intersection(const TimeSet& a, const TimeSet& b) {
    TimeSet set;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const NsRange both{std::max(a[i].startNs, b[j].startNs), std::min(a[i].endNs, b[j].endNs)};
        if (both.lengthNs() > 0)
            set.push_back(both);
        if (a[i].endNs < b[j].endNs)
            ++i;
        else
            ++j;
    }
    return set;
}

TimeSet difference(const TimeSet& a, const TimeSet& b) {
    TimeSet set;
    std::size_t j = 0;
    for (NsRange rest : a) {
        while (j < b.size() && b[j].endNs <= rest.startNs)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].startNs < rest.endNs; ++k) {
            if (b[k].startNs > rest.startNs)
                set.push_back({rest.startNs, b[k].startNs});
            rest.startNs = std::max(rest.startNs, b[k].endNs);
        }
        if (rest.lengthNs() > 0)
            set.push_back(rest);
    }
    return set;
}

std::int64_t lengthNs(const TimeSet& set) {
    std::int64_t total = 0;
    for (const NsRange& range : set)
        total += range.lengthNs();
    return total;
}

std::int64_t overlapNs(NsRange range, const TimeSet& set) {
    auto at = std::lower_bound(set.begin(), set.end(), range.startNs,
                               [](const NsRange& one, std::int64_t start) { return one.endNs <= start; });
    std::int64_t total = 0;
    for (; at != set.end() && at->startNs < range.endNs; ++at)
        total += NsRange{std::max(range.startNs, at->startNs), std::min(range.endNs, at->endNs)}.lengthNs();
    return total;
}

} // namespace heteroscope::profiling
