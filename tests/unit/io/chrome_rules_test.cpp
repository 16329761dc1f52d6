// SPDX-License-Identifier: Apache-2.0
// Exported traces obey the rules of Perfetto and chrome://tracing, whatever a recording holds, and while it
// grows.
#include "compute/base/json.h"
#include "profiling/io/chrome_json.h"
#include "profiling/io/chrome_threads.h"
#include "tests/support/chrome_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <heteroscope_paths.h>
#include <limits>
#include <thread>

namespace heteroscope::profiling {
namespace {

using test::brokenChromeRules;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string exported(const Trace& trace) {
    std::string text;
    EXPECT_TRUE(writeChromeJson(trace, [&](std::string_view piece) {
        text += piece;
        return true;
    }));
    return text;
}

TrackId addRow(Trace& trace, const std::string& name, TrackId parent = kNoTrack,
               TrackKind kind = TrackKind::Thread) {
    return trace.addTrack({0, parent, kind, trace.intern(name), 0, 0});
}

SpanRef add(Trace& trace, TrackId track, std::int64_t start, std::int64_t duration, const std::string& name,
            std::int16_t depth = -1) {
    return trace.append({track, start, duration, trace.intern(name), 0, 0, depth});
}

std::vector<Json> eventsOf(const std::string& text, const std::string& phase) {
    const Json document = Json::parse(text);
    std::vector<Json> events;
    for (const Json& event : document.at("traceEvents"))
        if (event.at("ph") == phase)
            events.push_back(event);
    return events;
}

std::vector<std::string> flowNames(const Trace& trace) {
    std::vector<std::string> names;
    trace.forEachFlow([&](const Flow& flow) {
        names.push_back(trace.string(trace.span(flow.from)->name) + ">" +
                        trace.string(trace.span(flow.to)->name));
        return true;
    });
    return names;
}

/// A list of events with the names and places that its two threads need.
std::string listed(const std::string& events) {
    std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
    const auto row = [&](const std::string& what, int tid, int place) {
        const std::string head = R"({"ph":"M","pid":1,"tid":)" + std::to_string(tid) + R"(,"name":")" + what;
        text += head + R"(_name","args":{"name":"n"}},)" + head + R"(_sort_index","args":{"sort_index":)" +
                std::to_string(place) + "}},";
    };
    row("process", 1, 0);
    row("thread", 1, 1);
    row("thread", 2, 2);
    return text + events + "]}";
}
std::string span(int tid, const std::string& ts, const std::string& dur) {
    return R"({"ph":"X","name":"x","pid":1,"tid":)" + std::to_string(tid) + R"(,"ts":)" + ts + R"(,"dur":)" +
           dur + "}";
}
std::string arrow(const std::string& phase, int tid, const std::string& ts) {
    return R"({"ph":")" + phase + R"(","bp":"e","name":"flow","cat":"c","id":1,"pid":1,"tid":)" +
           std::to_string(tid) + R"(,"ts":)" + ts + "}";
}

TEST(ChromeRules, TheCheckFindsWhatViewersReject) {
    const std::string first = span(1, "1.000", "2.000"), second = span(2, "1.500", "2.000");
    EXPECT_THAT(brokenChromeRules(listed(first + "," + second + "," + arrow("s", 1, "1.000") + "," +
                                         arrow("f", 2, "1.500"))),
                IsEmpty());
    const std::vector<std::pair<std::string, std::string>> broken = {
        {first + "," + span(1, "1.500", "2.000"), "overlap"},
        {span(1, "1.5", "2.000"), "three decimals"},
        {span(3, "1.000", "2.000"), "without thread_name"},
        {R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":1.000})", "without duration"},
        {R"({"ph":"X","name":"x","pid":2,"tid":1,"ts":1.000,"dur":0.000})", "another process"},
        {R"({"ph":"C","name":"x","pid":1,"tid":1,"ts":1.000,"args":{"a":"1"}})", "no number"},
        {R"({"ph":"B","name":"x","pid":1,"tid":1,"ts":1.000})", "phase 'B'"},
        {first + "," + arrow("s", 1, "1.000"), "not one start and one end"},
        {first + "," + arrow("s", 1, "2.000") + "," + arrow("f", 1, "1.000"), "ends before it starts"},
        {first + "," + arrow("s", 1, "1.000") + "," + arrow("f", 1, "3.000"), "lies in no span"},
        {R"({"ph":"C","name":"x","pid":1,"tid":1,"ts":1.000,"args":{"a":NaN}})", "parse error"},
        {R"({"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":2}})", "shares"}};
    for (const auto& [events, problem] : broken)
        EXPECT_THAT(brokenChromeRules(listed(events)), Contains(HasSubstr(problem))) << events;
    EXPECT_THAT(brokenChromeRules("{}"), Contains(HasSubstr("no list of events")));
}

TEST(ChromeRules, EqualStartsZeroLengthsAndOverlaps) {
    Trace trace;
    const TrackId row = addRow(trace, "row");
    const std::vector<std::pair<std::int64_t, std::int64_t>> spans = {
        {0, 0},  {0, 10}, {0, 10}, {0, 5},  {0, 0},    {5, 5},  {10, 0}, {10, 10},
        {15, 0}, {15, 9}, {20, 0}, {21, 3}, {-7, 100}, {93, 0}, {93, 1}, {50, 43}};
    for (const auto& [start, duration] : spans)
        add(trace, row, start, duration, std::to_string(start) + "+" + std::to_string(duration));
    trace.publish();
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    EXPECT_EQ(eventsOf(text, "X").size(), spans.size());
}

TEST(ChromeRules, AnyMixtureOfSpansIsNested) {
    std::uint64_t random = 88172645463325252ull;
    const auto next = [&](std::uint64_t below) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return static_cast<std::int64_t>(random % below);
    };
    for (int round = 0; round < 200; ++round) {
        Trace trace;
        const TrackId top = addRow(trace, "top", kNoTrack, TrackKind::Group);
        std::vector<SpanRef> refs;
        for (TrackId track = 1; track < 4; ++track) {
            addRow(trace, "row", top);
            for (int i = 0; i < 40; ++i)
                refs.push_back(add(trace, track, next(30), next(3) ? next(20) : 0, "s",
                                   static_cast<std::int16_t>(next(5) - 1)));
        }
        for (int i = 0; i < 30; ++i)
            trace.appendFlow({refs[static_cast<std::size_t>(next(refs.size()))],
                              refs[static_cast<std::size_t>(next(refs.size()))]});
        trace.publish();
        const std::string text = exported(trace);
        EXPECT_THAT(brokenChromeRules(text), IsEmpty()) << "round " << round;
        EXPECT_EQ(eventsOf(text, "X").size(), refs.size());
    }
}

TEST(ChromeRules, SixtyFourRowsDeepOrWide) {
    Trace trace;
    const TrackId deep = addRow(trace, "deep"), wide = addRow(trace, "wide");
    for (int i = 0; i < 64; ++i) {
        add(trace, deep, i, 1000 - 2 * i, "deep");
        add(trace, wide, i, 1000, "wide");
    }
    trace.publish();
    ASSERT_EQ(trace.laneCount(deep), 64);
    ASSERT_EQ(trace.laneCount(wide), 64);
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    std::set<std::int64_t> threads;
    for (const Json& event : eventsOf(text, "X"))
        threads.insert(event.at("tid").get<std::int64_t>());
    EXPECT_EQ(threads.size(), 65u); // one deep one, 64 wide ones
    std::vector<std::string> names;
    for (const Json& event : eventsOf(text, "M"))
        if (event.at("name") == "thread_name")
            names.push_back(event.at("args").at("name"));
    EXPECT_THAT(names, Contains("wide (overlap 63)"));
}

TEST(ChromeRules, SpansThatAKernelCoversStayOnItsThread) {
    Trace trace;
    const TrackId stream = addRow(trace, "stream");
    add(trace, stream, 0, 10, "a");
    add(trace, stream, 5, 10, "b");
    add(trace, stream, 6, 3, "in b, says the store");
    trace.publish();
    std::map<std::string, std::int64_t> threads;
    for (const Json& event : eventsOf(exported(trace), "X"))
        threads[event.at("name").get<std::string>()] = event.at("tid").get<std::int64_t>();
    EXPECT_NE(threads.at("a"), threads.at("b"));
    EXPECT_EQ(threads.at("in b, says the store"), threads.at("b"));
}

TEST(ChromeRules, HugeAndNegativeTimes) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max(),
                           kMin = std::numeric_limits<std::int64_t>::min();
    Trace trace, again;
    const TrackId row = addRow(trace, "row");
    const SpanRef early = add(trace, row, kMin, 7, "early");
    add(trace, row, -1, 1, "before zero");
    add(trace, row, 1700000000123456789, 1001, "today");
    const SpanRef late = add(trace, row, kMax, kMax, "late");
    add(trace, row, kMin, kMax, "very long");
    trace.appendFlow({early, late});
    trace.appendCounter(addRow(trace, "counter", row, TrackKind::Counter), kMax,
                        std::numeric_limits<double>::denorm_min());
    trace.publish();
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    EXPECT_THAT(Json::parse(text).at("otherData").dump(), HasSubstr("clipped"));
    ASSERT_TRUE(importChromeJsonText(text, again));
    EXPECT_EQ(again.startNs(), trace.startNs());
    EXPECT_EQ(again.endNs(), trace.endNs());
    Trace edge; // the last nanoseconds that a store keeps come back exactly
    constexpr std::int64_t kLast = std::int64_t{1} << 61;
    add(edge, addRow(edge, "row"), kLast - 7, 6, "edge");
    edge.publish();
    Trace edgeAgain;
    ASSERT_TRUE(importChromeJsonText(exported(edge), edgeAgain));
    EXPECT_EQ(edgeAgain.startNs(), kLast - 7);
    EXPECT_EQ(edgeAgain.endNs(), kLast - 1);
    EXPECT_THAT(flowNames(again), testing::ElementsAre("early>late"));
}

TEST(ChromeRules, NamesWithControlCharactersAndBadUtf8) {
    Trace trace;
    std::string all;
    for (int c = 0; c < 256; ++c)
        all += static_cast<char>(c);
    const TrackId top = addRow(trace, all, kNoTrack, TrackKind::Group);
    const TrackId counter =
        trace.addTrack({0, top, TrackKind::Counter, trace.intern(all), trace.intern(all), 0});
    const auto args = trace.addArgs({{trace.intern(all), all}, {trace.intern("ts"), "1.5"}});
    trace.append({addRow(trace, all, top), 0, 1, trace.intern(all), trace.intern(all), args, -1});
    trace.appendCounter(counter, 0, 1.5);
    DataQuality quality;
    quality.notes.push_back(all);
    trace.setQuality(quality);
    trace.publish();
    EXPECT_THAT(brokenChromeRules(exported(trace)), IsEmpty());
}

TEST(ChromeRules, CountersOfOneNameStayApart) {
    Trace trace, again;
    const TrackId top = addRow(trace, "top", kNoTrack, TrackKind::Group);
    for (int i = 0; i < 2; ++i)
        trace.appendCounter(addRow(trace, "memory", top, TrackKind::Counter), 10 * i, 1 + i);
    trace.publish();
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    ASSERT_TRUE(importChromeJsonText(text, again));
    std::vector<std::string> names;
    again.forEachCounter([&](TrackId track, const CounterPoint&) {
        names.push_back(again.string(again.track(track).name));
        return true;
    });
    EXPECT_THAT(names, testing::ElementsAre("memory", "memory 2"));
}

TEST(ChromeRules, FlowsFollowSpansThatMovedAndStayInOrder) {
    Trace trace, again;
    const TrackId host = addRow(trace, "host"), stream = addRow(trace, "stream");
    const SpanRef launch = add(trace, host, 50, 50, "launch");
    const SpanRef kernel = add(trace, stream, 40, 100, "kernel");
    const SpanRef before = add(trace, stream, 0, 10, "before"); // arrives late, and moves nothing
    add(trace, host, 0, 200, "step");                           // arrives late, and moves launch down
    trace.appendFlow({launch, kernel});                         // the kernel has begun already
    trace.appendFlow({launch, before});                         // backwards: the format has no such arrow
    trace.publish();
    ASSERT_NE(trace.locate(launch).lane, launch.lane);
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    EXPECT_THAT(Json::parse(text).at("otherData").dump(), HasSubstr("is over before\":1"));
    const auto report = importChromeJsonText(text, again);
    ASSERT_TRUE(report);
    EXPECT_THAT(report->notes, IsEmpty());
    EXPECT_THAT(flowNames(again), testing::ElementsAre("launch>kernel"));
}

TEST(ChromeRules, FlowsTouchTheOuterSpanBetweenItsInnerOnes) {
    Trace trace, again;
    const TrackId host = addRow(trace, "host"), stream = addRow(trace, "stream");
    const SpanRef outer = add(trace, host, 0, 1000, "outer");
    for (int i = 0; i < 99; ++i) // own time only from 990 on
        add(trace, host, 10 * i, 10, "inner");
    const SpanRef point = add(trace, stream, 995, 0, "point");
    trace.appendFlow({outer, point});
    trace.publish();
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    ASSERT_TRUE(importChromeJsonText(text, again));
    EXPECT_THAT(flowNames(again), testing::ElementsAre("outer>point"));
}

TEST(ChromeRules, FlowPlacesKeepTheirLatestGap) {
    FlowPlace place;
    place.setSpan(1, 0, 10000);
    for (std::int64_t i = 0; i < 500; ++i)
        place.addInner(10 * i + 5, 10 * i + 10);
    EXPECT_EQ(place.ownTime(), 0);
    EXPECT_EQ(place.ownTime(7), 10);
    EXPECT_EQ(place.ownTime(4991), 4991);
    EXPECT_EQ(place.ownTime(4996), 5000);
    EXPECT_EQ(place.ownTime(10000), std::nullopt);
}

TEST(ChromeRules, WhatIsNoNumberIsCountedAsLeftOut) {
    Trace trace;
    const TrackId counter = addRow(trace, "load", addRow(trace, "host"), TrackKind::Counter);
    trace.appendCounter(counter, 0, std::numeric_limits<double>::quiet_NaN());
    trace.appendCounter(counter, 1, std::numeric_limits<double>::infinity());
    trace.publish();
    const std::string text = exported(trace);
    EXPECT_THAT(brokenChromeRules(text), IsEmpty());
    EXPECT_THAT(Json::parse(text).at("otherData").dump(), HasSubstr("no numbers\":2"));
}

/// New rows, new lanes, late spans and flows arrive while the export runs.
TEST(ChromeRules, ATraceThatGrowsIsWrittenWhole) {
    Trace trace;
    std::atomic<int> rounds{0};
    constexpr int kRounds = 300;
    std::thread writer([&] {
        for (int round = 0; round < kRounds; ++round) {
            const TrackId row = addRow(trace, "row", round % 3 ? 0 : kNoTrack);
            SpanRef last;
            for (int i = 0; i < 8; ++i) // each a lane of its own, on this row and on the first
                for (const TrackId track : {row, TrackId{0}}) {
                    const SpanRef now = add(trace, track, 10 * round - i, 1000 + 20 * i, "s");
                    if (last.valid())
                        trace.appendFlow({last, now});
                    last = now;
                }
            trace.appendCounter(row, round, round);
            trace.publish();
            ++rounds;
        }
    });
    while (rounds.load() < 5)
        std::this_thread::yield();
    bool whole = false;
    while (!whole) {
        whole = rounds.load() == kRounds;
        const std::string text = exported(trace);
        EXPECT_THAT(brokenChromeRules(text), IsEmpty());
        EXPECT_GE(eventsOf(text, "X").size(), whole ? 16u * kRounds : 80u);
    }
    writer.join();
}

TEST(ChromeRules, ARecordedGpuRunObeysThem) {
    Trace trace;
    ASSERT_TRUE(importChromeJson(
        HETEROSCOPE_SOURCE_DIR "/tests/golden/traces/h200-cupti-mixed.chrome.json.gz", trace));
    EXPECT_THAT(brokenChromeRules(exported(trace)), IsEmpty());
}

TEST(ChromeRules, AWriterThatFailsIsAskedNoMore) {
    Trace trace;
    const TrackId row = addRow(trace, "row");
    for (int i = 0; i < 100000; ++i)
        add(trace, row, i, 1, "a name that fills a few megabytes in the end");
    trace.publish();
    int asked = 0;
    EXPECT_FALSE(writeChromeJson(trace, [&](std::string_view) { return ++asked < 2; }));
    EXPECT_EQ(asked, 2);
}

} // namespace
} // namespace heteroscope::profiling
