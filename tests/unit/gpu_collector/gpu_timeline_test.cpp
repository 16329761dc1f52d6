// SPDX-License-Identifier: Apache-2.0
// The rows that a tracer's records become, with records made by hand: no device is needed.
#include "profiling/collectors/gpu/gpu_timeline.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace heteroscope::profiling {
namespace {

using namespace testing; // the stream fixtures
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Pair;

constexpr GpuPlace kPlace{0, 1, 7};

using What = decltype(GpuRecord::what);

GpuRecord at(std::int64_t start, std::int64_t end, std::uint32_t correlation, What what) {
    return {start, end, correlation, std::move(what)};
}

GpuKernel kernel(const std::string& name, std::uint32_t stream = kPlace.stream) {
    GpuKernel made;
    made.place = {0, 1, stream};
    made.name = name;
    made.grid = {4, 1, 1};
    made.block = {256, 1, 1};
    return made;
}

GpuCopy copyIn(std::uint64_t bytes, MemoryKind host) {
    return {kPlace, CopyKind::HostToDevice, host, MemoryKind::Device, bytes, true, 0};
}

GpuApiCall call(const std::string& name) {
    return {name, 100, 0, false};
}

/// Feeds records through a timeline, a collector and a stream into a trace.
class GpuTimelineTest : public ::testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(m_writer->begin(header())); }

    void feed(const std::vector<GpuRecord>& records) { m_timeline.gpuRecords(records); }

    const Trace& finish() {
        m_timeline.finish();
        m_collector.stop();
        StreamReader reader("memory");
        TraceBuilder builder(m_trace);
        reader.feed(m_bytes);
        for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
            const Status status = builder.apply(**frame);
            EXPECT_TRUE(status) << status.error().sentence();
        }
        m_trace.publish();
        return m_trace;
    }

    /// "group/row" from the outermost group on.
    std::string path(TrackId id) const {
        const Track track = m_trace.track(id);
        const std::string name = m_trace.string(track.name);
        return track.parent == kNoTrack ? name : path(track.parent) + "/" + name;
    }
    std::vector<std::string> rows() const {
        std::vector<std::string> rows;
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            rows.push_back(path(id));
        return rows;
    }
    std::map<std::string, std::string> categories() const {
        std::map<std::string, std::string> found;
        m_trace.forEachSpan([&](SpanRef, const Span& span) {
            found[m_trace.string(span.name)] = m_trace.string(span.category);
            return true;
        });
        return found;
    }
    std::vector<std::pair<std::string, std::string>> argsOf(const std::string& name) const {
        std::vector<std::pair<std::string, std::string>> args;
        m_trace.forEachSpan([&](SpanRef, const Span& span) {
            if (m_trace.string(span.name) == name)
                args = m_trace.args(span.args);
            return true;
        });
        return args;
    }

    Bytes m_bytes;
    std::unique_ptr<StreamWriter> m_writer = writerInto(m_bytes);
    HostCollector m_collector{*m_writer};
    GpuTimeline m_timeline{m_collector, kNoTrack};
    Trace m_trace;
};

TEST_F(GpuTimelineTest, givesEachStreamAndCopyDirectionItsRow) {
    const GpuCopy back{kPlace, CopyKind::DeviceToHost, MemoryKind::Device, MemoryKind::Pinned, 64, true, 0};
    feed({at(10, 20, 1, copyIn(4096, MemoryKind::Pageable)), at(20, 50, 2, kernel("pool")),
          at(50, 60, 3, back), at(21, 40, 4, kernel("other", 9)), at(22, 23, 5, GpuOverhead{"loads"})});
    EXPECT_EQ(finish().spanCount(), 5u);
    EXPECT_THAT(rows(), IsSupersetOf({"cuda:0/context 1/stream 7", "cuda:0/context 1/stream 9",
                                      "cuda:0/context 1/copies host to device",
                                      "cuda:0/context 1/copies device to host", "profiler overhead"}));
}

TEST_F(GpuTimelineTest, countsWorkThatLiesBeforeItsCauseByTheClocks) {
    feed({at(30, 34, 6, GpuSynchronization{"host waits for the device", 1, 0, WaitsFor::Device}),
          at(1, 3, 5, call("cudaLaunchKernel")), at(8, 20, 5, kernel("pool"))});
    feed({at(20, 22, 7, call("cudaLaunchKernel")), at(19, 40, 7, kernel("pool"))});
    finish();
    EXPECT_EQ(m_timeline.causalCounts().pairs, 4u);
    EXPECT_EQ(m_timeline.causalCounts().violations, 2u);
    EXPECT_EQ(m_timeline.causalCounts().largestByNs, 6);
}

TEST_F(GpuTimelineTest, linksWorkToTheCallThatLaunchedIt) {
    feed({at(1, 3, 5, call("cudaLaunchKernel")), at(8, 20, 5, kernel("pool"))});
    const Trace& trace = finish();
    ASSERT_EQ(trace.flowCount(), 1u);
    trace.forEachFlow([&](const Flow& flow) {
        EXPECT_EQ(trace.string(trace.span(trace.locate(flow.from))->name), "cudaLaunchKernel");
        EXPECT_EQ(trace.string(trace.span(trace.locate(flow.to))->name), "pool");
        return true;
    });
    EXPECT_EQ(m_timeline.withoutCall(), 0u);
}

TEST_F(GpuTimelineTest, linksAcrossBatchesAndEveryKernelOfAGraphLaunch) {
    feed({at(1, 3, 5, call("cudaGraphLaunch"))});
    feed({at(8, 20, 5, kernel("first"))});
    m_collector.flush(); // spans and flows may be written in different batches
    feed({at(20, 30, 5, kernel("second"))});
    EXPECT_EQ(finish().flowCount(), 2u);
}

TEST_F(GpuTimelineTest, waitsForACallThatComesAfterItsWork) {
    const std::uint64_t work = m_timeline.defineWork("gemm", "m2 n2 k2");
    feed({at(8, 20, 5, kernel("early"))});
    feed({at(0, 0, 5, GpuExternalId{work}), at(1, 3, 5, call("cudaLaunchKernel"))});
    EXPECT_EQ(finish().flowCount(), 1u);
    EXPECT_EQ(m_timeline.withoutCall(), 0u);
    EXPECT_THAT(argsOf("early"), Contains(Pair("op", "gemm")));
}

TEST_F(GpuTimelineTest, waitsOnlySoLong) {
    feed({at(8, 20, 5, kernel("orphan"))});
    const std::int64_t later = 21 + GpuTimeline::kLongestWaitNs;
    feed({at(later, later + 1, 6, call("cudaLaunchKernel"))});
    EXPECT_EQ(m_timeline.withoutCall(), 1u);
    EXPECT_EQ(finish().spanCount(), 2u);
}

TEST_F(GpuTimelineTest, countsWorkWhoseCallNeverCame) {
    feed({at(8, 20, 5, kernel("orphan"))});
    EXPECT_EQ(finish().flowCount(), 0u);
    EXPECT_EQ(m_timeline.withoutCall(), 1u);
}

TEST_F(GpuTimelineTest, saysWhichOperationTheWorkBelongsTo) {
    const std::uint64_t work = m_timeline.defineWork("maxpool.forward", "1x1x64x64 k2x2");
    feed({at(0, 0, 5, GpuExternalId{work}), at(1, 3, 5, call("cudaLaunchKernel")),
          at(8, 20, 5, kernel("pool"))});
    EXPECT_EQ(finish().flowCount(), 1u);
    EXPECT_THAT(argsOf("pool"), IsSupersetOf({Pair("op", "maxpool.forward"), Pair("shape", "1x1x64x64 k2x2"),
                                              Pair("grid", "4 x 1 x 1"), Pair("kernel", "pool"),
                                              Pair("block", "256 x 1 x 1")}));
}

TEST_F(GpuTimelineTest, saysWhichPhaseOfAnOperationACopyBelongsTo) {
    const std::uint64_t in = m_timeline.defineWork("maxpool.forward", "1x1x64x64 k2x2", "copy in");
    feed({at(0, 0, 5, GpuExternalId{in}), at(1, 3, 5, call("cudaMemcpyAsync")),
          at(8, 20, 5, copyIn(4096, MemoryKind::Pageable))});
    finish();
    EXPECT_THAT(argsOf("4.0 KiB"), IsSupersetOf({Pair("op", "maxpool.forward"), Pair("phase", "copy in")}));
}

TEST_F(GpuTimelineTest, tellsPageableFromPinnedAndKeepsTheBytes) {
    feed(
        {at(10, 20, 1, copyIn(4096, MemoryKind::Pageable)), at(30, 40, 2, copyIn(1024, MemoryKind::Pinned))});
    finish();
    EXPECT_THAT(categories(), ElementsAre(Pair("1.0 KiB", "copy host to device, pinned"),
                                          Pair("4.0 KiB", "copy host to device, pageable")));
    EXPECT_THAT(argsOf("4.0 KiB"), Contains(Pair("bytes", "4096")));
}

TEST(ShortKernelName, leavesOutWhatSurroundsIt) {
    EXPECT_EQ(shortKernelName(
                  "void a::(anonymous namespace)::poolStrips<a::Shape<2, 2>, (a::Mode)0>(float const*, int)"),
              "poolStrips");
    EXPECT_EQ(
        shortKernelName("void cudnn::pooling_fw<float, cudnn::maxpooling_func<float> >(cudnnTensorStruct)"),
        "pooling_fw");
    EXPECT_EQ(shortKernelName("cutlass_80_simt_sgemm_128x64"), "cutlass_80_simt_sgemm_128x64");
    EXPECT_EQ(shortKernelName("tiled(float const*)"), "tiled");
    EXPECT_EQ(shortKernelName("(odd)"), "(odd)");
    EXPECT_EQ(shortKernelName(""), "");
}

TEST_F(GpuTimelineTest, countsDeviceMemoryUpAndDown) {
    feed({at(5, 5, 1, GpuAllocation{0, MemoryKind::Device, 1000, false}),
          at(6, 6, 2, GpuAllocation{0, MemoryKind::Device, 500, false}),
          at(7, 7, 3, GpuAllocation{0, MemoryKind::Device, 1000, true}),
          at(8, 8, 4, GpuAllocation{0, MemoryKind::Pinned, 99, false})});
    std::vector<double> values;
    finish().forEachCounter([&](TrackId, const CounterPoint& point) {
        values.push_back(point.value);
        return true;
    });
    EXPECT_THAT(values, ElementsAre(1000, 1500, 500));
}

TEST_F(GpuTimelineTest, neverDrawsANegativeDuration) {
    feed({at(20, 10, 1, kernel("backwards"))});
    int seen = 0;
    finish().forEachSpan([&](SpanRef, const Span& span) {
        EXPECT_EQ(span.durationNs, 0);
        return ++seen > 0;
    });
    EXPECT_EQ(seen, 1);
}

} // namespace
} // namespace heteroscope::profiling
