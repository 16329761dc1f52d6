// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/study_turns.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::profiling {
namespace {

/// From a study's start to the end of its last sample, in seconds of one clock.
struct StudySpan {
    double begin = 0, end = 0;
};

/// ISO 8601 in UTC, to the second ("2026-11-27T08:00:00Z"), in seconds since 1970; nothing of other text.
std::optional<double> secondsOf(const std::string& utc) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (std::sscanf(utc.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute, &second) !=
        6)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok())
        return std::nullopt;
    const auto days = std::chrono::sys_days(date).time_since_epoch();
    return static_cast<double>(std::chrono::seconds(days).count()) + 3600.0 * hour + 60.0 * minute + second;
}

double lastSampleEndNs(const Study& study) {
    double last = static_cast<double>(study.clockNs);
    for (const StudyRun& run : study.runs)
        for (const StudySample& sample : run.samples)
            last = std::max(last, static_cast<double>(sample.startNs) +
                                      sample.wallMs * 1e6 * std::max(1, sample.repetitions));
    return last;
}

/// Spans of all studies, and how far they may overlap: the start is told to the second, and the steady clock
/// of a study, which tells it exactly, is that of others only where all say the same time for its zero.
/// Nothing where a start is not known.
std::optional<std::pair<std::vector<StudySpan>, double>> spansOf(std::span<const Study* const> studies) {
    std::vector<StudySpan> byUtc, byClock;
    double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
    for (const Study* study : studies) {
        const auto utc = secondsOf(study->startedUtc);
        if (!utc)
            return std::nullopt;
        const double clock = static_cast<double>(study->clockNs) * 1e-9,
                     length = lastSampleEndNs(*study) * 1e-9 - clock;
        byUtc.push_back({*utc, *utc + length});
        byClock.push_back({clock, clock + length});
        least = std::min(least, *utc - clock);
        most = std::max(most, *utc - clock);
    }
    constexpr double kOneClock = 2; // seconds: each start is rounded down
    return most - least < kOneClock ? std::pair(byClock, 0.0) : std::pair(byUtc, 1.0);
}

} // namespace

bool tookTurns(std::span<const StudyPair> pairs) {
    std::vector<const Study*> all;
    for (const StudyPair& pair : pairs)
        all.insert(all.end(), {pair.a, pair.b});
    const auto spans = spansOf(all);
    if (!spans)
        return false;
    const auto& [studies, overlap] = *spans;
    std::vector<StudySpan> each;
    for (std::size_t i = 0; i + 1 < studies.size(); i += 2)
        each.push_back(
            {std::min(studies[i].begin, studies[i + 1].begin), std::max(studies[i].end, studies[i + 1].end)});
    std::sort(each.begin(), each.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < each.size(); ++i)
        if (each[i - 1].end > each[i].begin + overlap)
            return false;
    return true;
}

std::optional<std::vector<double>> startsOf(std::span<const Study* const> studies) {
    const auto spans = spansOf(studies);
    if (!spans)
        return std::nullopt;
    std::vector<double> starts;
    for (const StudySpan& span : spans->first)
        starts.push_back(span.begin);
    return starts;
}

} // namespace heteroscope::profiling
