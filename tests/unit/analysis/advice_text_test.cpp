// SPDX-License-Identifier: Apache-2.0
// The sentences of the advice, whole, with their figures and what they are based on.
#include "profiling/analysis/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

RunFigures figures() {
    RunFigures run;
    run.run = 3;
    run.name = std::string("cuda:0/cuda");
    run.time.wallNs = 1000;
    run.sample = {{0, 1000}, 1};
    run.copies = {{0, 1000}, 2};
    run.launches = {{0, 1000}, 3};
    run.longestIdle = {{40, 90}, 4};
    return run;
}

TransferGroup copies(CopyRoute route, std::int64_t count, std::int64_t bytes, std::int64_t busyNs) {
    TransferGroup group;
    group.route = route;
    group.memory = "pageable";
    group.count = count;
    group.bytes = bytes;
    group.busyNs = busyNs;
    return group;
}

void expectAdvice(const std::optional<Advice>& advice, const std::string& rule, TrackId track, double share,
                  const std::string& text) {
    ASSERT_TRUE(advice) << rule;
    EXPECT_EQ(advice->rule, rule);
    EXPECT_EQ(advice->run, 3);
    EXPECT_EQ(advice->place.track, track);
    EXPECT_DOUBLE_EQ(advice->share, share);
    EXPECT_EQ(advice->sentences.text(), text);
}

TEST(AdviceText, OfTransfersAddsAllGroups) {
    RunFigures run = figures();
    run.time.partNs[static_cast<std::size_t>(TimePart::Copy)] = 88;
    run.time.launchOfCopiesNs = 412;
    run.transfers.groups = {copies(CopyRoute::HostToDevice, 3, 600, 50),
                            copies(CopyRoute::DeviceToHost, 1, 400, 50)};
    const std::string beginning =
        "cuda:0/cuda: transfers take 50.0 % of the wall time of the traced samples: copies 8.8 % and the "
        "host's calls for them 41.2 % (4 copies of 250 B on average). Move more data in fewer copies, or "
        "keep it on the device. ";
    const std::string unknown =
        "No gain is estimated: the link's rate is unknown, the recording has no large copy.";
    run.untracedMs = run.tracedMs = 1;
    expectAdvice(transfersDominate(run), "transfers-dominate", 2, 0.5, beginning + unknown);
    EXPECT_THAT(transfersDominate(run)->basis.text(),
                StartsWith("Shown from 25 % of the wall time of the traced samples. "));
    run.transfers.peaks[static_cast<std::size_t>(CopyRoute::HostToDevice)] = LinkPeak{6, 1, "pinned", {}};
    EXPECT_THAT(transfersDominate(run)->sentences.text(), EndsWith(unknown)) << "of one direction only";
    run.transfers.peaks[static_cast<std::size_t>(CopyRoute::DeviceToHost)] = LinkPeak{4, 1, "pinned", {}};
    const std::string known = " of the time of an untraced repetition: copies and their calls without what "
                              "recording adds, less the same bytes at the best rate seen.";
    EXPECT_EQ(transfersDominate(run)->sentences.text(),
              beginning + "Estimated gain: 30.0 %" + known); // 500 less 600 / 6 and 400 / 4
    run.transfers.peaks[static_cast<std::size_t>(CopyRoute::DeviceToHost)]->gbPerS = 0.5;
    EXPECT_EQ(transfersDominate(run)->sentences.text(),
              beginning + "No gain is estimated: less than 0.1 %" + known)
        << "nothing is saved";
    run.transfers.groups = {copies(CopyRoute::HostToDevice, 1, 10, 50)};
    EXPECT_THAT(transfersDominate(run)->sentences.text(), HasSubstr(" (1 copy of 10 B on average)."));
    run.transfers.groups.clear();
    EXPECT_FALSE(transfersDominate(run));
}

TEST(AdviceText, OfLaunches) {
    RunFigures run = figures();
    run.time.launchOfKernelsNs = 200;
    run.time.partNs[static_cast<std::size_t>(TimePart::Launch)] = 441;
    run.medianKernelNs = 1500;
    run.medianLaunchNs = 4000;
    expectAdvice(
        launchesDominate(run), "launches-dominate", 3, 0.2,
        "cuda:0/cuda: the device waits for launches of kernels for 20.0 % of the wall time of the traced "
        "samples (launch: 44.1 %): the median kernel takes 1.50 "
        "\u00b5s, its launch 4.00 \u00b5s. Give each kernel more work, join kernels, or launch them as a "
        "CUDA graph. No gain is estimated: the study has no untraced samples.");
    EXPECT_THAT(launchesDominate(run)->basis.text(), StartsWith("Shown from 10 % of the wall time"));
    run.medianKernelNs = -1;
    run.medianLaunchNs = 0;
    EXPECT_FALSE(launchesDominate(run)) << "no launch is known";
    run.medianLaunchNs = 1;
    EXPECT_TRUE(launchesDominate(run));
}

TEST(AdviceText, OfPageableCopies) {
    RunFigures run = figures();
    run.time.wallNs = 1000000;
    run.transfers.groups = {copies(CopyRoute::DeviceToHost, 1, 100, 900000),
                            copies(CopyRoute::HostToDevice, 2, 400000, 200000)};
    const std::string beginning =
        "cuda:0/cuda: copies host to device from or to pageable memory take 20.0 % of the wall time of the "
        "traced samples at 2.00 GB/s";
    const std::string unknown =
        ". Let the data be made in pinned memory. No gain is estimated: a copy into pinned memory first "
        "takes "
        "the host as long as the driver's staging does, and whether it can be left out is not known.";
    expectAdvice(pageableCopies(run), "pageable-copies", 2, 0.2, beginning + unknown);
    EXPECT_THAT(pageableCopies(run)->basis.text(),
                HasSubstr("Shown from 5 % of the wall time of the traced samples"));
    EXPECT_THAT(pageableCopies(run)->basis.text(),
                HasSubstr("Copies have to be of 64.0 KiB or more on average"));
    auto& peak = run.transfers.peaks[static_cast<std::size_t>(CopyRoute::HostToDevice)];
    peak = LinkPeak{8, 1, "pinned", {}};
    EXPECT_EQ(pageableCopies(run)->sentences.text(),
              beginning + ", where a pinned copy reached 8.00 GB/s" + unknown);
    run.transfers.groups.back().underKernelsNs = 50000;
    EXPECT_THAT(
        pageableCopies(run)->sentences.text(),
        HasSubstr("20.0 % of the wall time of the traced samples, 15.0 % while no kernel runs, at 2.00"));
    run.transfers.groups.back().underKernelsNs = 0;
    peak->memory = "pageable";
    EXPECT_EQ(pageableCopies(run)->sentences.text(), beginning + unknown);
    peak = LinkPeak{2, 1, "pinned", {}}; // no faster
    EXPECT_EQ(pageableCopies(run)->sentences.text(), beginning + unknown);
}

TEST(AdviceText, OfIdleGapsAndOverhead) {
    RunFigures run = figures();
    run.time.partNs[static_cast<std::size_t>(TimePart::Synchronise)] = 250;
    run.time.partNs[static_cast<std::size_t>(TimePart::Other)] = 150;
    expectAdvice(
        idleGaps(run), "idle-gaps", 4, 0.4,
        "cuda:0/cuda: for 40.0 % of the wall time of the traced samples the device has nothing to do and the "
        "host launches nothing: synchronise 25.0 % and other 15.0 %; the longest gap takes 50 ns. Queue work "
        "ahead instead of waiting after each step, and move the "
        "host's work beside the device's. No gain is estimated: how much of it waits for the device's "
        "results is "
        "not known; it is at most the share above.");
    EXPECT_THAT(idleGaps(run)->basis.text(), StartsWith("Shown from 20 % of the wall time"));
    run.overheadNs = 60;
    expectAdvice(profilerOverhead(run), "profiler-overhead", 1, 0.06,
                 "cuda:0/cuda: recording disturbs what is seen here: the profiler's own work takes 6.0 % of "
                 "the wall time of the traced samples. Compare times of untraced samples; read shares here "
                 "with care. Estimated gain: 6.0 % of the time of a traced repetition, without recording.");
    EXPECT_THAT(profilerOverhead(run)->basis.text(), StartsWith("Shown from 5 %, "));
    run.tracingOverheadPercent = 12.5;
    run.overhead = {{5, 6}, 7};
    expectAdvice(
        profilerOverhead(run), "profiler-overhead", 7, 0.125 / 1.125,
        "cuda:0/cuda: recording disturbs what is seen here: the profiler's own work takes 6.0 % of the "
        "wall time of the traced samples, and these take 12.5 % longer than untraced ones. Compare times of "
        "untraced samples; read "
        "shares here with care. Estimated gain: 11.1 % of the time of a traced repetition, without "
        "recording.");
    run.overhead = {{5, 5}, 7};
    EXPECT_EQ(profilerOverhead(run)->place.track, 1u) << "there is no piece of overhead to show";
}

TEST(AdviceText, OfKernelsTakesTheFirstThatFitsAndCutsItsName) {
    RunFigures run = figures();
    run.device = MultiprocessorLimits{132, 9, 2048, 32, 65536, 233472, 1024};
    for (const char letter : {'a', 'b', 'c'}) {
        KernelUse use;
        use.name = std::string(letter == 'b' ? 80 : 81, letter);
        use.shape.grid = {letter == 'a' ? 1000 : 10, 1, 1};
        use.shape.block = {128, 1, 1};
        use.shape.registersPerThread = letter == 'a' ? 16 : 255;
        use.busyNs = 100 + ('c' - letter);
        use.first = {{1, 2}, static_cast<TrackId>(letter)};
        run.kernels.push_back(use);
    }
    const std::string b(80, 'b'), c(80, 'c');
    expectAdvice(
        lowOccupancy(run), "low-occupancy", 'b', 0.101,
        "cuda:0/cuda: kernel " + b +
            " can reach 12.5 %, 8 of 64 warps, limited by registers. Few warps hide "
            "little latency; use fewer registers or less shared memory a block, or another block "
            "size, unless "
            "each thread has enough independent work. No gain is estimated: kernels with few warps and much "
            "independent work are among the fastest.");
    EXPECT_THAT(
        lowOccupancy(run)->basis.text(),
        StartsWith("Shown below 25 % for kernels with at least 10 % of the wall time of the traced samples"));
    expectAdvice(smallGrid(run), "small-grid", 'b', 0.101,
                 "cuda:0/cuda: kernel " + b +
                     " has 10 blocks for 132 multiprocessors, so part of the device is idle "
                     "while it runs. Split the work into more blocks, or run several kernels at once on "
                     "streams. No gain is "
                     "estimated: the study has no untraced samples.");
    EXPECT_THAT(
        smallGrid(run)->basis.text(),
        StartsWith("Shown for kernels with at least 10 % of the wall time of the traced samples and fewer "));
    run.kernels.erase(run.kernels.begin(), run.kernels.begin() + 2);
    EXPECT_THAT(smallGrid(run)->sentences.text(), HasSubstr("kernel " + c + "... has 10 blocks"));
    run.kernels.clear();
    EXPECT_FALSE(smallGrid(run));
}

TEST(AdviceText, OfTheRecordingHasNoRunAndNoPlace) {
    DataQuality quality;
    quality.zeroTimestamps = 1;
    const auto lost = lostRecords(quality);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->rule, "lost-records");
    EXPECT_EQ(lost->sentences.text(),
              "The recording is not complete: 0 records were dropped and 1 have no time. Counts and times "
              "here are too small; record fewer repetitions.");
    EXPECT_EQ(lost->basis.text(), "Shown from the first lost record.");
    DeviceWork work;
    work.kernels.resize(2);
    work.copies.resize(3);
    work.withoutLaunch = 1;
    const auto unlinked = unlinkedWork(work);
    ASSERT_TRUE(unlinked);
    EXPECT_EQ(unlinked->rule, "unlinked-work");
    EXPECT_EQ(unlinked->run, -1);
    EXPECT_EQ(unlinked->sentences.text(),
              "1 of 5 kernels and copies have no link to the call that launched them: how long they "
              "queued is not known and counts as synchronise or other.");
    EXPECT_EQ(unlinked->basis.text(), "Shown from the first piece of work without a link.");
}

TEST(AdviceText, OfARunComesByShareAfterThatOfTheRecording) {
    RunFigures first = figures();
    first.time.partNs[static_cast<std::size_t>(TimePart::Other)] = 300;
    first.overheadNs = 500;
    RunFigures second = figures();
    second.run = 9;
    second.time.partNs[static_cast<std::size_t>(TimePart::Other)] = 900;
    DeviceWork work;
    work.withoutLaunch = 1;
    DataQuality quality;
    quality.droppedEvents = 1;
    std::vector<std::pair<std::string, int>> rules;
    for (const Advice& advice : adviceOf({first, second}, quality, work))
        rules.emplace_back(advice.rule, advice.run);
    EXPECT_THAT(rules, ::testing::ElementsAre(std::pair("lost-records", -1), std::pair("unlinked-work", -1),
                                              std::pair("profiler-overhead", 3), std::pair("idle-gaps", 3),
                                              std::pair("idle-gaps", 9)));
}

} // namespace
} // namespace heteroscope::profiling
