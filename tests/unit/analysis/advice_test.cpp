// SPDX-License-Identifier: Apache-2.0
// Each rule of the advice, at its threshold and away from it, and the places it names.
#include "profiling/analysis/advice.h"
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/results.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;
using ::testing::HasSubstr;

RunFigures runOf(std::int64_t wallNs) {
    RunFigures run;
    run.run = 3;
    run.name = std::string("cuda:0/cuda");
    run.time.wallNs = wallNs;
    return run;
}

TransferGroup groupOf(std::int64_t count, std::int64_t bytes, std::int64_t busyNs, const char* memory) {
    TransferGroup group;
    group.route = CopyRoute::HostToDevice;
    group.memory = memory;
    group.count = count;
    group.bytes = bytes;
    group.busyNs = busyNs;
    return group;
}

TEST(Advice, TransfersDominateFromAQuarterOfTheWallTime) {
    RunFigures run = runOf(1000);
    run.transfers.groups = {groupOf(10, 100, 50, "pageable")};
    run.copies = {{5, 900}, 4};
    run.time.partNs[static_cast<std::size_t>(TimePart::Copy)] = 49;
    run.time.launchOfCopiesNs = 200;
    EXPECT_FALSE(transfersDominate(run));
    run.time.partNs[static_cast<std::size_t>(TimePart::Copy)] = 50;
    const auto advice = transfersDominate(run);
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->run, 3);
    EXPECT_EQ(advice->place.track, 4u);
    EXPECT_EQ(advice->place.range, (NsRange{5, 900}));
    EXPECT_DOUBLE_EQ(advice->share, 0.25);
    EXPECT_THAT(advice->sentences.text(), HasSubstr("10 copies of 10 B on average"));
    EXPECT_FALSE(advice->gain.share);
}

TEST(Advice, LaunchesDominateWhenKernelsAreShorter) {
    RunFigures run = runOf(1000);
    run.time.launchOfKernelsNs = 100;
    run.medianKernelNs = 3;
    run.medianLaunchNs = 4;
    ASSERT_TRUE(launchesDominate(run));
    EXPECT_THAT(launchesDominate(run)->sentences.text(),
                HasSubstr("waits for launches of kernels for 10.0 % of the wall time of the traced samples"));
    run.medianKernelNs = 4;
    EXPECT_FALSE(launchesDominate(run));
    run.medianKernelNs = 3;
    run.time.launchOfKernelsNs = 99;
    EXPECT_FALSE(launchesDominate(run));
}

TEST(Advice, PageableCopiesAreLargeAndTakeTime) {
    RunFigures run = runOf(1000000);
    run.transfers.groups = {groupOf(2, 2 * kPageableBytes, 50000, "pageable")};
    ASSERT_TRUE(pageableCopies(run));
    EXPECT_THAT(pageableCopies(run)->sentences.text(), HasSubstr("No gain is estimated"));
    run.transfers.peaks[0] = LinkPeak{2 * run.transfers.groups[0].gbPerS(), kLargeCopyBytes, "pinned", {}};
    EXPECT_THAT(pageableCopies(run)->sentences.text(), HasSubstr("where a pinned copy reached 5.24 GB/s"));
    run.transfers.groups[0].underKernelsNs = 10;
    EXPECT_FALSE(pageableCopies(run));
    run.transfers.groups = {groupOf(2, 2 * kPageableBytes - 1, 90000, "pageable")};
    EXPECT_FALSE(pageableCopies(run));
    run.transfers.groups = {groupOf(2, 2 * kPageableBytes, 90000, "pinned")};
    EXPECT_FALSE(pageableCopies(run));
}

TEST(Advice, IdleGapsNameTheLongest) {
    RunFigures run = runOf(1000);
    run.time.partNs[static_cast<std::size_t>(TimePart::Other)] = 200;
    run.longestIdle = {{40, 90}, 2};
    ASSERT_TRUE(idleGaps(run));
    EXPECT_EQ(idleGaps(run)->place.range, (NsRange{40, 90}));
    EXPECT_THAT(idleGaps(run)->sentences.text(), HasSubstr("longest gap takes 50 ns"));
    run.time.partNs[static_cast<std::size_t>(TimePart::Other)] = 199;
    EXPECT_FALSE(idleGaps(run));
}

TEST(Advice, OverheadCountsAsMeasuredOrAsRecorded) {
    RunFigures run = runOf(1000);
    run.sample = {{0, 10}, 1};
    EXPECT_FALSE(profilerOverhead(run));
    run.tracingOverheadPercent = 4.9;
    EXPECT_FALSE(profilerOverhead(run));
    run.tracingOverheadPercent = 5.0;
    ASSERT_TRUE(profilerOverhead(run));
    EXPECT_EQ(profilerOverhead(run)->place.track, 1u);
    run.tracingOverheadPercent.reset();
    run.overheadNs = 50;
    run.overhead = {{3, 9}, 6};
    ASSERT_TRUE(profilerOverhead(run));
    EXPECT_EQ(profilerOverhead(run)->place.track, 6u);
}

RunFigures runWithKernel(int registers, int threads, int blocks) {
    RunFigures run = runOf(1000);
    run.device = MultiprocessorLimits{132, 9, 2048, 32, 65536, 233472, 1024};
    KernelUse kernel;
    kernel.name = "gemm";
    kernel.shape.grid = {blocks, 1, 1};
    kernel.shape.block = {threads, 1, 1};
    kernel.shape.registersPerThread = registers;
    kernel.busyNs = 100;
    kernel.first = {{7, 8}, 5};
    run.kernels = {kernel};
    return run;
}

TEST(Advice, LowOccupancyNamesTheLimiterAndTheFirstLaunch) {
    RunFigures run = runWithKernel(255, 128, 1000); // 2 blocks of 4 warps
    const auto advice = lowOccupancy(run);
    ASSERT_TRUE(advice);
    EXPECT_THAT(advice->sentences.text(),
                HasSubstr("kernel gemm can reach 12.5 %, 8 of 64 warps, limited by registers"));
    EXPECT_EQ(advice->place.range, (NsRange{7, 8}));
    EXPECT_FALSE(lowOccupancy(runWithKernel(64, 128, 1000))); // 50 %
    run.kernels[0].busyNs = 99;                               // less than a tenth of the wall time
    EXPECT_FALSE(lowOccupancy(run));
    run.kernels[0].busyNs = 100;
    run.device.reset();
    EXPECT_FALSE(lowOccupancy(run));
}

TEST(Advice, ASmallGridLeavesMultiprocessorsIdle) {
    ASSERT_TRUE(smallGrid(runWithKernel(16, 128, 65)));
    EXPECT_THAT(smallGrid(runWithKernel(16, 128, 65))->sentences.text(),
                HasSubstr("has 65 blocks for 132 multiprocessors"));
    EXPECT_FALSE(smallGrid(runWithKernel(16, 128, 66)));
}

RunFigures runWithClocks(std::vector<ClockTime> clocks) {
    RunFigures run = runOf(1000);
    run.clocks = std::move(clocks);
    return run;
}

TEST(Advice, ThrottlingSaysWhyAndWhere) {
    EXPECT_FALSE(throttling(runWithClocks({{"heat", false, 49, {{1, 50}, 8}}})));
    const auto advice =
        throttling(runWithClocks({{"power limit, heat", false, 40, {{1, 41}, 8}}, {"heat", false, 10, {}}}));
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->rule, "throttling");
    EXPECT_EQ(advice->place.track, 8u);
    EXPECT_EQ(advice->place.range, (NsRange{1, 41}));
    EXPECT_DOUBLE_EQ(advice->share, 0.05);
    EXPECT_THAT(advice->sentences.text(),
                HasSubstr("5.0 % of the wall time of the traced samples: power limit, heat; heat"));
    EXPECT_THAT(advice->basis.text(), HasSubstr("NVML"));
}

TEST(Advice, ThePowerLimitAloneIsANote) {
    const RunFigures limited = runWithClocks({{"power limit", false, 50, {{1, 51}, 8}}});
    EXPECT_FALSE(throttling(limited));
    ASSERT_TRUE(powerLimit(limited));
    EXPECT_THAT(powerLimit(limited)->sentences.text(), HasSubstr("note"));
    EXPECT_FALSE(powerLimit(runWithClocks({{"power limit", false, 49, {}}})));
    EXPECT_FALSE(powerLimit(runWithClocks({{"heat", false, 60, {}}, {"power limit", false, 50, {}}})));
}

TEST(Advice, IdleClocksAreANoteFromHalfOfTheTime) {
    EXPECT_FALSE(idleClocks(runWithClocks({{"nothing runs", true, 499, {}}})));
    const auto advice = idleClocks(runWithClocks({{"nothing runs", true, 500, {{1, 501}, 8}}}));
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->rule, "idle-clocks");
    EXPECT_FALSE(throttling(runWithClocks({{"nothing runs", true, 1000, {}}})));
}

TEST(Advice, ClocksAreThoseOfTheRunsDeviceInsideItsSamples) {
    GpuTraceMaker maker;
    maker.kernel(0, 100);
    maker.clocks(50, 150, "heat");
    maker.clocks(400, 500, "heat");
    Study study;
    for (const char* target : {"cuda:0/cuda", "cuda:1/cuda"}) {
        StudyRun run;
        run.target = target;
        run.samples.emplace_back();
        run.samples.back().traced = true;
        run.samples.back().wallMs = 200e-6;
        study.runs.push_back(run);
    }
    const DeviceReport report = deviceReport(maker.trace(), study);
    ASSERT_EQ(report.figures.size(), 2u);
    ASSERT_EQ(report.figures[0].clocks.size(), 1u);
    EXPECT_EQ(report.figures[0].clocks[0].ns, 100);
    EXPECT_EQ(report.figures[0].clocks[0].longest.range, (NsRange{50, 150}));
    EXPECT_TRUE(report.figures[1].clocks.empty());
}

TEST(Advice, AWindowLimitsWhatIsReported) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 100);
    maker.kernel(20, 60);
    maker.copy(80, 100, 100);
    Study study;
    study.runs.emplace_back();
    study.runs[0].target = "cuda:0/cuda";
    study.runs[0].samples.emplace_back();
    study.runs[0].samples[0].traced = true;
    study.runs[0].samples[0].wallMs = 100e-6;
    const DeviceReport report = deviceReport(maker.trace(), study, {40, 90});
    EXPECT_EQ(report.transfers.wallNs, 50);
    EXPECT_EQ(report.transfers.busyNs, 10);
    ASSERT_EQ(report.times.size(), 1u);
    EXPECT_EQ(report.times[0].total.wallNs, 50);
    EXPECT_EQ(report.times[0].total[TimePart::Execute], 20);
    EXPECT_TRUE(deviceReport(maker.trace(), study, {200, 300}).times.empty());
}

TEST(Advice, LostRecordsAndMissingLinksAreOfTheRecording) {
    DataQuality quality;
    EXPECT_FALSE(lostRecords(quality));
    quality.droppedEvents = 12;
    ASSERT_TRUE(lostRecords(quality));
    EXPECT_EQ(lostRecords(quality)->run, -1);
    EXPECT_THAT(lostRecords(quality)->sentences.text(), HasSubstr("12 records were dropped"));
    DeviceWork work;
    EXPECT_FALSE(unlinkedWork(work));
    work.kernels.resize(5);
    work.withoutLaunch = 2;
    EXPECT_THAT(unlinkedWork(work)->sentences.text(), HasSubstr("2 of 5 kernels and copies"));
}

/// A hundred tiny kernels with a copy before each, waited for one by one: 20 ns a step.
Study recordSteps(GpuTraceMaker& maker) {
    for (std::int64_t at = 0; at < 2000; at += 20) {
        maker.flow(maker.call(at, at + 6, "cudaMemcpyAsync"), maker.copy(at + 6, at + 8, 16));
        maker.flow(maker.call(at + 8, at + 12, "cudaLaunchKernel"),
                   maker.kernel(at + 13, at + 15, GpuTraceMaker::shape("1 x 1 x 1", "32 x 1 x 1", 16)));
        maker.wait(at + 12, at + 18);
    }
    Study study;
    study.runs.resize(1);
    study.runs[0].target = "cuda:0/cuda";
    StudySample sample;
    sample.traced = true;
    sample.wallMs = 2000e-6;
    study.runs[0].samples = {sample};
    study.devices.push_back({{"id", "cuda:0"},
                             {"properties",
                              {{"compute_capability", "9.0"},
                               {"multiprocessors", 132},
                               {"max_threads_per_multiprocessor", 2048},
                               {"max_blocks_per_multiprocessor", 32},
                               {"registers_per_multiprocessor", 65536},
                               {"shared_memory_per_multiprocessor_bytes", 233472},
                               {"max_threads_per_block", 1024}}}});
    return study;
}

TEST(Advice, TheReportOfARecordingPutsTheLargestFirst) {
    GpuTraceMaker maker;
    const Study study = recordSteps(maker);
    const DeviceReport report = deviceReport(maker.trace(), study);
    ASSERT_EQ(report.figures.size(), 1u);
    const RunFigures& run = report.figures[0];
    EXPECT_EQ(run.transferCostNs(), 800);
    EXPECT_EQ(run.launchCostNs(), 400);
    EXPECT_EQ(run.time[TimePart::Queue], 100);
    EXPECT_EQ(run.medianKernelNs, 2);
    EXPECT_EQ(run.medianLaunchNs, 4);
    EXPECT_EQ(run.idleNs(), 500);
    std::vector<std::string> rules;
    for (const Advice& advice : report.advice) {
        rules.push_back(advice.rule);
        EXPECT_NE(advice.place.track, kNoTrack) << advice.rule;
        EXPECT_GT(advice.place.range.lengthNs(), 0) << advice.rule;
        EXPECT_FALSE(advice.basis.empty());
    }
    EXPECT_THAT(rules,
                ::testing::ElementsAre("transfers-dominate", "idle-gaps", "launches-dominate", "small-grid"));
}

TEST(DeviceJson, ResultsGetWhatTheDeviceRecordedPerRepetition) {
    GpuTraceMaker maker;
    Study study = recordSteps(maker);
    study.runs[0].samples[0].repetitions = 10; // of 200 ns each
    study.runs[0].samples[0].wallMs = 200e-6;
    const DeviceReport report = deviceReport(maker.trace(), study);
    const Json results = resultsToJson(study, summarizeStudy(study), &report);
    const Json& run = results.at("runs").at(0);
    const Json traced = run.at("transfers").at("h2d");
    EXPECT_EQ(traced.at("source"), "device records");
    EXPECT_TRUE(traced.at("host_ms").is_null()); // no timed sample
    EXPECT_EQ(traced.at("traced").at("count"), 10);
    EXPECT_EQ(traced.at("count"), 10);
    EXPECT_EQ(traced.at("bytes"), 160);
    EXPECT_DOUBLE_EQ(traced.at("ms").get<double>(), 20e-6);
    EXPECT_EQ(traced.at("pinned_bytes"), 0);
    EXPECT_DOUBLE_EQ(run.at("device_time").at("execute_ms").get<double>(), 20e-6);
    EXPECT_DOUBLE_EQ(run.at("device_time").at("wall_ms").get<double>(), 200e-6);
    EXPECT_FALSE(resultsToJson(study, summarizeStudy(study)).at("runs").at(0).contains("device_time"));
}

TEST(DeviceJson, TheReportHoldsTransfersTimesAndAdvice) {
    GpuTraceMaker maker;
    const Study study = recordSteps(maker);
    const Json json = deviceReportJson(deviceReport(maker.trace(), study));
    EXPECT_EQ(json.at("transfers").at("groups").at(0).at("count"), 100);
    EXPECT_TRUE(json.at("transfers").at("groups").at(0).at("link_peak_gb_s").is_null());
    const Json& time = json.at("runs").at(0).at("time");
    std::int64_t sum = 0;
    for (const char* part : {"execute", "copy", "launch", "queue", "synchronise", "other"})
        sum += time.at(std::string(part) + "_ns").get<std::int64_t>();
    EXPECT_EQ(sum, time.at("wall_ns"));
    EXPECT_EQ(json.at("advice").at(0).at("rule"), "transfers-dominate");
    EXPECT_EQ(json.at("advice").at(0).at("run"), 0);
}

TEST(Advice, WithoutDeviceWorkThereIsNone) {
    GpuTraceMaker maker;
    maker.overhead(0, 100);
    const DeviceReport report = deviceReport(maker.trace(), Study());
    EXPECT_FALSE(report.work.any());
    EXPECT_TRUE(report.advice.empty());
}

} // namespace
} // namespace heteroscope::profiling
