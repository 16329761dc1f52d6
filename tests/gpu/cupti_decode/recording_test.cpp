// SPDX-License-Identifier: Apache-2.0
// Recordings of CUPTI's buffers: written and read back, damaged, and decoded into the rows of a timeline;
// those of real devices too, where there are any in tests/golden/cupti (tests/gpu/record_cupti.sh makes
// them).
#include "profiling/collectors/cupti/decode/raw_recording.h"
#include "profiling/collectors/gpu/gpu_timeline.h"
#include "tests/gpu/cupti_decode/raw_bytes.h"
#include "tests/support/require/skip.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <heteroscope_paths.h>
#include <iostream>
#include <map>
#include <set>
#include <zlib.h>

namespace heteroscope::profiling {
namespace {

using namespace testing;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class TemporaryPath {
  public:
    TemporaryPath() : m_path(::testing::TempDir() + "cupti-" + std::to_string(::getpid()) + ".raw") {}
    ~TemporaryPath() { std::filesystem::remove(m_path); }
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;
    const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

/// Plain or gzip-compressed.
Bytes contentOf(const std::string& path) {
    Bytes bytes;
    const gzFile file = ::gzopen(path.c_str(), "rb");
    EXPECT_NE(file, nullptr) << path;
    Bytes part(std::size_t{1} << 20);
    for (int got = 1; file != nullptr && got > 0;) {
        got = ::gzread(file, part.data(), static_cast<unsigned>(part.size()));
        EXPECT_GE(got, 0) << path;
        bytes.insert(bytes.end(), part.begin(), part.begin() + std::max(got, 0));
    }
    ::gzclose(file);
    return bytes;
}

/// Two launches, one of a graph, in two buffers; the second launch's kernel comes before its call.
Bytes madeRecording(bool withEnd = true) {
    const TemporaryPath file;
    RawBytes first, second;
    auto ofGraph = kernelRecord("backward", 2000, 2600, 2);
    ofGraph.graphId = 5;
    ofGraph.graphNodeId = 50;
    auto copy = copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
                           CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 4096);
    copy.correlationId = 3;
    first.add(externalRecord(1, 1)).add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 900, 950, 1));
    first.add(kernelRecord("_Z7forwardv", 1000, 1500, 1)).add(ofGraph);
    second.add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 311, 1900, 1950, 2));
    second.add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 90, 99, 3)).add(copy);
    auto writer = RawRecordingWriter::open(file.path(), 130001);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE((*writer)->write(first.span(), nextRecord, callNameOf, 100));
    EXPECT_TRUE((*writer)->write(second.span(), nextRecord, callNameOf, -7));
    if (withEnd) {
        EXPECT_TRUE((*writer)->end(11));
    }
    writer->reset();
    return contentOf(file.path());
}

/// Of the pairs of a cause and its effect, whose times two clocks gave.
constexpr double kMostViolations = 1e-4;

struct Timeline {
    std::vector<std::string> rows;
    std::map<std::string, int> spans; ///< by category
    std::size_t flows = 0, withoutCall = 0;
    CausalCounts causal;
    std::string argsOfKernels;
};

/// What records become: through timeline, collector and stream into a trace.
Timeline timelineOf(const std::vector<GpuRecord>& records) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    EXPECT_TRUE(writer->begin(header()));
    Timeline result;
    {
        HostCollector collector(*writer);
        GpuTimeline timeline(collector, kNoTrack);
        timeline.defineWork("maxpool.forward", "64x64");
        timeline.gpuRecords(records);
        timeline.finish();
        result.withoutCall = timeline.withoutCall();
        result.causal = timeline.causalCounts();
        collector.stop();
    }
    Trace trace;
    TraceBuilder builder(trace);
    StreamReader reader("memory");
    reader.feed(bytes);
    for (auto frame = reader.next(); frame && *frame; frame = reader.next())
        EXPECT_TRUE(builder.apply(**frame));
    trace.publish();
    for (TrackId id = 0; id < trace.trackCount(); ++id)
        result.rows.push_back(trace.string(trace.track(id).name));
    trace.forEachSpan([&](SpanRef, const Span& span) {
        ++result.spans[trace.string(span.category)];
        for (const auto& [key, value] : trace.args(span.args))
            if (trace.string(span.category) == "kernel")
                result.argsOfKernels += key + "=" + value + ";";
        return true;
    });
    result.flows = trace.flowCount();
    return result;
}

TEST(CuptiRecording, BecomesRowsSpansAndFlows) {
    auto recording = parseRawRecording(madeRecording(), "made");
    ASSERT_TRUE(recording.ok()) << recording.error().sentence();
    EXPECT_TRUE(recording->whole);
    EXPECT_EQ(recording->header.at("cupti"), 130001);
    GpuTraceQuality quality;
    const auto records = recording->decode(quality);
    EXPECT_EQ(quality.dropped, 11u);
    EXPECT_EQ(quality.delivered, 7u);
    EXPECT_EQ(quality.undecodable, 0u);
    EXPECT_EQ(std::get<GpuKernel>(records.at(2).what).name, "forward()");
    EXPECT_EQ(records.at(2).startNs, 1100) << "each buffer has its own clock offset";
    EXPECT_EQ(records.at(4).startNs, 1893);
    const Timeline timeline = timelineOf(records);
    EXPECT_THAT(timeline.rows, IsSupersetOf({"cuda:1", "context 2", "stream 7", "copies host to device",
                                             "CUDA calls, thread 77", "memory taken"}));
    EXPECT_EQ(timeline.spans.at("kernel"), 2);
    EXPECT_EQ(timeline.spans.at("call"), 3);
    EXPECT_EQ(timeline.spans.at("copy host to device, pinned"), 1);
    EXPECT_EQ(timeline.flows, 3u);
    EXPECT_EQ(timeline.withoutCall, 0u);
    EXPECT_THAT(timeline.argsOfKernels, HasSubstr("op=maxpool.forward;shape=64x64"));
    EXPECT_THAT(timeline.argsOfKernels, HasSubstr("graph=5"));
}

TEST(CuptiRecording, WithoutItsEndHasAllBefore) {
    auto recording = parseRawRecording(madeRecording(false), "made");
    ASSERT_TRUE(recording.ok()) << recording.error().sentence();
    EXPECT_FALSE(recording->whole);
    EXPECT_EQ(recording->buffers.size(), 2u);
}

TEST(CuptiRecording, EveryCutIsToldOrEndsBetweenBlocks) {
    const Bytes whole = madeRecording();
    int readable = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        auto recording = parseRawRecording(cut, "cut");
        if (!recording) {
            EXPECT_THAT(recording.error().sentence(), HasSubstr("cut before offset"));
            continue;
        }
        ++readable;
        EXPECT_FALSE(recording->whole);
    }
    EXPECT_EQ(readable, 3); // behind the header and behind each buffer
}

/// Any byte may be wrong: an error or other records, and never a read beyond the bytes (seen by a sanitizer).
TEST(CuptiRecording, DamageOfAnyByteIsSurvived) {
    const Bytes whole = madeRecording();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int flip : {0x01, 0x80, 0xFF}) {
            Bytes damaged = whole;
            damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
            auto recording = parseRawRecording(damaged, "damaged");
            if (!recording) {
                ++refused;
                continue;
            }
            GpuTraceQuality quality;
            EXPECT_LE(recording->decode(quality).size(), 7u);
        }
    }
    EXPECT_GT(refused, 100u);
}

std::vector<std::string> recordingsOfDevices() {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/tests/golden/cupti"))
        if (entry.path().filename().string().find(".raw") != std::string::npos)
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

void expectWholeRecording(RawRecording& recording) {
    EXPECT_TRUE(recording.whole);
    for (RawBuffer& buffer :
         recording.buffers) { // the sizes that the headers promise are those of the device's library
        std::size_t index = 0;
        CUpti_Activity* record = nullptr;
        CUptiResult result = CUPTI_SUCCESS;
        while ((result = nextRecord(buffer.bytes.data(), buffer.bytes.size(), &record)) == CUPTI_SUCCESS) {
            ASSERT_LT(index, buffer.records.size());
            EXPECT_EQ(reinterpret_cast<std::uint8_t*>(record) - buffer.bytes.data(),
                      buffer.records[index++].offset);
        }
        EXPECT_EQ(result, CUPTI_ERROR_MAX_LIMIT_REACHED);
        EXPECT_EQ(index, buffer.records.size());
    }
    GpuTraceQuality quality;
    const auto records = recording.decode(quality);
    EXPECT_EQ(quality.undecodable, 0u);
    EXPECT_EQ(quality.zeroTimestamps, 0u);
    EXPECT_EQ(quality.dropped, 0u);
    std::size_t kernels = 0, bytesCopied = 0, unnamed = 0, backwards = 0;
    for (const GpuRecord& record : records) {
        backwards += record.endNs < record.startNs;
        if (const auto* kernel = std::get_if<GpuKernel>(&record.what)) {
            ++kernels;
            unnamed +=
                kernel->name == "unnamed kernel" || kernel->block[0] < 1 || kernel->registersPerThread == 0;
        } else if (const auto* copy = std::get_if<GpuCopy>(&record.what)) {
            bytesCopied += copy->bytes;
        }
    }
    EXPECT_GT(kernels, 10u);
    EXPECT_GT(bytesCopied, 1000u);
    EXPECT_EQ(unnamed, 0u);
    EXPECT_EQ(backwards, 0u);
    const Timeline timeline = timelineOf(records);
    EXPECT_EQ(timeline.spans.at("kernel"), static_cast<int>(kernels));
    EXPECT_EQ(timeline.withoutCall, 0u);
    EXPECT_GE(timeline.flows, kernels);
    std::cout << "[ CAUSAL ] " << timeline.causal.violations << " of " << timeline.causal.pairs
              << " pairs, at most " << timeline.causal.largestByNs << " ns\n";
    EXPECT_GT(timeline.causal.pairs, kernels) << "of calls and of waits";
    EXPECT_LE(static_cast<double>(timeline.causal.violations),
              kMostViolations * static_cast<double>(timeline.causal.pairs));
}

TEST(CuptiRecording, OfRealDevicesIsWhole) {
    const auto files = recordingsOfDevices();
    if (files.empty())
        SKIP_WITHOUT("cupti-recording", "no recording of a device in tests/golden/cupti");
    for (const std::string& file : files) {
        SCOPED_TRACE(file);
        auto recording = parseRawRecording(contentOf(file), file);
        ASSERT_TRUE(recording.ok()) << recording.error().sentence();
        expectWholeRecording(*recording);
    }
}

} // namespace
} // namespace heteroscope::profiling
