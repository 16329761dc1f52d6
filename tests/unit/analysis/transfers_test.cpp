// SPDX-License-Identifier: Apache-2.0
// The transfer breakdown of traces made by hand.
#include "profiling/analysis/transfers.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;

TransferBreakdown breakdownOf(GpuTraceMaker& maker, const TimeSet& range) {
    return transferBreakdown(deviceWork(maker.trace()), range);
}

TEST(Transfers, GroupsByDirectionAndMemoryOverTheUnionOfTheirTime) {
    GpuTraceMaker maker;
    maker.copy(0, 100, 1000);
    maker.copy(50, 150, 500); // at the same time as the one before
    maker.copy(200, 300, 4000, "copy host to device, pinned");
    maker.copy(400, 500, 64, "copy device to host, pageable");
    maker.kernel(120, 220);
    const TransferBreakdown found = breakdownOf(maker, {{0, 1000}});
    ASSERT_EQ(found.groups.size(), 3u);
    const TransferGroup& pageable = found.groups[0];
    EXPECT_EQ(pageable.memory, "pageable");
    EXPECT_EQ(pageable.count, 2);
    EXPECT_EQ(pageable.bytes, 1500);
    EXPECT_EQ(pageable.busyNs, 150);
    EXPECT_DOUBLE_EQ(pageable.gbPerS(), 10.0);
    EXPECT_DOUBLE_EQ(pageable.meanBytes(), 750.0);
    EXPECT_DOUBLE_EQ(pageable.shareOf(found.wallNs), 0.15);
    EXPECT_EQ(pageable.underKernelsNs, 30);
    EXPECT_DOUBLE_EQ(pageable.overlapShare(), 0.2);
    EXPECT_EQ(found.groups[1].memory, "pinned");
    EXPECT_EQ(found.groups[2].route, CopyRoute::DeviceToHost);
    EXPECT_EQ(found.busyNs, 350);
    EXPECT_EQ(found.underKernelsNs, 50);
}

TEST(Transfers, ACopyAcrossTheEdgeCountsInProportion) {
    GpuTraceMaker maker;
    maker.copy(0, 100, 1000);
    maker.copy(500, 600, 77);
    const TransferBreakdown found = breakdownOf(maker, {{75, 200}, {300, 400}});
    ASSERT_EQ(found.groups.size(), 1u);
    EXPECT_EQ(found.groups[0].count, 1);
    EXPECT_EQ(found.groups[0].bytes, 250);
    EXPECT_EQ(found.groups[0].busyNs, 25);
    EXPECT_EQ(found.wallNs, 225);
}

TEST(Transfers, SizesAreCountedInPowersOfTwo) {
    GpuTraceMaker maker;
    for (const std::int64_t bytes : {0, 1, 2, 3, 4, 1023, 1024})
        maker.copy(bytes * 10, bytes * 10 + 5, bytes);
    const TransferBreakdown found = breakdownOf(maker, {{0, 20000}});
    std::vector<std::pair<std::int64_t, std::int64_t>> bins;
    for (const SizeBin& bin : found.groups.at(0).sizes)
        bins.emplace_back(bin.lowBytes, bin.count);
    const std::vector<std::pair<std::int64_t, std::int64_t>> expected{
        {1, 2}, {2, 2}, {4, 1}, {512, 1}, {1024, 1}};
    EXPECT_EQ(bins, expected);
    EXPECT_EQ(found.groups.at(0).sizes.at(0).busyNs, 10);
}

TEST(Transfers, OpsAreThoseOfTheArgs) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 100, "copy host to device, pageable", "gemm");
    maker.copy(20, 50, 100, "copy device to host, pageable", "maxpool.forward");
    maker.copy(60, 65, 100, "copy device to host, pageable", "gemm");
    maker.copy(70, 71, 5);
    const TransferBreakdown found = breakdownOf(maker, {{0, 100}});
    ASSERT_EQ(found.ops.size(), 3u);
    EXPECT_EQ(found.ops[0].op, "maxpool.forward");
    EXPECT_EQ(found.ops[1].op, "gemm");
    EXPECT_EQ(found.ops[1].count, 2);
    EXPECT_EQ(found.ops[1].busyNs, 15);
    EXPECT_EQ(found.ops[2].op, "");
}

TEST(Transfers, PhasesAreOfTheirOpAndAddUpToIt) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 16, "copy host to device, pageable", "maxpool.forward", "copy in");
    maker.copy(20, 40, 16, "copy host to device, pageable", "maxpool.forward", "filter");
    maker.copy(50, 60, 16, "copy device to host, pageable", "maxpool.forward", "copy out");
    maker.copy(70, 80, 16, "copy host to device, pageable", "maxpool.forward", "copy in");
    const TransferBreakdown found = breakdownOf(maker, {{0, 75}});
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_EQ(found.ops[0].busyNs, 45);
    ASSERT_EQ(found.phases.size(), 3u);
    EXPECT_EQ(found.phases[0].phase, "filter");
    EXPECT_EQ(found.phases[1].phase, "copy in");
    EXPECT_EQ(found.phases[1].count, 2);
    EXPECT_EQ(found.phases[1].busyNs, 15);
    EXPECT_EQ(found.phases[1].bytes, 24); // half of the copy that crosses the edge
    EXPECT_EQ(found.phases[2].phase, "copy out");
}

TEST(Transfers, TheLinkProbeIsAPeakAndMovesNothing) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 16, "copy host to device, pageable", "maxpool.forward", "copy in");
    maker.copy(100, 100100, kLargeCopyBytes, "copy host to device, pinned", kLinkProbeOp, kLinkProbeOp);
    const TransferBreakdown found = breakdownOf(maker, {{0, 200000}});
    ASSERT_EQ(found.groups.size(), 1u);
    EXPECT_EQ(found.groups[0].memory, "pageable");
    EXPECT_EQ(found.busyNs, 10);
    ASSERT_EQ(found.phases.size(), 1u);
    const auto& peak = found.peaks[static_cast<std::size_t>(CopyRoute::HostToDevice)];
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->gbPerS, kLargeCopyBytes / 100000.0, 1e-9);
}

TEST(Transfers, ThePeakIsTheBestLargeCopyOrUnknown) {
    GpuTraceMaker maker;
    maker.copy(0, 1, 100000); // a hundred TB/s, but too small to be believed
    maker.copy(0, 100000, kLargeCopyBytes);
    maker.copy(200000, 250000, kLargeCopyBytes, "copy host to device, pinned");
    const TransferBreakdown found = breakdownOf(maker, {{0, 10}});
    const auto& peak = found.peaks[static_cast<std::size_t>(CopyRoute::HostToDevice)];
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->gbPerS, kLargeCopyBytes / 50000.0, 1e-9);
    EXPECT_EQ(peak->memory, "pinned");
    EXPECT_FALSE(found.peaks[static_cast<std::size_t>(CopyRoute::DeviceToHost)]);
}

TEST(Transfers, WithoutDeviceWorkThereIsNothing) {
    GpuTraceMaker maker;
    maker.call(0, 10, "cudaMalloc");
    const TransferBreakdown found = breakdownOf(maker, {{0, 100}});
    EXPECT_TRUE(found.groups.empty());
    EXPECT_EQ(found.busyNs, 0);
    EXPECT_FALSE(deviceWork(maker.trace()).any());
}

TEST(DeviceWork, KernelShapesAreReadOrRefused) {
    const auto shape = kernelShape(GpuTraceMaker::shape("4 x 2 x 1", "32 x 8 x 1", 40, 1024));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->blocks(), 8);
    EXPECT_EQ(shape->threadsPerBlock(), 256);
    EXPECT_EQ(shape->staticSharedBytes, 1024);
    for (const char* bad : {"", "4", "4 x 2", "4 x 2 x 0", "4 x 2 x -1", "4 x 2 x 1 x 1", "a x b x c",
                            "99999999999999999999 x 1 x 1", "1 x 65536 x 1"})
        EXPECT_FALSE(kernelShape(GpuTraceMaker::shape(bad, "1 x 1 x 1", 1))) << bad;
    for (const char* bad : {"65536 x 2 x 1", "1 x 65537 x 1", "4 x 4611686018427387904 x 4"})
        EXPECT_FALSE(kernelShape(GpuTraceMaker::shape("1 x 1 x 1", bad, 1))) << bad;
}

TEST(DeviceWork, CallsAreLaunchesCopiesOrWaits) {
    EXPECT_EQ(callKind("cudaLaunchKernelExC"), CallKind::Launch);
    EXPECT_EQ(callKind("cuGraphLaunch"), CallKind::Launch);
    EXPECT_EQ(callKind("cudaMemcpyAsync"), CallKind::Copy);
    EXPECT_EQ(callKind("cuMemsetD8Async"), CallKind::Copy);
    EXPECT_EQ(callKind("cudaEventSynchronize"), CallKind::Wait);
    EXPECT_FALSE(callKind("cudaGetLastError"));
}

} // namespace
} // namespace heteroscope::profiling
