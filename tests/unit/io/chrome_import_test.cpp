// SPDX-License-Identifier: Apache-2.0
// Chrome traces in: every phase, every form of file, a real trace, and what is wrong with bad ones.
#include "profiling/io/chrome_event.h"
#include "profiling/io/chrome_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <heteroscope_paths.h>
#include <unistd.h>

namespace heteroscope::profiling {
namespace {

using ::testing::HasSubstr;

const std::string kGolden = HETEROSCOPE_SOURCE_DIR "/tests/golden/traces/h200-cupti-mixed.chrome.json.gz";

TrackId trackNamed(const Trace& trace, const std::string& name) {
    for (TrackId id = 0; id < trace.trackCount(); ++id)
        if (trace.string(trace.track(id).name) == name)
            return id;
    return kNoTrack;
}

ImportReport imported(const std::string& text, Trace& trace) {
    auto report = importChromeJsonText(text, trace);
    EXPECT_TRUE(report) << report.error().sentence();
    return report ? *report : ImportReport();
}

TEST(ChromeImport, ReadsARealTrace) {
    Trace trace;
    const auto report = importChromeJson(kGolden, trace);
    ASSERT_TRUE(report) << report.error().sentence();
    EXPECT_EQ(report->events, 19993u);
    EXPECT_EQ(report->skipped, 0u);
    EXPECT_THAT(report->notes, ::testing::IsEmpty());
    EXPECT_EQ(trace.spanCount(), 9999u);
    EXPECT_EQ(trace.flowCount(), 4994u);
    EXPECT_EQ(trace.startNs(), 0);
    EXPECT_EQ(trace.endNs(), 24133752);
    const TrackId stream = trackNamed(trace, "stream 13"), host = trackNamed(trace, "thread 466");
    ASSERT_NE(stream, kNoTrack);
    EXPECT_EQ(trace.spanCount(stream), 4994u);
    EXPECT_EQ(trace.spanCount(host), 5002u);
    EXPECT_EQ(trace.string(trace.track(trace.track(stream).parent).name), "GPU 0");
    EXPECT_EQ(trace.busyNs(stream, 0, trace.endNs()), 4937941);
    const auto stats = trace.statistics(0, trace.endNs(), {stream});
    ASSERT_EQ(stats.size(), 1u);
    EXPECT_EQ(trace.string(stats[0].name), "tiny(float*, int, float)");
    const Span kernel = *trace.span({stream, 0, 0});
    EXPECT_THAT(trace.args(kernel.args),
                ::testing::Contains(std::pair<std::string, std::string>("grid", "[4,1,1]")));
    const auto flows = trace.flowsOf({stream, 0, 0});
    ASSERT_EQ(flows.size(), 1u);
    EXPECT_EQ(flows[0].from.track, host);
    EXPECT_EQ(trace.string(trace.span(flows[0].from)->name), "cudaLaunchKernel_v7000");
}

TEST(ChromeImport, TimesAreExactToTheNanosecond) {
    EXPECT_EQ(nanosecondsOf("12.345"), 12345);
    EXPECT_EQ(nanosecondsOf("12.3456"), 12346);
    EXPECT_EQ(nanosecondsOf("12.34549"), 12345);
    EXPECT_EQ(nanosecondsOf("0.001"), 1);
    EXPECT_EQ(nanosecondsOf("-1.5"), -1500);
    EXPECT_EQ(nanosecondsOf("7"), 7000);
    EXPECT_EQ(nanosecondsOf("1732156582123456.789"), 1732156582123456789);
    EXPECT_EQ(nanosecondsOf("1e3"), 1000000);
    EXPECT_EQ(nanosecondsOf("1e300"), 2400000000000000000);
    EXPECT_FALSE(nanosecondsOf("soon"));
    EXPECT_FALSE(nanosecondsOf(""));
}

TEST(ChromeImport, BeginsAndEndsAreMatchedInTimeOrder) {
    Trace trace;
    const auto report =
        imported(R"([{"ph":"E","ts":30,"pid":1,"tid":1},{"ph":"B","name":"outer","ts":0,"pid":1,"tid":1},
        {"ph":"B","name":"inner","ts":10,"pid":1,"tid":1,"args":{"a":1}},{"ph":"E","ts":20,"pid":1,"tid":1},
        {"ph":"E","ts":40,"pid":1,"tid":1},{"ph":"B","name":"open","ts":50,"pid":1,"tid":1},
        {"ph":"X","name":"last","ts":60,"dur":10,"pid":1,"tid":2}])",
                 trace);
    const TrackId track = trackNamed(trace, "thread 1");
    ASSERT_EQ(trace.spanCount(track), 3u);
    EXPECT_EQ(trace.string(trace.span({track, 0, 0})->name), "outer");
    EXPECT_EQ(trace.span({track, 0, 0})->durationNs, 30000);
    EXPECT_EQ(trace.span({track, 0, 1})->durationNs, 10000);
    EXPECT_EQ(trace.span({track, 0, 1})->depth, 1);
    EXPECT_EQ(trace.span({track, 0, 2})->durationNs, 20000) << "cut at the end of the trace";
    EXPECT_THAT(report.notes, ::testing::ElementsAre(HasSubstr("1 end without a begin"),
                                                     HasSubstr("1 begin without an end")));
    EXPECT_EQ(report.events, 6u);
    EXPECT_EQ(report.skipped, 1u) << "the end without a begin";
    EXPECT_EQ(report.unfinished, 1u);
    EXPECT_EQ(report.summary(), "6 events imported, 1 of them without an end, 1 skipped");
}

TEST(ChromeImport, ArgumentsOfBothEndsAreKept) {
    Trace trace;
    imported(R"([{"ph":"B","name":"x","ts":0,"pid":1,"tid":1,"args":{"a":1,"b":2}},
        {"ph":"E","ts":20,"pid":1,"tid":1,"args":{"b":3,"c":4}}])",
             trace);
    using Pair = std::pair<std::string, std::string>;
    EXPECT_THAT(trace.args(trace.span({trackNamed(trace, "thread 1"), 0, 0})->args),
                ::testing::ElementsAre(Pair("a", "1"), Pair("b", "3"), Pair("c", "4")));
}

TEST(ChromeImport, LabelsOfAProcessStandBehindItsName) {
    Trace trace;
    const auto report = imported(R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}},
        {"ph":"M","name":"process_labels","pid":1,"args":{"labels":"GPU 0"}},
        {"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1}])",
                                 trace);
    EXPECT_NE(trackNamed(trace, "python (GPU 0)"), kNoTrack);
    EXPECT_EQ(report.events, 3u);
}

TEST(ChromeImport, InstantsCountersAndAsyncSpans) {
    Trace trace;
    imported(R"([{"ph":"i","name":"mark","ts":5,"pid":"p","tid":"main"},
        {"ph":"C","name":"memory","ts":1,"pid":"p","args":{"bytes":10}},{"ph":"C","name":"memory","ts":2,"pid":"p","args":{"bytes":2.5}},
        {"ph":"C","name":"load","ts":1,"pid":"p","args":{"user":1,"system":2}},
        {"ph":"b","cat":"request","name":"a","id":"0x1","ts":0,"pid":"p"},{"ph":"b","cat":"request","name":"b","id":"0x2","ts":5,"pid":"p"},
        {"ph":"e","cat":"request","name":"a","id":"0x1","ts":10,"pid":"p"},{"ph":"n","cat":"request","name":"step","id":"0x2","ts":12,"pid":"p"},
        {"ph":"e","cat":"request","name":"b","id":"0x2","ts":15,"pid":"p"}])",
             trace);
    const TrackId memory = trackNamed(trace, "memory");
    ASSERT_NE(memory, kNoTrack);
    EXPECT_EQ(trace.string(trace.track(memory).unit), "bytes");
    EXPECT_EQ(trace.track(memory).kind, TrackKind::Counter);
    EXPECT_NE(trackNamed(trace, "load user"), kNoTrack);
    EXPECT_NE(trackNamed(trace, "load system"), kNoTrack);
    EXPECT_EQ(trace.counterCount(), 4u);
    const TrackId async = trackNamed(trace, "request");
    EXPECT_EQ(trace.spanCount(async), 3u);
    EXPECT_EQ(trace.laneCount(async), 3) << "overlapping requests, and the step below its own";
    EXPECT_EQ(trace.spanCount(trackNamed(trace, "thread main")), 1u);
    EXPECT_NE(trackNamed(trace, "process p"), kNoTrack);
}

TEST(ChromeImport, NamesMayComeLastAndRowsAreSorted) {
    Trace trace;
    imported(
        R"([{"ph":"X","name":"x","ts":0,"dur":1,"pid":2,"tid":1},{"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":9},
        {"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":8},
        {"ph":"M","name":"process_name","pid":1,"args":{"name":"first"}},{"ph":"M","name":"process_sort_index","pid":2,"args":{"sort_index":7}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":9,"args":{"sort_index":-1}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":8,"args":{"sort_index":5}},
        {"ph":"M","name":"thread_name","pid":1,"tid":9,"args":{"name":"nine"}}])",
        trace);
    EXPECT_EQ(trackNamed(trace, "first"), 0u);
    EXPECT_EQ(trackNamed(trace, "process 2"), 1u);
    EXPECT_LT(trackNamed(trace, "nine"), trackNamed(trace, "thread 8"));
}

TEST(ChromeImport, FlowsBindToTheInnermostSpan) {
    Trace trace;
    imported(
        R"([{"ph":"X","name":"outer","ts":0,"dur":100,"pid":1,"tid":1},{"ph":"X","name":"launch","ts":10,"dur":5,"pid":1,"tid":1},
        {"ph":"X","name":"kernel","ts":20,"dur":5,"pid":2,"tid":1},{"ph":"X","name":"copy","ts":50,"dur":5,"pid":2,"tid":1},
        {"ph":"s","cat":"f","name":"n","id":1,"ts":12,"pid":1,"tid":1},{"ph":"t","cat":"f","name":"n","id":1,"ts":20,"pid":2,"tid":1},
        {"ph":"f","cat":"f","name":"n","id":1,"ts":50,"bp":"e","pid":2,"tid":1}])",
        trace);
    EXPECT_EQ(trace.flowCount(), 2u);
    std::vector<std::string> ends;
    trace.forEachFlow([&](const Flow& flow) {
        ends.push_back(trace.string(trace.span(flow.from)->name) + ">" +
                       trace.string(trace.span(flow.to)->name));
        return true;
    });
    EXPECT_THAT(ends, ::testing::ElementsAre("launch>kernel", "kernel>copy"));
}

TEST(ChromeImport, EscapesAndInvalidUtf8) {
    Trace trace;
    const auto report =
        imported("[{\"ph\":\"X\",\"name\":\"a\\\"b\\\\c\\u00e9\\n\",\"ts\":0,\"dur\":1,\"pid\":1,\"tid\":1},"
                 "{\"ph\":\"X\",\"name\":\"bad \xff\xc3 end\",\"ts\":2,\"dur\":1,\"pid\":1,\"tid\":1}]",
                 trace);
    EXPECT_EQ(trace.search("a\"b\\c\u00e9\n", 5).size(), 1u);
    EXPECT_EQ(trace.search("bad \ufffd\ufffd end", 5).size(), 1u);
    EXPECT_THAT(report.notes, ::testing::ElementsAre(HasSubstr("1 events had invalid UTF-8")));
}

TEST(ChromeImport, ProgressIsToldAndStops) {
    std::string text = "[";
    for (int i = 0; i < 100000; ++i)
        text +=
            "{\"ph\":\"X\",\"name\":\"x\",\"ts\":" + std::to_string(i) + ",\"dur\":1,\"pid\":1,\"tid\":1},";
    Trace trace, stopped;
    std::vector<double> fractions;
    ASSERT_TRUE(importChromeJsonText(text, trace, [&](double f) { return fractions.push_back(f), true; }));
    EXPECT_GE(fractions.size(), 3u);
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.back(), 1.0);
    const auto result = importChromeJsonText(text, stopped, [](double) { return false; });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

struct Bad {
    std::string name, text;
    std::string error; ///< part of the sentence; empty: the file is read
    std::uint64_t events, skipped;
    std::string note; ///< part of a note; empty: none expected
};

void PrintTo(const Bad& bad, std::ostream* out) {
    *out << bad.name;
}

const std::string kGood = R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1})";

std::vector<Bad> badFiles() {
    return {
        {"empty", "", "byte 0: expected a Chrome trace, found an empty file", 0, 0, ""},
        {"blank", " \n ", "byte 3: expected a Chrome trace", 0, 0, ""},
        {"other text", "hello", "begins with [ or {", 0, 0, ""},
        {"a number", "17", "begins with [ or {", 0, 0, ""},
        {"object without events", "{}", "expected \"traceEvents\"", 0, 0, ""},
        {"object that ends", "{\"a\":1", "found the end", 0, 0, ""},
        {"object with bare key", "{a:1}", "found another character", 0, 0, ""},
        {"key without colon", "{\"a\" 1}", "a key without value", 0, 0, ""},
        {"events that are no list", "{\"traceEvents\": 5}", "found another value", 0, 0, ""},
        {"closing brace in the list", "[" + kGood + "}", "expected an event or ], found }", 0, 0, ""},
        {"string that never ends before the events", "{\"a", "found the end", 0, 0, ""},
    };
}

TEST(ChromeImport, FilesOfOtherKindsAreNamed) {
    const std::pair<std::string, const char*> kinds[] = {
        {std::string("HSCOPE\r\n\1\0\0\0", 12), "it is a run file of this program already"},
        {std::string("SQLite format 3\0\x10", 17), "as Nsight Systems exports it"},
        {"\n\x05\x08\x01\x10\x02\x18", "it looks like a Perfetto trace"},
        {std::string("\xff\xfe[\0", 4), "save it again as UTF-8"},
        {"PK\x03\x04more of the archive", "it is an archive: unpack it"}};
    for (const auto& [start, advice] : kinds) {
        Trace trace;
        const auto report = importChromeJsonText(start, trace);
        ASSERT_FALSE(report) << advice;
        EXPECT_THAT(report.error().sentence(), HasSubstr(advice));
    }
}

std::vector<Bad> tolerated() {
    return {
        {"no closing bracket", "[" + kGood + ",", "", 1, 0, "the closing ] is missing"},
        {"no closing bracket, object", "{\"traceEvents\":[" + kGood, "", 1, 0, "the closing ] is missing"},
        {"cut inside an event", "[" + kGood + ",{\"ph\":\"X\"", "", 1, 0,
         "the last event, at byte 54, is cut off"},
        {"byte order mark", "\xef\xbb\xbf[" + kGood + "]", "", 1, 0, ""},
        {"empty list", "[]", "", 0, 0, ""},
        {"other keys before", "{\"a\":[1,{\"b\":\"]}\"}],\"c\":null,\"traceEvents\":[" + kGood + "],\"d\":1}",
         "", 1, 0, ""},
        {"text behind the list", "[" + kGood + "] \n[" + kGood + "]", "", 1, 0,
         "what follows the closing ] was left out, from byte 56 on"},
        {"text behind the object", "{\"traceEvents\":[" + kGood + "],\"d\":\"}\\\"]\"} x", "", 1, 0,
         "what follows the closing } was left out, from byte 82 on"},
        {"object that is cut behind its list", "{\"traceEvents\":[" + kGood + "],\"d\":[{}", "", 1, 0,
         "the closing } is missing"},
        {"samples before the list", "{\"samples\": [{\"cpu\":0}],\"traceEvents\":[" + kGood + "]}", "", 1, 0,
         "(\"samples\") were left out"},
        {"samples behind the list",
         "{\"traceEvents\":[" + kGood + "],\"a\":{\"samples\":[1]},\"samples\" : [ {\"cpu\":0}]}", "", 1, 0,
         "(\"samples\") were left out"},
        {"no samples",
         "{\"samples\":[ ],\"traceEvents\":[" + kGood +
             "],\"samples\":[ ],\"a\":{\"samples\":[1]},\"b\":\"samples\"}",
         "", 1, 0, ""},
        {"doubled commas", "[,," + kGood + ",,]", "", 1, 0, ""},
        {"event that is a number", "[5," + kGood + "]", "", 1, 1, "event at byte 1 left out"},
        {"event that is a list", "[[1,2]," + kGood + "]", "", 1, 1, "left out"},
        {"event with a missing colon", "[{\"ph\" \"X\"}," + kGood + "]", "", 1, 1, "left out"},
        {"event without phase", "[{\"ts\":1}," + kGood + "]", "", 1, 1, "no phase"},
        {"phase of two letters", "[{\"ph\":\"XX\",\"ts\":1}," + kGood + "]", "", 1, 1, "no phase"},
        {"event without time", "[{\"ph\":\"X\"}," + kGood + "]", "", 1, 1, "no time"},
        {"time that is text", "[{\"ph\":\"X\",\"ts\":\"soon\"}," + kGood + "]", "", 1, 1, "no time"},
        {"time as quoted number", "[{\"ph\":\"X\",\"ts\":\"1.5\",\"pid\":1}," + kGood + "]", "", 2, 0, ""},
        {"negative duration", "[{\"ph\":\"X\",\"ts\":5,\"dur\":-3}," + kGood + "]", "", 1, 1,
         "event at byte 1 left out: its length (\"dur\") is negative (ph X)"},
        {"duration that is text", "[{\"ph\":\"X\",\"ts\":5,\"dur\":\"abc\"}," + kGood + "]", "", 1, 1,
         "its length (\"dur\") is no number"},
        {"no duration", "[{\"ph\":\"X\",\"ts\":5}," + kGood + "]", "", 2, 0, ""},
        {"duration of an event without one", "[{\"ph\":\"i\",\"ts\":5,\"dur\":-3}," + kGood + "]", "", 2, 0,
         ""},
        {"endless duration", "[{\"ph\":\"X\",\"ts\":5,\"dur\":1e308}," + kGood + "]", "", 1, 1,
         "more than 73 years after 0"},
        {"duration of 285 years", "[{\"ph\":\"X\",\"ts\":5,\"dur\":9e15}," + kGood + "]", "", 1, 1,
         "more than 73 years after 0"},
        {"span that ends too late", "[{\"ph\":\"X\",\"ts\":2e15,\"dur\":2e15}," + kGood + "]", "", 1, 1,
         "more than 73 years after 0"},
        {"time too late", "[{\"ph\":\"B\",\"ts\":1e300}," + kGood + "]", "", 1, 1,
         "its time (\"ts\") is more than 73 years from 0 (ph B)"},
        {"time too early", "[{\"ph\":\"X\",\"ts\":-9e15,\"dur\":1}," + kGood + "]", "", 1, 1,
         "its time (\"ts\") is more than 73 years from 0"},
        {"unknown phase", "[{\"ph\":\"v\",\"ts\":5}," + kGood + "]", "", 1, 1, "not shown (ph v)"},
        {"counter without values", "[{\"ph\":\"C\",\"ts\":5,\"name\":\"c\"}," + kGood + "]", "", 1, 1,
         "without values"},
        {"counter of text", "[{\"ph\":\"C\",\"ts\":5,\"name\":\"c\",\"args\":{\"a\":\"b\"}}," + kGood + "]",
         "", 1, 1, "no numbers"},
        {"arguments that are a list", "[{\"ph\":\"X\",\"ts\":5,\"args\":[1,2]}," + kGood + "]", "", 2, 0, ""},
        {"flow without counterpart", "[{\"ph\":\"s\",\"ts\":0,\"id\":1,\"pid\":9}," + kGood + "]", "", 1, 1,
         "1 flow event touches no span or has no counterpart"},
        {"flow at a span without counterpart",
         "[{\"ph\":\"s\",\"ts\":0,\"id\":1,\"pid\":1,\"tid\":1}," + kGood + "]", "", 1, 1,
         "1 flow event touches no span or has no counterpart"},
        {"counter that is NaN",
         "[{\"ph\":\"C\",\"ts\":5,\"name\":\"c\",\"args\":{\"a\":\"nan\"}}," + kGood + "]", "", 1, 1,
         "no numbers"},
        {"counter that is partly text",
         "[{\"ph\":\"C\",\"ts\":5,\"name\":\"c\",\"args\":{\"a\":1,\"b\":\"x\",\"c\":\"inf\"}}," + kGood +
             "]",
         "", 2, 0, "2 values of counters are no numbers and were left out"},
        {"metadata of another name", "[{\"ph\":\"M\",\"name\":\"num_cpus\",\"pid\":1}," + kGood + "]", "", 1,
         1, "metadata of its name is not shown (ph M, num_cpus)"},
        {"deep nesting in arguments (kept as text)",
         "[{\"ph\":\"X\",\"ts\":5,\"args\":{\"a\":" + std::string(100000, '[') + std::string(100000, ']') +
             "}}," + kGood + "]",
         "", 2, 0, ""},
        {"control character in a name", "[{\"ph\":\"X\",\"ts\":5,\"name\":\"a\x01\"}," + kGood + "]", "", 1,
         1, "left out"},
        {"escape that is none", "[{\"ph\":\"X\",\"ts\":5,\"name\":\"\\q\"}," + kGood + "]", "", 1, 1,
         "left out"},
        {"zero byte between events", std::string("[") + kGood + "," + '\0' + "," + kGood + "]", "", 2, 1,
         "left out"},
    };
}

class BadChromeJson : public ::testing::TestWithParam<Bad> {};

TEST_P(BadChromeJson, IsAnErrorWithItsPlaceOrTolerated) {
    const Bad& bad = GetParam();
    Trace trace;
    const auto report = importChromeJsonText(bad.text, trace);
    if (!bad.error.empty()) {
        ASSERT_FALSE(report);
        EXPECT_THAT(report.error().sentence(), HasSubstr(bad.error));
        EXPECT_THAT(report.error().sentence(), HasSubstr("text, byte "));
        return;
    }
    ASSERT_TRUE(report) << report.error().sentence();
    EXPECT_EQ(report->events, bad.events);
    EXPECT_EQ(report->skipped, bad.skipped);
    if (bad.note.empty())
        EXPECT_THAT(report->notes, ::testing::IsEmpty());
    else
        EXPECT_THAT(report->notes, ::testing::Contains(HasSubstr(bad.note)));
}

INSTANTIATE_TEST_SUITE_P(Refused, BadChromeJson, ::testing::ValuesIn(badFiles()));
INSTANTIATE_TEST_SUITE_P(Tolerated, BadChromeJson, ::testing::ValuesIn(tolerated()));

TEST(ChromeImport, FilesThatCannotBeRead) {
    Trace trace;
    const auto missing = importChromeJson("/nonexistent/trace.json", trace);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().sentence(), HasSubstr("the file does not exist"));
    const auto folder = importChromeJson("/tmp", trace);
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().sentence(), HasSubstr("folder"));
}

std::string goldenBytes() {
    std::ifstream file(kGolden, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

ImportReport importBytes(const std::string& bytes, std::optional<Error>& error) {
    const std::string path =
        ::testing::TempDir() + "heteroscope-damaged-" + std::to_string(::getpid()) + ".json.gz";
    std::ofstream(path, std::ios::binary) << bytes;
    Trace trace;
    auto report = importChromeJson(path, trace);
    std::remove(path.c_str());
    if (!report)
        error = report.error();
    return report ? *report : ImportReport();
}

TEST(ChromeImport, CompressedDataThatEndsEarlyGivesWhatItHas) {
    const std::string bytes = goldenBytes();
    std::optional<Error> error;
    const auto report = importBytes(bytes.substr(0, bytes.size() / 2), error);
    ASSERT_FALSE(error) << error->sentence();
    EXPECT_GT(report.events, 1000u);
    EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("the compressed data ends early")));
}

TEST(ChromeImport, DamagedCompressedDataIsAnErrorWithThePlace) {
    std::string bytes = goldenBytes();
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i)
        bytes[i] = '\x55';
    std::optional<Error> error;
    importBytes(bytes, error);
    ASSERT_TRUE(error);
    EXPECT_THAT(error->sentence(), HasSubstr(", byte "));
}

/// The list ends before the checksum does: it is read up to there all the same.
TEST(ChromeImport, TheChecksumOfCompressedDataIsCompared) {
    std::string bytes = goldenBytes();
    bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] ^ 1);
    std::optional<Error> error;
    importBytes(bytes, error);
    ASSERT_TRUE(error);
    EXPECT_THAT(error->sentence(), HasSubstr("the compressed data are damaged: incorrect data check"));
    error.reset();
    importBytes(goldenBytes() + "more", error);
    ASSERT_TRUE(error);
    EXPECT_THAT(error->sentence(), HasSubstr("something else follows the compressed data"));
}

} // namespace
} // namespace heteroscope::profiling
