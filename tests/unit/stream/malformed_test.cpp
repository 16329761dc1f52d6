// SPDX-License-Identifier: Apache-2.0
// Run files that are wrong in one place each: an error with the place, or a tolerance that is written down
// here.
#include "profiling/stream/run_file_state.h"
#include "tests/support/time_factor.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <chrono>

namespace heteroscope::profiling {
namespace {

using namespace testing;

struct Malformed {
    std::string name;
    std::function<Bytes()> bytes; ///< appended to a good beginning, or the whole file when `whole`
    std::string expected;         ///< part of the sentence; empty: tolerated
    bool whole = false;
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
    *out << malformed.name;
}

Bytes whole(const std::function<void(Bytes&)>& change) {
    Bytes bytes = smallStream();
    change(bytes);
    return bytes;
}

Bytes spansWith(const char* key, const Json& value) {
    Json frame = {{"n", 1}};
    for (const char* column : {"track", "name", "category", "args"})
        frame[column] = Json::binary(Bytes(4, 0));
    frame["start"] = Json::binary(Bytes(8, 0));
    frame["duration"] = Json::binary(Bytes(8, 0));
    frame["depth"] = Json::binary(Bytes(2, 0));
    if (value.is_null())
        frame.erase(key);
    else
        frame[key] = value;
    return frameBytes(FrameKind::Spans, frame);
}

Bytes zstdFrame(const Bytes& cbor) {
    Bytes packed(ZSTD_compressBound(cbor.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), cbor.data(), cbor.size(), 1));
    return frameBytes(static_cast<std::uint8_t>(FrameKind::Log), packed, kCompressed);
}

std::uint8_t kind(FrameKind frameKind) {
    return static_cast<std::uint8_t>(frameKind);
}

std::vector<Malformed> fileCases() {
    return {
        {"empty file", [] { return Bytes(); }, "the file is empty", true},
        {"bad magic", [] { return whole([](Bytes& b) { b[0] = 'X'; }); },
         "byte 0: expected a Heteroscope run file", true},
        {"text file", [] { return Bytes(100, 'a'); }, "choose a .hscope file", true},
        {"other major version", [] { return whole([](Bytes& b) { b[8] = 9; }); },
         "byte 8: expected format 1, found 9", true},
        {"later minor version (tolerated)", [] { return whole([](Bytes& b) { b[10] = 9; }); }, "", true},
        {"length too big", [] { return Bytes(12, 0xff); }, "expected a frame of at most"},
        {"flags unknown", [] { return frameBytes(14, Json::to_cbor(Json::object()), 2); },
         "expected flags 0 or 1"},
        {"bad checksum",
         [] {
             Bytes bytes = frameBytes(FrameKind::Log, {{"text", "x"}});
             bytes.back() ^= 1;
             return bytes;
         },
         "expected checksum 0x"},
        {"unknown kind (skipped)",
         [] {
             return frameBytes(200, {1, 2, 3});
         },
         ""},
        {"kind 0, as in zeros that a loss of power left", [] { return frameBytes(0, {}); },
         "expected a kind of record, found 0"},
    };
}

std::vector<Malformed> payloadCases() {
    return {
        {"empty payload", [] { return frameBytes(kind(FrameKind::Log), Bytes()); },
         "expected a value, found the end"},
        {"not CBOR", [] { return frameBytes(kind(FrameKind::Log), {0x1c}); }, "expected a CBOR length"},
        {"bytes after the CBOR",
         [] {
             return frameBytes(kind(FrameKind::Log), {0xa0, 0x00});
         },
         "expected the end"},
        {"array instead of map", [] { return frameBytes(FrameKind::Log, Json::array()); },
         "expected a map, found array"},
        {"tag",
         [] {
             return frameBytes(kind(FrameKind::Log), {0xc0, 0x61, 'x'});
         },
         "without tag"},
        {"text longer than the payload",
         [] {
             return frameBytes(kind(FrameKind::Log), {0x7b, 255, 255, 255, 255, 255, 255, 255, 255});
         },
         "expected a text or byte string"},
        {"array longer than the payload",
         [] {
             return frameBytes(kind(FrameKind::Log), {0x9a, 255, 255, 255, 255});
         },
         "expected 4294967295 items"},
        {"deep nesting", [] { return frameBytes(kind(FrameKind::Log), Bytes(1000000, 0x81)); },
         "at most 64 levels"},
        {"open-ended map",
         [] {
             return frameBytes(kind(FrameKind::Log), {0xbf, 0xff});
         },
         "with its length"},
    };
}

std::vector<Malformed> runCases() {
    return {
        {"run out of turn",
         [] {
             return frameBytes(FrameKind::Run, {{"run", 5}, {"target", "cpu/sequential"}});
         },
         "expected the next run, 2, found 5"},
        {"negative run",
         [] {
             return frameBytes(FrameKind::Run, {{"run", -1}, {"target", "x"}});
         },
         "field \"run\": expected a whole number"},
        {"run without target",
         [] {
             return frameBytes(FrameKind::Run, {{"run", 2}});
         },
         "field \"target\": expected a text, found nothing"},
        {"sample of an unknown run",
         [] {
             return frameBytes(FrameKind::Sample, {{"run", 9}, {"sample", 0}, {"wallMs", 1}});
         },
         "one of the 2 runs"},
        {"sample with text as time",
         [] {
             return frameBytes(FrameKind::Sample, {{"run", 0}, {"sample", 0}, {"wallMs", "fast"}});
         },
         "field \"wallMs\": expected a number, found a value of type string"},
        {"sample with huge index",
         [] {
             return frameBytes(FrameKind::Sample,
                               {{"run", 0}, {"sample", 18446744073709551615u}, {"wallMs", 1}});
         },
         "field \"sample\""},
        {"sample with wrong transfer",
         [] {
             return frameBytes(FrameKind::Sample, {{"run", 0}, {"sample", 0}, {"wallMs", 1}, {"h2d", 5}});
         },
         "field \"h2d\": expected a map"},
        {"unknown outcome",
         [] {
             return frameBytes(FrameKind::RunEnd, {{"run", 0}, {"status", "great"}});
         },
         "found great"},
        {"metric without value",
         [] {
             return frameBytes(FrameKind::Metric, {{"run", 0}, {"name", "x"}});
         },
         "found nothing"},
        {"log without text", [] { return frameBytes(FrameKind::Log, Json::object()); }, "log frame at byte"},
    };
}

std::vector<Malformed> tableCases() {
    return {
        {"strings out of turn",
         [] {
             return frameBytes(FrameKind::Strings, {{"first", 1000}, {"texts", {"x"}}});
         },
         "field \"first\": expected a whole number from 0 to 6, found 1000"},
        {"strings that are numbers",
         [] {
             return frameBytes(FrameKind::Strings, {{"first", 6}, {"texts", {1, 2}}});
         },
         "a list of texts"},
        {"arguments with unknown key",
         [] {
             return frameBytes(FrameKind::Strings, {{"firstArgs", 2}, {"args", {{{99, "x"}}}}});
         },
         "[key, text]"},
        {"track out of turn",
         [] {
             return frameBytes(FrameKind::Tracks, {{"tracks", {{{"id", 77}}}}});
         },
         "expected track 3"},
        {"track with unknown parent",
         [] {
             return frameBytes(FrameKind::Tracks, {{"tracks", {{{"id", 3}, {"parent", 50}}}}});
         },
         "a parent defined before"},
        {"track of unknown kind",
         [] {
             return frameBytes(FrameKind::Tracks, {{"tracks", {{{"id", 3}, {"kind", 50}}}}});
         },
         "a kind from 0 to 5"},
        {"track with unknown name",
         [] {
             return frameBytes(FrameKind::Tracks, {{"tracks", {{{"id", 3}, {"name", 50}}}}});
         },
         "names among 6 texts"},
    };
}

std::vector<Malformed> columnCases() {
    return {
        {"span column missing", [] { return spansWith("start", nullptr); },
         "field \"start\": expected a byte string, found nothing"},
        {"span column too short", [] { return spansWith("start", Json::binary(Bytes(7, 0))); },
         "expected 8 bytes for 1 rows, found 7"},
        {"span column of text", [] { return spansWith("name", "abcd"); },
         "expected a byte string, found string"},
        {"span count negative", [] { return spansWith("n", -1); }, "field \"n\""},
        {"span count huge", [] { return spansWith("n", 1000000000000); }, "field \"n\""},
        {"span on unknown track", [] { return spansWith("track", Json::binary(Bytes(4, 9))); },
         "field \"track\": expected an id below 3"},
        {"span with unknown name", [] { return spansWith("name", Json::binary(Bytes(4, 9))); },
         "field \"name\": expected an id below 6"},
        {"span with unknown arguments", [] { return spansWith("args", Json::binary(Bytes(4, 9))); },
         "field \"args\": expected an id below 2"},
        {"span of negative duration (cut to 0, counted)",
         [] { return spansWith("duration", Json::binary(Bytes(8, 0xff))); }, ""},
    };
}

std::vector<Malformed> linkCases() {
    return {
        {"counter on unknown track",
         [] {
             return frameBytes(
                 FrameKind::Counters,
                 {{"track", 3}, {"n", 0}, {"time", Json::binary({})}, {"value", Json::binary({})}});
         },
         "field \"track\""},
        {"counter columns differ",
         [] {
             return frameBytes(FrameKind::Counters, {{"track", 2},
                                                     {"n", 1},
                                                     {"time", Json::binary(Bytes(8, 0))},
                                                     {"value", Json::binary(Bytes(16, 0))}});
         },
         "field \"value\": expected 8 bytes"},
        {"flow to a span not sent",
         [] {
             Json frame = {{"n", 1}};
             for (const char* column : {"fromTrack", "fromIndex", "toTrack", "toIndex"})
                 frame[column] = Json::binary(Bytes(4, 1));
             return frameBytes(FrameKind::Flows, frame);
         },
         "spans sent before"},
    };
}

std::vector<Malformed> packedCases() {
    return {
        {"not zstd", [] { return frameBytes(kind(FrameKind::Log), Bytes(20, 7), kCompressed); },
         "expected zstd data"},
        {"zstd bomb", [] { return zstdFrame(Bytes(std::size_t{kMaxPayloadBytes} + 1, 0)); },
         "bytes after decompression, found 268435457"},
        {"zstd cut short",
         [] {
             Bytes packed = zstdFrame(Json::to_cbor({{"text", std::string(5000, 'x')}}));
             return frameBytes(kind(FrameKind::Log),
                               Bytes(packed.begin() + kFrameHeaderBytes, packed.end() - 4), kCompressed);
         },
         "after decompression, found: "},
        {"too many entries in a map",
         [] {
             Json map = Json::object();
             for (int i = 0; i < 5000; ++i)
                 map.get_ref<Json::object_t&>().emplace_back(std::to_string(i), i);
             return frameBytes(FrameKind::Environment, map);
         },
         "at most 4096 entries"},
    };
}

std::vector<Malformed> cases() {
    std::vector<Malformed> all;
    for (const auto& part :
         {fileCases(), payloadCases(), runCases(), tableCases(), columnCases(), linkCases(), packedCases()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

class MalformedStream : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedStream, IsNamedWithItsPlace) {
    const Malformed& malformed = GetParam();
    Bytes bytes = malformed.whole ? Bytes() : smallStream(false);
    const Bytes bad = malformed.bytes();
    bytes.insert(bytes.end(), bad.begin(), bad.end());
    const TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    if (malformed.whole && !malformed.expected.empty()) {
        ASSERT_FALSE(read);
        EXPECT_THAT(read.error().sentence(), ::testing::HasSubstr(malformed.expected));
        EXPECT_THAT(read.error().sentence(), ::testing::HasSubstr(file.path() + ", byte "));
        return;
    }
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(read->study.runs.at(0).samples.size(), 3u) << "what came before is there";
    EXPECT_GE(read->trace->spanCount(), 2u);
    if (malformed.expected.empty()) {
        EXPECT_FALSE(read->damage) << read->damage->sentence();
        return;
    }
    ASSERT_TRUE(read->damage);
    EXPECT_THAT(read->damage->sentence(), ::testing::HasSubstr(malformed.expected));
    EXPECT_THAT(read->damage->sentence(), ::testing::ContainsRegex("byte [0-9]+"));
    EXPECT_THAT(read->damage->sentence(), ::testing::HasSubstr(file.path()));
}

INSTANTIATE_TEST_SUITE_P(All, MalformedStream, ::testing::ValuesIn(cases()));

TEST(MalformedStream, AnyFlippedByteIsAnErrorOrHarmlessNeverACrash) {
    const Bytes good = smallStream();
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const std::uint8_t flip : {0x01, 0x80, 0xff}) {
            Bytes bytes = good;
            bytes[at] ^= flip;
            StreamReader reader("flipped");
            StudyBuilder study;
            Trace trace;
            TraceBuilder builder(trace);
            reader.feed(bytes);
            for (auto frame = reader.next(); frame && *frame; frame = reader.next())
                if (!study.apply(**frame) || !builder.apply(**frame))
                    break;
            trace.publish();
            EXPECT_LE(trace.spanCount(), 2u);
            EXPECT_LE(study.study().runs.size(), 2u);
        }
}

/// It ran past the end of the file then, which was told as a run that had stopped early.
TEST(MalformedStream, ADamagedLengthIsDamageWhereAnyFrameFollows) {
    const Bytes good = smallStream();
    const auto lengthAt = [&](std::size_t at) {
        std::uint32_t length = 0;
        std::memcpy(&length, good.data() + at, 4);
        return kFrameHeaderBytes + length;
    };
    int frames = 0;
    for (std::size_t at = kFileHeaderBytes; at + lengthAt(at) < good.size(); at += lengthAt(at), ++frames)
        for (std::size_t bit = 0; bit < 32; ++bit) {
            Bytes bytes = good;
            bytes[at + bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
            const TemporaryFile damaged(bytes);
            const auto file = readRunFile(damaged.path());
            ASSERT_TRUE(file) << file.error().sentence();
            EXPECT_EQ(stateOf(*file).name(), "damaged") << "bit " << bit << " of the frame at " << at;
            EXPECT_EQ(file->wholeBytes, at);
        }
    EXPECT_GT(frames, 10);
}

TEST(MalformedStream, BytesThatLookLikeManyFramesAreSearchedInReasonableTime) {
    Bytes bytes = smallStream();
    const std::uint32_t most = kMaxFrameBytes;
    std::memcpy(bytes.data() + kFileHeaderBytes, &most, 4);
    const std::uint8_t header[kFrameHeaderBytes] = {0, 0, 128, 0, 10}; // 8 MiB, another checksum than theirs
    for (int i = 0; i < 2'000'000; ++i)
        bytes.insert(bytes.end(), std::begin(header), std::end(header));
    StreamReader reader("hostile");
    reader.feed(bytes);
    ASSERT_TRUE(reader.next());
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_FALSE(reader.finish()); // the frames of the small stream behind the first
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10 * kTimeFactor));
    bytes.erase(bytes.begin() + kFileHeaderBytes + kFrameHeaderBytes,
                bytes.end() - 1'900'000 * kFrameHeaderBytes);
    StreamReader other("hostile");
    other.feed(bytes);
    ASSERT_TRUE(other.next());
    EXPECT_TRUE(other.finish());
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20 * kTimeFactor));
}

TEST(MalformedStream, AReaderWithoutAnyBytesWaits) {
    StreamReader reader("empty");
    auto frame = reader.next();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(*frame);
    reader.feed({});
    EXPECT_TRUE(reader.next());
}

TEST(MalformedStream, AfterAnErrorTheReaderStaysAtIt) {
    StreamReader reader("pipe");
    reader.feed(Bytes(32, 'x'));
    const auto first = reader.next();
    ASSERT_FALSE(first);
    reader.feed(smallStream());
    const auto second = reader.next();
    ASSERT_FALSE(second);
    EXPECT_EQ(first.error().sentence(), second.error().sentence());
}

} // namespace
} // namespace heteroscope::profiling
