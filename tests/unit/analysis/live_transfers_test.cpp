// SPDX-License-Identifier: Apache-2.0
// Transfers kept up to date while a trace grows: the same figures as from the whole trace.
#include "profiling/analysis/live_transfers.h"
#include "profiling/analysis/transfers.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gtest/gtest.h>

#include <random>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;

/// Every figure of `live` as transferBreakdown() finds it.
void expectWhole(const LiveTransfers& live, const Trace& trace) {
    const TransferBreakdown whole =
        transferBreakdown(deviceWork(trace), unionOf({{trace.startNs(), trace.endNs()}}));
    EXPECT_EQ(live.wallNs, whole.wallNs);
    EXPECT_EQ(live.busyNs, whole.busyNs);
    ASSERT_EQ(live.groups.size(), whole.groups.size());
    for (const LiveTransferGroup& group : live.groups) {
        const auto same = std::find_if(whole.groups.begin(), whole.groups.end(), [&](const auto& other) {
            return other.route == group.route && other.memory == group.memory;
        });
        ASSERT_NE(same, whole.groups.end()) << group.memory;
        EXPECT_EQ(group.count, same->count);
        EXPECT_EQ(group.bytes, same->bytes);
        EXPECT_EQ(group.busyNs, same->busyNs);
        EXPECT_DOUBLE_EQ(group.gbPerS(), same->gbPerS());
        EXPECT_DOUBLE_EQ(group.shareOf(live.wallNs), same->shareOf(whole.wallNs));
    }
}

TEST(LiveTransfers, NothingIsThereWithoutCopies) {
    GpuTraceMaker maker;
    maker.kernel(0, 100);
    maker.memorySet(10, 20);
    TransferWatch watch;
    watch.update(maker.trace());
    EXPECT_EQ(watch.now().count, 0);
    EXPECT_TRUE(watch.now().groups.empty());
    EXPECT_EQ(watch.now().wallNs, 100);
}

TEST(LiveTransfers, EachUpdateAddsWhatCameSince) {
    GpuTraceMaker maker;
    TransferWatch watch;
    maker.copy(0, 100, 1000);
    maker.copy(50, 150, 500);
    watch.update(maker.trace());
    watch.update(maker.trace()); // nothing new
    ASSERT_EQ(watch.now().groups.size(), 1u);
    EXPECT_EQ(watch.now().groups[0].count, 2);
    EXPECT_EQ(watch.now().groups[0].busyNs, 150);
    maker.copy(140, 200, 10, "copy host to device, pageable"); // touches what is there
    maker.copy(300, 400, 64, "copy device to host, pinned");
    maker.copy(300, 350, 64, "copy on the device");
    watch.update(maker.trace());
    const LiveTransfers now = watch.now();
    ASSERT_EQ(now.groups.size(), 3u);
    EXPECT_EQ(now.count, 5);
    EXPECT_EQ(now.bytes, 1638);
    EXPECT_EQ(now.busyNs, 300);
    EXPECT_EQ(now.groups[0].busyNs, 200);
    EXPECT_EQ(now.groups[1].memory, "pinned");
    EXPECT_EQ(now.groups[2].memory, "");
    expectWhole(now, maker.trace());
}

TEST(LiveTransfers, TheRecordersOwnCopiesAreLeftOut) {
    GpuTraceMaker maker;
    TransferWatch watch;
    maker.copy(0, 100, 4 << 20, "copy device to host, pinned", kLinkProbeOp);
    maker.copy(100, 150, 10, "copy host to device, pinned", "gemm");
    watch.update(maker.trace());
    EXPECT_EQ(watch.now().count, 1);
    ASSERT_EQ(watch.now().groups.size(), 1u);
    expectWhole(watch.now(), maker.trace());
}

TEST(LiveTransfers, RandomGrowthGivesTheFiguresOfTheWholeTrace) {
    std::mt19937 random(7);
    const auto upTo = [&](int most) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    };
    const std::string categories[] = {"copy host to device, pageable", "copy device to host, pinned",
                                      "copy on the device"};
    GpuTraceMaker maker;
    TransferWatch watch;
    std::int64_t at = 0;
    for (int batch = 0; batch < 60; ++batch) {
        for (int i = 0; i < 300; ++i) {
            at += upTo(40);
            const std::int64_t start = at - upTo(30); // a little out of order, and overlapping
            maker.copy(start, start + upTo(60), upTo(1 << 20), categories[upTo(3)]);
        }
        watch.update(maker.trace());
    }
    expectWhole(watch.now(), maker.trace());
}

TEST(LiveTransfers, AUnionOfManyStretchesStaysExactAndWhatComesVeryLateIsCutOff) {
    RunningUnion sum;
    constexpr std::int64_t kMany = 5 * static_cast<std::int64_t>(RunningUnion::kKept);
    for (std::int64_t i = 0; i < kMany; ++i)
        sum.add({i * 10, i * 10 + 4});
    EXPECT_EQ(sum.lengthNs(), kMany * 4);
    sum.add({5, 8}); // long settled: nothing of it lies after
    EXPECT_EQ(sum.lengthNs(), kMany * 4);
    sum.add({(kMany - 2) * 10 + 2, (kMany - 1) * 10 + 1}); // joins the last two
    EXPECT_EQ(sum.lengthNs(), kMany * 4 + 6);
    sum.add({7, 7});
    EXPECT_EQ(sum.lengthNs(), kMany * 4 + 6);
}

} // namespace
} // namespace heteroscope::profiling
