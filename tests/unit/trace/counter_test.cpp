// SPDX-License-Identifier: Apache-2.0
// Counters: minimum, maximum and last value per pixel, late points, the value in force at the left edge.
#include "profiling/trace/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heteroscope::profiling {
namespace {

TrackId addCounter(Trace& trace) {
    Track track;
    track.kind = TrackKind::Counter;
    track.name = trace.intern("memory");
    track.unit = trace.intern("bytes");
    return trace.addTrack(track);
}

TEST(Counter, GivesTheValueInForceAtTheLeftEdge) {
    Trace trace;
    const TrackId track = addCounter(trace);
    trace.appendCounter(track, 10, 1.0);
    trace.appendCounter(track, 20, 2.0);
    trace.appendCounter(track, 30, 3.0);
    trace.publish();
    std::vector<CounterBin> bins;
    trace.queryCounter(track, 15, 30, 1.0, bins);
    ASSERT_EQ(bins.size(), 2u);
    EXPECT_EQ(bins[0].timeNs, 10);
    EXPECT_EQ(bins[0].last, 1.0);
    EXPECT_EQ(bins[1].timeNs, 20);
    EXPECT_EQ(bins[1].last, 2.0);
    EXPECT_EQ(trace.counterCount(), 3u);
    EXPECT_EQ(trace.endNs(), 30);
}

class CounterAgainstBruteForce : public ::testing::TestWithParam<double> {};

TEST_P(CounterAgainstBruteForce, BinsHoldEveryPointOnce) {
    Trace trace;
    const TrackId track = addCounter(trace);
    std::mt19937 random(3);
    std::vector<CounterPoint> points;
    for (int i = 0; i < 20000; ++i)
        points.push_back(
            {static_cast<std::int64_t>(random() % 1000000), static_cast<double>(random() % 1000)});
    for (std::size_t i = 0; i < points.size(); ++i) {
        trace.appendCounter(track, points[i].timeNs, points[i].value);
        if (i % 5000 == 0)
            trace.publish();
    }
    trace.publish();
    std::stable_sort(points.begin(), points.end(),
                     [](const CounterPoint& a, const CounterPoint& b) { return a.timeNs < b.timeNs; });
    std::vector<CounterBin> bins;
    trace.queryCounter(track, 0, 1000000, GetParam(), bins);
    std::size_t next = 0;
    for (const CounterBin& bin : bins) {
        ASSERT_LE(next + bin.count, points.size());
        const auto first = points.begin() + static_cast<std::ptrdiff_t>(next), last = first + bin.count;
        const auto byValue = [](const CounterPoint& a, const CounterPoint& b) { return a.value < b.value; };
        EXPECT_EQ(bin.timeNs, first->timeNs);
        EXPECT_EQ(bin.min, std::min_element(first, last, byValue)->value);
        EXPECT_EQ(bin.max, std::max_element(first, last, byValue)->value);
        EXPECT_EQ(bin.last, (last - 1)->value);
        if (bin.count > 1) {
            EXPECT_LT(static_cast<double>((last - 1)->timeNs - bin.timeNs), GetParam());
        }
        next += bin.count;
    }
    EXPECT_EQ(next, points.size());
}

INSTANTIATE_TEST_SUITE_P(Zooms, CounterAgainstBruteForce, ::testing::Values(0.0, 1.0, 37.0, 1000.0, 1e7));

} // namespace
} // namespace heteroscope::profiling
