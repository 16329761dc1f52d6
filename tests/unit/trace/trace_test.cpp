// SPDX-License-Identifier: Apache-2.0
// What the store promises: layout into lanes, exact queries, nothing dropped.
#include "profiling/trace/trace.h"
#include "tests/unit/trace/naive_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using testing::NaiveTrace;
using testing::randomSpans;

TrackId addThread(Trace& trace, const std::string& name) {
    Track track;
    track.name = trace.intern(name);
    return trace.addTrack(track);
}

SpanRef add(Trace& trace, TrackId track, std::int64_t start, std::int64_t duration, const std::string& name,
            std::int16_t depth = -1) {
    return trace.append({track, start, duration, trace.intern(name), 0, 0, depth});
}

void expectLanesDisjoint(const Trace& trace) {
    std::map<std::pair<TrackId, int>, std::int64_t> ends;
    trace.forEachSpan([&](SpanRef ref, const Span& span) {
        auto [end, first] = ends.try_emplace({ref.track, ref.lane}, span.startNs);
        EXPECT_LE(end->second, span.startNs) << "overlap in lane " << ref.lane;
        end->second = span.startNs + span.durationNs;
        return true;
    });
}

TEST(Trace, IsEmptyAtFirst) {
    const Trace trace;
    EXPECT_EQ(trace.trackCount(), 0u);
    EXPECT_EQ(trace.startNs(), 0);
    EXPECT_EQ(trace.endNs(), 0);
    EXPECT_TRUE(trace.search("x", 10).empty());
    EXPECT_TRUE(trace.statistics(0, 100, {}).empty());
    EXPECT_FALSE(trace.at(0, 0, 0, 0).valid());
}

TEST(Trace, ShowsNothingBeforePublish) {
    Trace trace;
    const TrackId track = addThread(trace, "main");
    const SpanRef ref = add(trace, track, 10, 5, "a");
    EXPECT_EQ(trace.spanCount(), 0u);
    EXPECT_FALSE(trace.span(ref));
    const auto before = trace.revision();
    trace.publish();
    EXPECT_GT(trace.revision(), before);
    EXPECT_EQ(trace.spanCount(), 1u);
    EXPECT_EQ(trace.spanCount(track), 1u);
    EXPECT_EQ(trace.startNs(), 10);
    EXPECT_EQ(trace.endNs(), 15);
    ASSERT_TRUE(trace.span(ref));
    EXPECT_EQ(trace.span(ref)->startNs, 10);
    EXPECT_EQ(trace.string(trace.span(ref)->name), "a");
}

TEST(Trace, NestedSpansGoDownWhateverTheOrderOfArrival) {
    Trace trace;
    const TrackId track = addThread(trace, "main");
    const SpanRef leaf = add(trace, track, 20, 10, "leaf");
    const SpanRef middle = add(trace, track, 10, 30, "middle");
    const SpanRef twin = add(trace, track, 10, 5, "twin of the same start");
    const SpanRef root = add(trace, track, 0, 100, "root");
    const SpanRef next = add(trace, track, 50, 10, "next");
    trace.publish();
    EXPECT_EQ(trace.laneCount(track), 3);
    EXPECT_EQ(trace.locate(root).lane, 0);
    EXPECT_EQ(trace.locate(middle).lane, 1);
    EXPECT_EQ(trace.locate(twin).lane, 2);
    EXPECT_EQ(trace.locate(leaf).lane, 2);
    EXPECT_EQ(trace.locate(next).lane, 1);
    expectLanesDisjoint(trace);
}

TEST(Trace, OverlappingSpansGetSubLanes) {
    Trace trace;
    const TrackId stream = addThread(trace, "stream");
    const SpanRef a = add(trace, stream, 0, 10, "a");
    const SpanRef b = add(trace, stream, 5, 10, "b");
    const SpanRef c = add(trace, stream, 10, 10, "c");
    trace.publish();
    EXPECT_EQ(trace.locate(a).lane, 0);
    EXPECT_EQ(trace.locate(b).lane, 1);
    EXPECT_EQ(trace.locate(c).lane, 0);
    EXPECT_EQ(trace.busyNs(stream, 0, 100), 20);
}

TEST(Trace, KnownDepthsNeedNoMerging) {
    Trace trace;
    const TrackId track = addThread(trace, "worker");
    const SpanRef child = add(trace, track, 10, 5, "child", 1);
    const SpanRef parent = add(trace, track, 0, 100, "parent", 0);
    EXPECT_EQ(child.lane, 1);
    EXPECT_EQ(parent.lane, 0);
    trace.publish();
    EXPECT_EQ(trace.laneCount(track), 2);
    EXPECT_EQ(trace.span(child)->depth, 1);
}

TEST(Trace, LateSpansLeaveEarlierReferencesValid) {
    Trace trace;
    const TrackId track = addThread(trace, "main");
    std::vector<SpanRef> refs;
    for (int i = 0; i < 10000; ++i)
        refs.push_back(add(trace, track, i * 10, 8, "s" + std::to_string(i)));
    trace.publish();
    const SpanRef late = add(trace, track, -1, 100010, "late");
    trace.publish();
    for (int i = 0; i < 10000; ++i) {
        ASSERT_TRUE(trace.span(refs[i]));
        EXPECT_EQ(trace.string(trace.span(refs[i])->name), "s" + std::to_string(i));
        EXPECT_EQ(trace.span(refs[i])->depth, 1);
    }
    EXPECT_EQ(trace.locate(late).lane, 0);
    EXPECT_EQ(trace.spanCount(), 10001u);
    expectLanesDisjoint(trace);
}

TEST(Trace, TextsAndArgumentsComeBack) {
    Trace trace;
    EXPECT_EQ(trace.intern(""), 0u);
    EXPECT_EQ(trace.intern("kernel"), trace.intern("kernel"));
    const auto id = trace.addArgs({{trace.intern("shape"), "1x1x64x64"}, {trace.intern("note"), ""}});
    EXPECT_THAT(trace.args(id),
                ::testing::ElementsAre(std::pair<std::string, std::string>("shape", "1x1x64x64"),
                                       std::pair<std::string, std::string>("note", "")));
    EXPECT_TRUE(trace.args(0).empty());
    EXPECT_TRUE(trace.args(99).empty());
    EXPECT_EQ(trace.string(12345), "");
}

TEST(Trace, ImpossibleTimesAreCutAndCounted) {
    Trace trace;
    const TrackId track = addThread(trace, "main");
    const SpanRef negative = add(trace, track, 10, -5, "negative");
    add(trace, track, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(),
        "far");
    add(trace, track, std::numeric_limits<std::int64_t>::min(), 1, "early");
    trace.publish();
    EXPECT_EQ(trace.spanCount(), 3u);
    EXPECT_EQ(trace.span(negative)->durationNs, 0);
    EXPECT_EQ(trace.quality().clipped, 3u);
    std::vector<DrawSpan> out;
    trace.query(track, 0, trace.startNs(), trace.endNs() + 1, 1e9, out);
    EXPECT_EQ(out.size(), 3u);
}

TEST(Trace, ExtremeTimesNeverOverflow) {
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
    Trace trace;
    const TrackId track = addThread(trace, "main");
    for (int i = 0; i < 5000; ++i)
        add(trace, track, i % 2 ? kLowest : 0, kHighest, "all of time");
    trace.publish();
    for (const auto& [t0, t1] : {std::pair(kLowest, kHighest), std::pair(trace.startNs(), trace.endNs())}) {
        std::vector<DrawSpan> out;
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane) {
            trace.query(track, lane, t0, t1, 1e30, out);
            (void)trace.at(track, lane, t0, kHighest);
            (void)trace.at(track, lane, t1, kHighest);
        }
        EXPECT_FALSE(out.empty());
        EXPECT_GT(trace.busyNs(track, t0, t1), 0);
        const auto sums = trace.statistics(t0, t1, {});
        ASSERT_EQ(sums.size(), 1u);
        EXPECT_EQ(sums[0].count, 5000u);
        EXPECT_EQ(sums[0].totalNs, kHighest);
    }
}

TEST(Trace, QueriesEndWithALaneOfWholeBlocks) {
    for (const int count : {8, 64, 512, 4096, 8192}) {
        Trace trace;
        const TrackId track = addThread(trace, "main");
        for (int i = 0; i < count; ++i)
            add(trace, track, i * 10, 10, "op");
        trace.publish();
        for (const double nsPerPixel : {11.0, 100.0, 1.1 * count * 10, 1.9 * count * 10}) {
            std::vector<DrawSpan> out;
            trace.query(track, 0, 0, count * 10, nsPerPixel, out);
            std::uint32_t found = 0;
            for (const DrawSpan& span : out)
                found += span.count;
            EXPECT_EQ(found, static_cast<std::uint32_t>(count));
        }
    }
}

TEST(Trace, SpansOfUnknownTracksAreRefused) {
    Trace trace;
    EXPECT_FALSE(add(trace, 7, 0, 1, "x").valid());
    trace.appendCounter(7, 0, 1.0);
    trace.publish();
    EXPECT_EQ(trace.spanCount(), 0u);
    EXPECT_EQ(trace.counterCount(), 0u);
}

TEST(Trace, MoreOpenSpansThanLanesAreKeptAndSaid) {
    Trace trace;
    const TrackId track = addThread(trace, "busy");
    for (int i = 0; i < 1500; ++i)
        add(trace, track, i, 1000000, "open");
    trace.publish();
    EXPECT_EQ(trace.laneCount(track), 1024);
    EXPECT_EQ(trace.spanCount(), 1500u);
    std::uint64_t walked = 0;
    trace.forEachSpan([&](SpanRef, const Span&) { return ++walked, true; });
    EXPECT_EQ(walked, 1500u);
    ASSERT_EQ(trace.quality().notes.size(), 1u);
    EXPECT_THAT(trace.quality().notes[0], ::testing::HasSubstr("busy"));
}

TEST(Trace, FlowsAreFoundFromBothEnds) {
    Trace trace;
    const TrackId host = addThread(trace, "host"), device = addThread(trace, "device");
    std::vector<Flow> flows;
    for (int i = 0; i < 300; ++i)
        flows.push_back({add(trace, host, i * 10, 5, "launch"), add(trace, device, i * 10 + 5, 5, "kernel")});
    for (const Flow& flow : flows)
        trace.appendFlow(flow);
    trace.appendFlow({flows[0].from, flows[7].to});
    trace.publish();
    EXPECT_EQ(trace.flowCount(), 301u);
    EXPECT_EQ(trace.flowsOf(flows[0].from).size(), 2u);
    EXPECT_EQ(trace.flowsOf(flows[7].to).size(), 2u);
    ASSERT_EQ(trace.flowsOf(flows[200].to).size(), 1u);
    EXPECT_EQ(trace.flowsOf(flows[200].to)[0].from, flows[200].from);
    EXPECT_TRUE(trace.flowsOf({host, 0, 9999}).empty());
}

TEST(Trace, FindsByNameInTimeOrder) {
    Trace trace;
    const TrackId a = addThread(trace, "a"), b = addThread(trace, "b");
    add(trace, a, 30, 1, "MaxPool forward");
    add(trace, b, 10, 1, "maxpool backward");
    add(trace, b, 20, 1, "gemm");
    trace.publish();
    const auto hits = trace.search("MAXPOOL", 10);
    ASSERT_EQ(hits.size(), 2u);
    EXPECT_EQ(hits[0].track, b);
    EXPECT_EQ(hits[1].track, a);
    EXPECT_EQ(trace.search("pool", 1).size(), 1u);
    EXPECT_EQ(trace.search("", 10).size(), 3u);
    EXPECT_TRUE(trace.search("conv", 10).empty());
}

/// Random traces against brute force, with publications in between.
class TraceAgainstBruteForce : public ::testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        for (int name = 1; name <= 20; ++name)
            trace.intern("name " + std::to_string(name));
        track = addThread(trace, "track");
        naive.spans = randomSpans(track, 30000, static_cast<std::uint32_t>(GetParam()), 20);
        const int part = GetParam() % 3;
        if (part == 1) // nearly in order
            std::sort(naive.spans.begin(), naive.spans.end(),
                      [](const Span& a, const Span& b) { return a.startNs / 1000 < b.startNs / 1000; });
        if (part == 2) // by end, as a recorder writes them
            std::sort(naive.spans.begin(), naive.spans.end(), [](const Span& a, const Span& b) {
                return a.startNs + a.durationNs < b.startNs + b.durationNs;
            });
        for (std::size_t i = 0; i < naive.spans.size(); ++i) {
            trace.append(naive.spans[i]);
            if (i % 7919 == 0)
                trace.publish();
        }
        trace.publish();
    }
    NaiveTrace naive;
    Trace trace;
    TrackId track = 0;
    std::mt19937 random{7};
    std::pair<std::int64_t, std::int64_t> randomRange() {
        const std::int64_t a = random() % 600000, b = random() % 600000;
        return {std::min(a, b), std::max(a, b)};
    }
};

TEST_P(TraceAgainstBruteForce, LanesDoNotOverlapAndNothingIsDropped) {
    expectLanesDisjoint(trace);
    std::uint64_t walked = 0;
    std::int64_t total = 0, expected = 0;
    trace.forEachSpan([&](SpanRef, const Span& span) { return ++walked, total += span.durationNs, true; });
    for (const Span& span : naive.spans)
        expected += span.durationNs;
    EXPECT_EQ(walked, naive.spans.size());
    EXPECT_EQ(total, expected);
}

TEST_P(TraceAgainstBruteForce, StatisticsAreExact) {
    for (int i = 0; i < 30; ++i) {
        const auto [t0, t1] = randomRange();
        const auto expected = naive.statistics(t0, t1);
        const auto found = trace.statistics(t0, t1, {});
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            const SpanStats& want = expected.at(found[k].name);
            EXPECT_EQ(found[k].count, want.count);
            EXPECT_EQ(found[k].totalNs, want.totalNs);
            EXPECT_EQ(found[k].minNs, want.minNs);
            EXPECT_EQ(found[k].maxNs, want.maxNs);
            if (k > 0) {
                EXPECT_GE(found[k - 1].totalNs, found[k].totalNs);
            }
        }
    }
}

TEST_P(TraceAgainstBruteForce, BusyTimeIsTheUnion) {
    for (int i = 0; i < 30; ++i) {
        const auto [t0, t1] = randomRange();
        EXPECT_EQ(trace.busyNs(track, t0, t1), naive.busy(track, t0, t1));
    }
}

TEST_P(TraceAgainstBruteForce, DrawListsHoldEverySpanOnce) {
    for (const double nsPerPixel : {0.0, 1.0, 20.0, 333.3, 5000.0, 1e9}) {
        const auto range = randomRange(); // names of a structured binding are not captured by clang 14
        const std::int64_t t0 = range.first, t1 = range.second;
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane) {
            std::uint64_t count = 0;
            std::int64_t busy = 0;
            trace.forEachSpan([&](SpanRef ref, const Span& span) {
                const std::int64_t end = span.startNs + span.durationNs;
                if (ref.lane == lane && span.startNs < t1 && (end > t0 || span.startNs >= t0))
                    ++count, busy += span.durationNs;
                return true;
            });
            std::vector<DrawSpan> out;
            trace.query(track, lane, t0, t1, nsPerPixel, out);
            for (std::size_t i = 0; i < out.size(); ++i) {
                count -= out[i].count;
                busy -= out[i].busyNs;
                if (out[i].count > 1) {
                    EXPECT_LT(static_cast<double>(out[i].endNs - out[i].startNs), nsPerPixel);
                }
                if (i > 0) {
                    EXPECT_GE(out[i].startNs, out[i - 1].endNs);
                }
                const Span longest = *trace.span(out[i].longest);
                EXPECT_EQ(longest.name, out[i].name);
                EXPECT_LE(longest.durationNs, out[i].busyNs);
            }
            EXPECT_EQ(count, 0u) << "lane " << lane << ", " << nsPerPixel << " ns a pixel";
            EXPECT_EQ(busy, 0);
        }
    }
}

TEST_P(TraceAgainstBruteForce, FindsTheSpanUnderAPoint) {
    for (int i = 0; i < 300; ++i) {
        const Span& span = naive.spans[random() % naive.spans.size()];
        if (span.durationNs == 0)
            continue;
        const std::int64_t time = span.startNs + span.durationNs / 2;
        bool found = false;
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane) {
            const SpanRef ref = trace.at(track, lane, time, 0);
            if (!ref.valid())
                continue;
            const Span hit = *trace.span(ref);
            EXPECT_LE(hit.startNs, time);
            EXPECT_GE(hit.startNs + hit.durationNs, time);
            found = found || (hit.startNs == span.startNs && hit.durationNs == span.durationNs);
        }
        EXPECT_TRUE(found);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TraceAgainstBruteForce, ::testing::Range(0, 6));

TEST(Trace, TakesAtMostFiftyBytesAnEvent) {
    Trace trace;
    const TrackId track = addThread(trace, "main");
    const StringId name = trace.intern("op");
    for (int i = 0; i < 1000000; ++i)
        trace.append({track, i * 100, 90, name, 0, 0, -1});
    trace.publish();
    EXPECT_LE(trace.memoryBytes() / 1000000, 50u);
}

} // namespace
} // namespace heteroscope::profiling
