// SPDX-License-Identifier: Apache-2.0
// Chrome traces out: valid JSON whatever the names hold, and the same trace when read again.
#include "compute/base/json.h"
#include "profiling/io/chrome_json.h"
#include "profiling/io/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <limits>

namespace heteroscope::profiling {
namespace {

class ChromeExport : public ::testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path); }
    Json exported(const Trace& trace) {
        const Status status = exportChromeJson(trace, path);
        EXPECT_TRUE(status) << status.error().sentence();
        std::ifstream file(path);
        return Json::parse(file);
    }
    TrackId add(Trace& trace, const std::string& name, TrackKind kind, TrackId parent = kNoTrack) {
        return trace.addTrack(
            {0, parent, kind, trace.intern(name), 0, static_cast<std::int32_t>(trace.trackCount())});
    }
    const std::string path =
        ::testing::TempDir() + "heteroscope-export-" + std::to_string(::getpid()) + ".json";
};

/// What a trace holds, in an order that does not depend on ids.
std::multiset<std::string> contents(const Trace& trace) {
    std::multiset<std::string> all;
    const auto trackName = [&](TrackId id) {
        const Track track = trace.track(id);
        return (track.parent == kNoTrack ? "" : trace.string(trace.track(track.parent).name) + "/") +
               trace.string(track.name);
    };
    const auto describe = [&](SpanRef ref, const Span& span) {
        return trackName(ref.track) + " " + trace.string(span.name) + " " + trace.string(span.category) +
               " " + std::to_string(span.startNs) + "+" + std::to_string(span.durationNs) + " depth " +
               std::to_string(span.depth);
    };
    trace.forEachSpan([&](SpanRef ref, const Span& span) {
        std::string text = describe(ref, span);
        for (const auto& [key, value] : trace.args(span.args))
            text += " " + key + "=" + value;
        all.insert(text);
        return true;
    });
    trace.forEachCounter([&](TrackId id, const CounterPoint& point) {
        all.insert(trackName(id) + " [" + trace.string(trace.track(id).unit) + "] " +
                   std::to_string(point.timeNs) + ": " + std::to_string(point.value));
        return true;
    });
    trace.forEachFlow([&](const Flow& flow) {
        all.insert(describe(flow.from, *trace.span(flow.from)) + " > " +
                   describe(flow.to, *trace.span(flow.to)));
        return true;
    });
    return all;
}

TEST_F(ChromeExport, ComesBackTheSame) {
    Trace trace;
    const TrackId host = add(trace, "host", TrackKind::Group);
    const TrackId main = add(trace, "main", TrackKind::Thread, host);
    const TrackId gpu = add(trace, "GPU 0", TrackKind::Group);
    const TrackId stream = add(trace, "stream 7", TrackKind::Stream, gpu);
    const TrackId memory =
        trace.addTrack({0, host, TrackKind::Counter, trace.intern("memory"), trace.intern("bytes"), 9});
    const auto args = trace.addArgs({{trace.intern("shape"), "1x1x4x4"},
                                     {trace.intern("bytes"), "4096"},
                                     {trace.intern("grid"), "[4,1,1]"}});
    const SpanRef outer =
        trace.append({main, -1500, 100001, trace.intern("step"), trace.intern("phase"), args, -1});
    const SpanRef launch = trace.append({main, -1500, 999, trace.intern("launch"), 0, 0, -1});
    const SpanRef kernel =
        trace.append({stream, 1001, 50003, trace.intern("kernel<float, 2>"), trace.intern("kernel"), 0, -1});
    trace.append({stream, 60000, 0, trace.intern("instant"), 0, 0, -1});
    trace.appendFlow({launch, kernel});
    trace.appendFlow({outer, kernel});
    trace.appendCounter(memory, 1, 0.1);
    trace.appendCounter(memory, 2000001, 1e300);
    trace.publish();
    exported(trace);
    Trace again;
    const auto report = importChromeJson(path, again);
    ASSERT_TRUE(report) << report.error().sentence();
    EXPECT_THAT(report->notes, ::testing::IsEmpty());
    EXPECT_EQ(contents(again), contents(trace));
}

TEST_F(ChromeExport, ARealTraceComesBackTheSame) {
    Trace trace, again;
    ASSERT_TRUE(importChromeJson(
        HETEROSCOPE_SOURCE_DIR "/tests/golden/traces/h200-cupti-mixed.chrome.json.gz", trace));
    ASSERT_TRUE(exportChromeJson(trace, path));
    const auto report = importChromeJson(path, again);
    ASSERT_TRUE(report);
    EXPECT_THAT(report->notes, ::testing::IsEmpty());
    EXPECT_EQ(contents(again), contents(trace));
}

TEST_F(ChromeExport, OverlappingSpansGetThreadsOfTheirOwn) {
    Trace trace;
    const TrackId stream = add(trace, "stream", TrackKind::Stream);
    trace.append({stream, 0, 10, trace.intern("a"), 0, 0, -1});
    trace.append({stream, 5, 10, trace.intern("b"), 0, 0, -1});
    trace.publish();
    const Json json = exported(trace);
    std::set<std::int64_t> threads;
    for (const Json& event : json.at("traceEvents"))
        if (event.at("ph") == "X")
            threads.insert(event.at("tid").get<std::int64_t>());
    EXPECT_EQ(threads.size(), 2u);
}

TEST_F(ChromeExport, HostileNamesStayValidJson) {
    std::string all;
    for (int c = 0; c < 256; ++c)
        all += static_cast<char>(c);
    const std::vector<std::string> names = {all,
                                            "\"",
                                            "\\",
                                            "\\u0000",
                                            "</script>",
                                            "\xed\xa0\x80",
                                            "\xf4\x90\x80\x80",
                                            "\xc0\xaf",
                                            "void k<\"x\", '\\n'>(int*)",
                                            "\u00e9\U0001f600",
                                            std::string("a\0b", 3),
                                            "\xe2\x82"};
    Trace trace;
    for (const std::string& name : names) {
        const TrackId track = add(trace, name, TrackKind::Thread);
        trace.append({track, 0, 1, trace.intern(name), trace.intern(name),
                      trace.addArgs({{trace.intern(name), name}}), -1});
    }
    trace.publish();
    const Json json = exported(trace);
    std::vector<std::string> found;
    for (const Json& event : json.at("traceEvents"))
        if (event.at("ph") == "X")
            found.push_back(event.at("name"));
    ASSERT_EQ(found.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(found[i], validUtf8(names[i]));
}

TEST_F(ChromeExport, HasWhatViewersNeed) {
    Trace trace;
    const TrackId host = add(trace, "host", TrackKind::Group);
    const TrackId main = add(trace, "main", TrackKind::Thread, host);
    trace.append({main, 1234, 567, trace.intern("op"), 0, 0, -1});
    trace.appendCounter(trace.addTrack({0, host, TrackKind::Counter, trace.intern("load"), 0, 2}), 5,
                        std::nan(""));
    trace.publish();
    const Json json = exported(trace);
    std::map<std::string, int> phases;
    for (const Json& event : json.at("traceEvents")) {
        ++phases[event.at("ph").get<std::string>()];
        EXPECT_TRUE(event.at("pid").is_number_integer());
        EXPECT_TRUE(event.at("tid").is_number_integer());
        if (event.at("ph") == "X") {
            EXPECT_DOUBLE_EQ(event.at("ts").get<double>(), 1.234);
            EXPECT_DOUBLE_EQ(event.at("dur").get<double>(), 0.567);
            EXPECT_EQ(event.at("pid"), host + 1);
        }
    }
    EXPECT_EQ(phases, (std::map<std::string, int>{{"M", 4}, {"X", 1}}));
}

TEST_F(ChromeExport, FailuresNameTheReasonAndLeaveNothing) {
    const Trace trace;
    const Status status = exportChromeJson(trace, "/proc/none/out.json"); // which root cannot make either
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().sentence(),
                ::testing::HasSubstr("/proc/none/out.json: cannot be created: No such file"));
}

TEST(Utf8, KnowsValidCharacters) {
    EXPECT_EQ(utf8Length("a"), 1u);
    EXPECT_EQ(utf8Length("\u00e9"), 2u);
    EXPECT_EQ(utf8Length("\u20ac"), 3u);
    EXPECT_EQ(utf8Length("\U0001f600"), 4u);
    for (const char* bad :
         {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf5\x80\x80\x80"})
        EXPECT_EQ(utf8Length(bad), 0u);
}

} // namespace
} // namespace heteroscope::profiling
