// SPDX-License-Identifier: Apache-2.0
// Device work as it is taken out of a trace: what each span says, in which order, and who launched it.
#include "profiling/analysis/device_work.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;
using testing::ElementsAre;

TEST(CopyCategory, SaysRouteAndMemory) {
    const char* const names[] = {"host to device",  "device to host", "on the device",
                                 "between devices", "host to host",   "other"};
    for (std::size_t i = 0; i < kCopyRoutes; ++i) {
        EXPECT_STREQ(copyRouteName(static_cast<CopyRoute>(i)), names[i]);
        const auto plain = copyCategory(std::string("copy ") + names[i]);
        ASSERT_TRUE(plain);
        EXPECT_EQ(plain->route, static_cast<CopyRoute>(i));
        EXPECT_EQ(plain->memory, "");
        const auto pinned = copyCategory(std::string("copy ") + names[i] + ", pinned");
        ASSERT_TRUE(pinned);
        EXPECT_EQ(pinned->route, static_cast<CopyRoute>(i));
        EXPECT_EQ(pinned->memory, "pinned");
    }
    EXPECT_EQ(copyCategory("copy sideways, pageable")->route, CopyRoute::Other);
    EXPECT_EQ(copyCategory("copy sideways, pageable")->memory, "pageable");
    for (const char* other : {"", "copy", "copyhost to device", "kernel", "memory set"})
        EXPECT_FALSE(copyCategory(other)) << other;
}

TEST(CopyBytes, AreAWholeNumberOrNotKnown) {
    EXPECT_EQ(copyBytes({{"op", "gemm"}, {"bytes", "4096"}}), 4096);
    EXPECT_EQ(copyBytes({{"bytes", "9223372036854775807"}}), 9223372036854775807);
    for (const char* wrong : {"", "x", "12 kB", "-5", "9223372036854775808", "1.5"})
        EXPECT_EQ(copyBytes({{"bytes", wrong}}), 0) << wrong;
    EXPECT_EQ(copyBytes({{"size", "4096"}}), 0);
    EXPECT_EQ(copyBytes({}), 0);
}

ArgList launchArgs(const std::string& grid, const std::string& block, const std::string& registers) {
    return {{"grid", grid},
            {"block", block},
            {"registers per thread", registers},
            {"static shared bytes", "100"},
            {"dynamic shared bytes", "7"}};
}

TEST(KernelShapes, AreReadFromTheArgsOfALaunch) {
    const auto shape = kernelShape(launchArgs("2 x 3 x 4", "5 x 6 x 7", "32"));
    ASSERT_TRUE(shape);
    EXPECT_THAT(shape->grid, ElementsAre(2, 3, 4));
    EXPECT_THAT(shape->block, ElementsAre(5, 6, 7));
    EXPECT_EQ(shape->registersPerThread, 32);
    EXPECT_EQ(shape->staticSharedBytes, 100);
    EXPECT_EQ(shape->dynamicSharedBytes, 7);
    EXPECT_EQ(shape->blocks(), 24);
    EXPECT_EQ(shape->threadsPerBlock(), 210);
    ArgList less = launchArgs("1 x 1 x 1", "32 x 1 x 1", "0");
    less.resize(3);
    ASSERT_TRUE(kernelShape(less));
    EXPECT_EQ(kernelShape(less)->staticSharedBytes, 0);
    EXPECT_EQ(kernelShape(less)->dynamicSharedBytes, 0);
    for (std::size_t missing = 0; missing < 3; ++missing) {
        ArgList without = less;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(missing));
        EXPECT_FALSE(kernelShape(without)) << less[missing].first;
    }
}

TEST(KernelShapes, OfDamagedRecordsAreNone) {
    for (const char* wrong : {"", "1", "1 x 2", "1 x 2 x", "1 x 2 x 3 x 4", "1x2x3", "0 x 1 x 1", "1 x 0 x 1",
                              "1 x 1 x 0", "-1 x 1 x 1", "a x 1 x 1", "1 x 1 x 1 ", "2147483648 x 1 x 1"}) {
        EXPECT_FALSE(kernelShape(launchArgs(wrong, "32 x 1 x 1", "32"))) << wrong;
        EXPECT_FALSE(kernelShape(launchArgs("1 x 1 x 1", wrong, "32"))) << wrong;
    }
}

/// A grid has at most 2^31 - 1 columns, and 65535 rows and layers; blocks beyond 65536 threads are damage.
TEST(KernelShapes, GoUpToTheLargestLaunch) {
    for (const char* grid : {"2147483647 x 1 x 1", "1 x 65535 x 1", "1 x 1 x 65535"})
        EXPECT_TRUE(kernelShape(launchArgs(grid, "32 x 1 x 1", "32"))) << grid;
    for (const char* grid : {"1 x 65536 x 1", "1 x 1 x 65536"})
        EXPECT_FALSE(kernelShape(launchArgs(grid, "32 x 1 x 1", "32"))) << grid;
    for (const char* block : {"65536 x 1 x 1", "1 x 65536 x 1", "1 x 1 x 65536", "256 x 256 x 1"})
        EXPECT_TRUE(kernelShape(launchArgs("1 x 1 x 1", block, "32"))) << block;
    for (const char* block : {"65537 x 1 x 1", "1 x 65537 x 1", "1 x 1 x 65537", "257 x 256 x 1",
                              "2 x 2 x 16385", "2147483647 x 2147483647 x 2147483647"})
        EXPECT_FALSE(kernelShape(launchArgs("1 x 1 x 1", block, "32"))) << block;
    EXPECT_TRUE(kernelShape(launchArgs("1 x 1 x 1", "32 x 1 x 1", "65536")));
    EXPECT_FALSE(kernelShape(launchArgs("1 x 1 x 1", "32 x 1 x 1", "65537")));
    EXPECT_FALSE(kernelShape(launchArgs("1 x 1 x 1", "32 x 1 x 1", "-1")));
}

TEST(CallKinds, AreToldByTheBeginningOfTheName) {
    for (const char* name : {"cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cuGraphLaunch"})
        EXPECT_EQ(callKind(name), CallKind::Launch) << name;
    for (const char* name : {"cudaMemcpyAsync", "cuMemcpyHtoD_v2", "cudaMemset", "cuMemsetD32Async",
                             "cudaMemPrefetchAsync", "cuMemPrefetchAsync"})
        EXPECT_EQ(callKind(name), CallKind::Copy) << name;
    for (const char* name : {"cudaDeviceSynchronize", "cuStreamSynchronize", "cudaEventSynchronize"})
        EXPECT_EQ(callKind(name), CallKind::Wait) << name;
    for (const char* name : {"", "cudaMalloc", "cudaGetLastError", "my cudaLaunchKernel"})
        EXPECT_FALSE(callKind(name)) << name;
}

/// A trace of two rows of one kind whose spans begin at 10, 30 and at 0, 10, 20.
class TwoRows {
  public:
    explicit TwoRows(const std::string& category, TrackKind kind = TrackKind::Stream,
                     const std::string& name = "cudaLaunchKernel") {
        for (const auto& [row, starts] : {std::pair("first", std::vector{10, 30}), {"second", {0, 10, 20}}}) {
            const TrackId track = m_trace.addTrack({0, kNoTrack, kind, m_trace.intern(row), 0, 0});
            for (const int start : starts)
                m_trace.append({track, start, track == 0 ? 5 : 6, m_trace.intern(name),
                                m_trace.intern(category), 0, -1});
        }
        m_trace.publish();
    }
    DeviceWork work() const { return deviceWork(m_trace); }

  private:
    Trace m_trace;
};

constexpr NsRange kByStart[] = {{0, 6}, {10, 15}, {10, 16}, {20, 26}, {30, 35}};

template <typename Items>
std::vector<NsRange> timesIn(const Items& items) {
    std::vector<NsRange> times;
    for (const auto& item : items)
        times.push_back(item.time);
    return times;
}

TEST(DeviceWorkOrder, IsByStartAndForTheSameStartByRow) {
    const auto expected = testing::ElementsAreArray(kByStart);
    EXPECT_THAT(timesIn(TwoRows("kernel").work().kernels), expected);
    EXPECT_THAT(timesIn(TwoRows("copy host to device").work().copies), expected);
    EXPECT_THAT(timesIn(TwoRows("call").work().calls), expected);
    EXPECT_THAT(timesIn(TwoRows("wait").work().calls), expected);
    EXPECT_THAT(timesIn(TwoRows("throttling").work().clocks), expected);
    EXPECT_THAT(timesIn(TwoRows("idle clocks").work().clocks), expected);
    EXPECT_THAT(TwoRows("memory set").work().memorySets, expected);
    EXPECT_THAT(TwoRows("overhead").work().overhead, expected);
}

TEST(DeviceWorkOrder, LeavesOutGroupsCountersAndOtherSpans) {
    for (const TrackKind kind : {TrackKind::Group, TrackKind::Counter})
        EXPECT_FALSE(TwoRows("kernel", kind).work().any());
    const DeviceWork other = TwoRows("op").work();
    EXPECT_FALSE(other.any());
    EXPECT_TRUE(other.calls.empty() && other.clocks.empty() && other.overhead.empty());
    EXPECT_EQ(other.overheadTrack, kNoTrack);
    EXPECT_TRUE(TwoRows("call", TrackKind::Thread, "cudaMalloc").work().calls.empty());
    EXPECT_EQ(TwoRows("overhead").work().overheadTrack, 1u);
}

TEST(DeviceWorkOrder, AnyIsKernelsCopiesOrMemorySets) {
    for (const char* category : {"kernel", "copy host to device", "memory set"})
        EXPECT_TRUE(TwoRows(category).work().any()) << category;
    for (const char* category : {"call", "wait", "overhead", "throttling"})
        EXPECT_FALSE(TwoRows(category).work().any()) << category;
}

TEST(DeviceWorkItems, SayWhatTheyWereFor) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 4096, "copy host to device, pinned", "gemm", "copy in");
    maker.copy(20, 30, 100, "copy on the device", "gemm");
    maker.copy(40, 50, 200, "copy device to host, pageable");
    maker.kernel(60, 70, {{"op", "gemm"}}, "sgemm");
    maker.memorySet(45, 65);
    const Trace& trace = maker.trace();
    const DeviceWork work = deviceWork(trace);
    EXPECT_THAT(work.ops, ElementsAre("", "gemm"));
    EXPECT_THAT(work.phases, ElementsAre("", "copy in"));
    EXPECT_THAT(work.memories, ElementsAre("", "pinned", "pageable"));
    ASSERT_EQ(work.copies.size(), 3u);
    EXPECT_EQ(work.copies[0].bytes, 4096);
    EXPECT_EQ(work.copies[0].op, 1u);
    EXPECT_EQ(work.copies[0].phase, 1u);
    EXPECT_EQ(work.copies[0].memory, 1u);
    EXPECT_EQ(work.copies[1].route, CopyRoute::OnDevice);
    EXPECT_EQ(work.copies[1].phase, 0u);
    EXPECT_EQ(work.copies[1].memory, 0u);
    EXPECT_EQ(work.copies[2].op, 0u);
    EXPECT_EQ(work.copies[2].memory, 2u);
    EXPECT_EQ(work.kernels.at(0).op, 1u);
    EXPECT_EQ(trace.string(work.kernels[0].name), "sgemm");
    EXPECT_EQ(work.withoutLaunch, 4u);
    EXPECT_EQ(work.kernelTime(), (TimeSet{{60, 70}}));
    EXPECT_EQ(work.copyTime(), (TimeSet{{0, 10}, {20, 30}, {40, 65}}));
}

TEST(DeviceWorkItems, AreLaunchedByTheCallThatAFlowLeadsFrom) {
    GpuTraceMaker maker;
    maker.flow(maker.call(0, 5, "cudaLaunchKernel"), maker.kernel(10, 20));
    maker.flow(maker.call(6, 9, "cudaMallocAsync"), maker.copy(12, 22, 1)); // any call may be one
    maker.flow(maker.wait(30, 40), maker.kernel(50, 60));                   // a wait is none
    maker.kernel(70, 80);
    const DeviceWork work = deviceWork(maker.trace());
    ASSERT_EQ(work.kernels.size(), 3u);
    EXPECT_EQ(work.kernels[0].launchEndNs, 5);
    EXPECT_EQ(work.copies.at(0).launchEndNs, 9);
    EXPECT_FALSE(work.kernels[1].launchEndNs);
    EXPECT_FALSE(work.kernels[2].launchEndNs);
    EXPECT_EQ(work.withoutLaunch, 2u);
    ASSERT_EQ(work.calls.size(), 2u);
    EXPECT_EQ(work.calls[0].kind, CallKind::Launch);
    EXPECT_EQ(work.calls[1].kind, CallKind::Wait);
}

TEST(DeviceWorkItems, OfClocksNameTheInnermostDeviceAround) {
    Trace trace;
    const auto group = [&](const char* name, TrackId parent) {
        return trace.addTrack({0, parent, TrackKind::Group, trace.intern(name), 0, 0});
    };
    const TrackId device = group("cuda:1", group("cuda:0", kNoTrack)), inner = group("clocks", device);
    const TrackId rows[] = {group("cuda:7", kNoTrack),
                            trace.addTrack({0, inner, TrackKind::Overhead, trace.intern("held"), 0, 0}),
                            trace.addTrack({0, kNoTrack, TrackKind::Overhead, trace.intern("cuda:5"), 0, 0})};
    trace.append({rows[1], 0, 10, trace.intern("heat"), trace.intern("throttling"), 0, -1});
    trace.append({rows[2], 5, 10, trace.intern("nothing runs"), trace.intern("idle clocks"), 0, -1});
    trace.publish();
    const DeviceWork work = deviceWork(trace);
    ASSERT_EQ(work.clocks.size(), 2u);
    EXPECT_EQ(work.clocks[0].device, "cuda:1");
    EXPECT_EQ(work.clocks[0].reason, "heat");
    EXPECT_FALSE(work.clocks[0].idle);
    EXPECT_EQ(work.clocks[1].device, "");
    EXPECT_EQ(work.clocks[1].reason, "nothing runs");
    EXPECT_TRUE(work.clocks[1].idle);
}

} // namespace
} // namespace heteroscope::profiling
