// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/traced_ranges.h"

#include "profiling/analysis/device_time.h"

namespace heteroscope::profiling {

std::vector<TracedRange> tracedRanges(const Study& study, NsRange window) {
    std::vector<TracedRange> ranges;
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        for (const StudySample& sample : study.runs[i].samples)
            if (const NsRange range = inside(sampleRange(sample), window);
                sample.traced && !sample.warmup && range.lengthNs() > 0)
                ranges.push_back({range, i});
    std::stable_sort(ranges.begin(), ranges.end(), [](const TracedRange& a, const TracedRange& b) {
        return a.range.startNs < b.range.startNs;
    });
    return ranges;
}

std::optional<std::size_t> runAt(const std::vector<TracedRange>& ranges, std::int64_t timeNs) {
    const TracedRange* found =
        lastBefore(ranges, timeNs, [](const TracedRange& r) { return r.range.startNs; });
    return found != nullptr && timeNs < found->range.endNs ? std::optional(found->run) : std::nullopt;
}

} // namespace heteroscope::profiling
