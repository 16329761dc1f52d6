// SPDX-License-Identifier: Apache-2.0
// What an import leaves out or finds cut off is in the trace's quality, and a trace never has more tracks
// than a run file holds.
#include "profiling/io/chrome_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>
#include <zlib.h>

namespace heteroscope::profiling {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kWholeSpan = R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1})";
const std::string kNegativeSpan = R"({"ph":"X","name":"y","ts":5,"dur":-3,"pid":1,"tid":1})";

ImportReport importedWithQuality(const std::string& text, Trace& trace) {
    auto report = importChromeJsonText(text, trace);
    EXPECT_TRUE(report) << report.error().sentence();
    return report ? *report : ImportReport();
}

/// `count` events; `{}` in `event` is the number of each.
std::string numberedEvents(const std::string& event, std::size_t count) {
    const std::size_t place = event.find("{}");
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i)
        text += (i > 0 ? "," : "") + event.substr(0, place) + std::to_string(i) + event.substr(place + 2);
    return text + "]";
}

TEST(ChromeImportQuality, AWholeTraceIsClean) {
    Trace trace;
    importedWithQuality("[" + kWholeSpan + "]", trace);
    EXPECT_TRUE(trace.quality().clean());
}

TEST(ChromeImportQuality, ACutFileIsNoted) {
    Trace trace;
    importedWithQuality("[" + kWholeSpan + ",{\"ph\":\"X\"", trace);
    EXPECT_FALSE(trace.quality().clean());
    EXPECT_THAT(trace.quality().notes, ElementsAre(HasSubstr("is cut off")));
}

TEST(ChromeImportQuality, SkippedEventsAreDropped) {
    Trace trace;
    const auto report = importedWithQuality("[" + kWholeSpan + "," + kNegativeSpan + "]", trace);
    EXPECT_EQ(report.skipped, 1u);
    EXPECT_EQ(trace.quality().droppedEvents, 1u);
    EXPECT_EQ(trace.quality().notes, report.notes);
    EXPECT_THAT(trace.quality().notes, ElementsAre(HasSubstr("is negative")));
}

TEST(ChromeImportQuality, ManySkippedEventsDoNotHideThatTheFileIsCut) {
    Trace trace;
    std::string text = "[";
    for (int i = 0; i < 200; ++i)
        text += kNegativeSpan + ",";
    importedWithQuality(text, trace);
    EXPECT_EQ(trace.quality().droppedEvents, 200u);
    EXPECT_LE(trace.quality().notes.size(), 100u);
    EXPECT_THAT(trace.quality().notes, ::testing::Contains(HasSubstr("the closing ] is missing")));
    EXPECT_THAT(trace.quality().notes,
                ::testing::Contains(
                    "200 events left out: its length (\"dur\") is negative (ph X); the first at byte 1"));
}

TEST(ChromeImportQuality, EachReasonIsALineWithItsCount) {
    Trace trace;
    const auto report = importedWithQuality(
        "[" + kWholeSpan + "," + kNegativeSpan + R"(,{"ph":"v","ts":1},)" + kNegativeSpan +
            R"(,{"ph":"E","ts":9,"pid":1,"tid":1},{"ph":"E","ts":9,"pid":1,"tid":1}])",
        trace);
    EXPECT_EQ(report.events, 1u);
    EXPECT_EQ(report.skipped, 5u);
    EXPECT_THAT(
        report.notes,
        ElementsAre("2 events left out: its length (\"dur\") is negative (ph X); the first at byte 54",
                    HasSubstr("left out: events of its phase are not shown (ph v)"),
                    "2 ends without a begin were left out"));
    const Json losses = report.json().at("losses");
    ASSERT_EQ(losses.size(), 3u);
    EXPECT_EQ(losses[0].at("count"), 2);
    EXPECT_EQ(losses[0].at("first_byte"), 54);
    EXPECT_EQ(losses[2].at("count"), 2);
    EXPECT_EQ(losses[2].at("first_byte"), nullptr);
}

/// Metadata quote names, so that reasons may be as many as events.
TEST(ChromeImportQuality, ManyReasonsAreCountedTogether) {
    Trace trace;
    const auto report =
        importedWithQuality(numberedEvents(R"({"ph":"M","name":"m{}","pid":1})", 1000), trace);
    EXPECT_EQ(report.skipped, 1000u);
    EXPECT_LE(report.notes.size(), 100u);
    EXPECT_THAT(report.notes, ::testing::Contains("910 events were left out for still other reasons"));
}

TEST(ChromeImportQuality, WhatHoldsNothingIsOfNoUse) {
    for (const std::string& text :
         {std::string("[]"), std::string(R"([{"ph":"E","ts":1}])"), "[" + kNegativeSpan + "]",
          std::string(R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}])")}) {
        Trace trace;
        const auto report = importedWithQuality(text, trace);
        const Status some = requireSomething(report, trace, "t.json");
        ASSERT_FALSE(some) << text;
        EXPECT_EQ(some.error().code, ErrorCode::BadInput);
        EXPECT_THAT(some.error().sentence(), HasSubstr("t.json: it holds no span and no counter value"))
            << text;
    }
    Trace trace;
    const auto report = importedWithQuality("[" + kWholeSpan + "]", trace);
    EXPECT_TRUE(requireSomething(report, trace, "t.json"));
}

struct TrackCase {
    std::string name, event;
    std::size_t fitting; ///< so many events fill the tracks
};

void PrintTo(const TrackCase& many, std::ostream* out) {
    *out << many.name;
}

class TracksBeyondTheLimit : public ::testing::TestWithParam<TrackCase> {};

TEST_P(TracksBeyondTheLimit, AreLeftOutAndCounted) {
    const std::size_t fitting = GetParam().fitting;
    Trace full, beyond;
    EXPECT_EQ(importedWithQuality(numberedEvents(GetParam().event, fitting), full).skipped, 0u);
    EXPECT_EQ(full.trackCount(), kMaxTracks);
    EXPECT_TRUE(full.quality().clean());
    const auto report = importedWithQuality(numberedEvents(GetParam().event, fitting + 3), beyond);
    EXPECT_EQ(report.events, fitting);
    EXPECT_EQ(report.skipped, 3u);
    EXPECT_EQ(beyond.trackCount(), kMaxTracks);
    EXPECT_EQ(beyond.quality().droppedEvents, 3u);
    EXPECT_THAT(
        beyond.quality().notes,
        ElementsAre(HasSubstr("3 events were left out, as a whole or in part: a run file holds 16384")));
}

/// The process is a track as well; a span in a process of its own takes two.
INSTANTIATE_TEST_SUITE_P(
    ChromeImportQuality, TracksBeyondTheLimit,
    ::testing::Values(
        TrackCase{"threads", R"({"ph":"X","ts":0,"dur":1,"pid":1,"tid":{}})", kMaxTracks - 1},
        TrackCase{"instants", R"({"ph":"i","ts":0,"pid":1,"tid":{}})", kMaxTracks - 1},
        TrackCase{"named threads", R"({"ph":"M","name":"thread_name","pid":1,"tid":{},"args":{"name":"t"}})",
                  kMaxTracks - 1},
        TrackCase{"named processes", R"({"ph":"M","name":"process_name","pid":{},"args":{"name":"p"}})",
                  kMaxTracks},
        TrackCase{"processes with a thread", R"({"ph":"X","ts":0,"dur":1,"pid":{},"tid":1})", kMaxTracks / 2},
        TrackCase{"counters", R"({"ph":"C","name":"c{}","ts":0,"pid":1,"args":{"value":1}})", kMaxTracks - 1},
        TrackCase{"asynchronous", R"({"ph":"n","cat":"c{}","name":"a","id":1,"ts":0,"pid":1})",
                  kMaxTracks - 1}));

TEST(ChromeImportQuality, CounterKeysBeyondTheTracksAreCounted) {
    constexpr std::size_t kCounters = 4, kKeys = kMaxTracks / kCounters;
    std::string keys;
    for (std::size_t i = 0; i < kKeys; ++i)
        keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
    Trace trace;
    const auto report = importedWithQuality(
        numberedEvents(R"({"ph":"C","name":"c{}","ts":0,"pid":1,"args":{)" + keys + "}}", kCounters), trace);
    EXPECT_EQ(report.events, kCounters - 1);
    EXPECT_EQ(report.skipped, 1u);
    EXPECT_EQ(trace.trackCount(), kMaxTracks);
    EXPECT_EQ(trace.counterCount(), kMaxTracks - 1);
    EXPECT_THAT(trace.quality().notes, ElementsAre(HasSubstr("in part")));
}

TEST(ChromeImportLists, EveryListOfADocumentIsRead) {
    Trace trace;
    const auto report = importedWithQuality(
        R"({"traceEvents":[)" + kWholeSpan + R"(],"a":"traceEvents","o":{"traceEvents":[1]},)" +
            R"("traceEvents" : [)" + kWholeSpan + R"(],"traceEvents":[],"traceEvents":[)" + kWholeSpan + "]}",
        trace);
    EXPECT_EQ(report.events, 3u);
    EXPECT_EQ(report.skipped, 0u);
    EXPECT_EQ(trace.spanCount(), 3u);
    EXPECT_TRUE(trace.quality().clean());
}

TEST(ChromeImportLists, AFurtherListThatIsCutIsNoted) {
    Trace trace;
    const auto report =
        importedWithQuality(R"({"traceEvents":[)" + kWholeSpan + R"(],"traceEvents":[)" + kWholeSpan, trace);
    EXPECT_EQ(report.events, 2u);
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the closing ] is missing")));
}

TEST(ChromeImportLists, FurtherEventsThatAreNoListAreNoted) {
    Trace trace;
    const auto report =
        importedWithQuality(R"({"traceEvents":[)" + kWholeSpan + R"(],"traceEvents":{"a":1}})", trace);
    EXPECT_EQ(report.events, 1u);
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("one more \"traceEvents\" is no list")));
    EXPECT_FALSE(trace.quality().clean());
}

/// What one megabyte of compressed data says may go on for hours.
TEST(ChromeImportRest, WithoutAnEndIsNotReadToItsEnd) {
    const std::string path =
        ::testing::TempDir() + "heteroscope-rest-" + std::to_string(::getpid()) + ".json.gz";
    const gzFile file = ::gzopen(path.c_str(), "wb1");
    ASSERT_NE(file, nullptr);
    const std::string whole = R"({"traceEvents":[)" + kWholeSpan + "]}", spaces(1 << 20, ' ');
    ::gzwrite(file, whole.data(), static_cast<unsigned>(whole.size()));
    for (int i = 0; i < 260; ++i)
        ::gzwrite(file, spaces.data(), static_cast<unsigned>(spaces.size()));
    ASSERT_EQ(::gzclose(file), Z_OK);
    Trace trace;
    const auto report = importChromeJson(path, trace);
    std::remove(path.c_str());
    ASSERT_TRUE(report) << report.error().sentence();
    EXPECT_EQ(report->events, 1u);
    EXPECT_THAT(report->notes,
                ElementsAre(AllOf(HasSubstr("more than 256.0 MiB without an event follow the events; from"),
                                  HasSubstr("on nothing was read"))));
}

} // namespace
} // namespace heteroscope::profiling
