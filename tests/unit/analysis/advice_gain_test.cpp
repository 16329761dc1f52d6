// SPDX-License-Identifier: Apache-2.0
// What following a piece of advice is estimated to save, from figures made by hand.
#include "profiling/analysis/advice.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace advice_gain_test {

using ::testing::HasSubstr;

/// Recorded repetitions of 2 ms that take 1 ms when nothing records.
RunFigures run() {
    RunFigures made;
    made.run = 0;
    made.name = std::string("cuda:0/cuda");
    made.time.wallNs = 2'000'000;
    made.tracedMs = 2;
    made.untracedMs = 1;
    return made;
}

TEST(AdviceGain, OfLaunchesIsWhatKernelsOneAfterTheOtherLeave) {
    RunFigures made = run();
    made.backToBackNs = 400'000;
    EXPECT_DOUBLE_EQ(*gainOfLaunches(made).share, 0.6) << "of the 1 ms without recording";
    made.backToBackNs = 1'100'000;
    EXPECT_DOUBLE_EQ(*gainOfLaunches(made).share, 0);
    made.untracedMs = 0;
    EXPECT_FALSE(gainOfLaunches(made).share);
    EXPECT_THAT(gainOfLaunches(made).sentence().text(), HasSubstr("no untraced samples"));
}

TEST(AdviceGain, LaunchesThatUntracedSamplesDoNotPayForAreNoAdvice) {
    RunFigures made = run();
    made.time.launchOfKernelsNs = 1'200'000;
    made.medianKernelNs = 1000;
    made.medianLaunchNs = 2000;
    made.backToBackNs = 500'000;
    ASSERT_TRUE(launchesDominate(made));
    EXPECT_THAT(launchesDominate(made)->sentences.text(),
                HasSubstr("Estimated gain: 50.0 % of the time of an untraced"));
    made.backToBackNs = 950'000; // the repetition comes from a graph
    EXPECT_FALSE(launchesDominate(made));
}

TEST(AdviceGain, OfCopiesLeavesOutWhatRecordingAddsToTheirCalls) {
    RunFigures made = run();
    TransferGroup group;
    group.route = CopyRoute::HostToDevice;
    group.memory = "pageable";
    group.bytes = 1'000'000;
    group.count = 10;
    made.transfers.groups = {group};
    EXPECT_FALSE(gainOfCopies(made).share) << "the link's rate is not known";
    made.transfers.peaks[0] = LinkPeak{20, kLargeCopyBytes, "pinned", {}}; // 50 us for all
    made.time.partNs[static_cast<std::size_t>(TimePart::Copy)] = 100'000;
    made.time.partNs[static_cast<std::size_t>(TimePart::Launch)] = 1'250'000; // 1 ms of it is the recording's
    made.time.launchOfCopiesNs = 1'000'000;
    EXPECT_DOUBLE_EQ(*gainOfCopies(made).share, (100'000 + 200'000 - 50'000) / 1e6);
    made.hostCopiesMs = 0.7;
    EXPECT_DOUBLE_EQ(*gainOfCopies(made).share, (700'000 - 50'000) / 1e6) << "as timed without recording";
    made.hostCopiesMs.reset();
    made.untracedMs = 2;
    EXPECT_DOUBLE_EQ(*gainOfCopies(made).share, (100'000 + 1'000'000 - 50'000) / 2e6);
}

TEST(AdviceGain, OfBlocksEndsAtTheLeastTimeOfAKernel) {
    RunFigures made = run();
    made.device = MultiprocessorLimits{100, 9, 2048, 32, 65536, 233472, 1024};
    KernelUse kernel;
    kernel.count = 10;
    kernel.busyNs = 500'000;
    kernel.shape.grid = {25, 1, 1};
    EXPECT_DOUBLE_EQ(*gainOfBlocks(made, kernel).share, 0.375) << "a quarter of the kernel is left";
    kernel.count = 100; // of 5 us
    EXPECT_NEAR(*gainOfBlocks(made, kernel).share, 0.1, 1e-12) << "two kernels of 2 us are left";
    kernel.count = 50;
    made.medianLaunchNs = 4000;
    EXPECT_NEAR(*gainOfBlocks(made, kernel).share, 0.1, 1e-12) << "or their launches";
    kernel.count = 250;
    EXPECT_EQ(gainOfBlocks(made, kernel).sentence().text(),
              "No gain is estimated: the kernel is hardly longer than the two that splitting makes of it.");
    made.device.reset();
    EXPECT_FALSE(gainOfBlocks(made, kernel).share);
}

TEST(AdviceGain, OfNoRecordingIsOfTheTracedTime) {
    RunFigures made = run();
    made.tracingOverheadPercent = 100;
    EXPECT_DOUBLE_EQ(*gainOfNoRecording(made).share, 0.5);
    made.tracingOverheadPercent = -4;
    made.overheadNs = 200'000;
    EXPECT_DOUBLE_EQ(*gainOfNoRecording(made).share, 0.1);
}

TEST(AdviceGain, OfAPartOfARepetitionIsOfThatPartsTime) {
    RunFigures made = run();
    made.recordedShare = 0.5;
    EXPECT_DOUBLE_EQ(made.untracedNs(), 500'000);
    made.launchedMs = 4;
    EXPECT_DOUBLE_EQ(made.launchedNs(), 2'000'000);
}

} // namespace advice_gain_test
} // namespace heteroscope::profiling
