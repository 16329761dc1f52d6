// SPDX-License-Identifier: Apache-2.0
// A trace as a plain list of spans with answers by brute force, to hold the store against.
#pragma once

#include "profiling/trace/trace.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace heteroscope::profiling::testing {

struct NaiveTrace {
    std::vector<Span> spans;

    std::int64_t busy(TrackId track, std::int64_t t0, std::int64_t t1) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> open;
        for (const Span& span : spans)
            if (span.track == track && span.startNs < t1 && span.startNs + span.durationNs > t0)
                open.emplace_back(std::max(span.startNs, t0), std::min(span.startNs + span.durationNs, t1));
        std::sort(open.begin(), open.end());
        std::int64_t busy = 0, covered = t0;
        for (const auto& [from, to] : open) {
            busy += std::max<std::int64_t>(0, to - std::max(from, covered));
            covered = std::max(covered, to);
        }
        return busy;
    }

    std::map<StringId, SpanStats> statistics(std::int64_t t0, std::int64_t t1) const {
        std::map<StringId, SpanStats> sums;
        for (const Span& span : spans) {
            const std::int64_t end = span.startNs + span.durationNs;
            const bool inside = span.startNs < t1 && (end > t0 || span.startNs >= t0);
            if (!inside)
                continue;
            const std::int64_t clipped = std::min(end, t1) - std::max(span.startNs, t0);
            auto [entry, fresh] =
                sums.try_emplace(span.name, SpanStats{span.name, span.category, 0, 0, clipped, clipped});
            ++entry->second.count;
            entry->second.totalNs += clipped;
            entry->second.minNs = std::min(entry->second.minNs, clipped);
            entry->second.maxNs = std::max(entry->second.maxNs, clipped);
        }
        return sums;
    }
};

/// Nested, overlapping and instant spans on one track, in random order of arrival.
inline std::vector<Span> randomSpans(TrackId track, std::size_t count, std::uint32_t seed, StringId names) {
    std::mt19937 random(seed);
    std::vector<Span> spans;
    for (std::size_t i = 0; i < count; ++i) {
        Span span;
        span.track = track;
        span.startNs = static_cast<std::int64_t>(random() % (count * 20));
        const std::uint32_t kind = random() % 10;
        span.durationNs = kind == 0 ? 0 : kind == 1 ? random() % 5000 : random() % 30;
        span.name = 1 + random() % names;
        spans.push_back(span);
    }
    return spans;
}

} // namespace heteroscope::profiling::testing
