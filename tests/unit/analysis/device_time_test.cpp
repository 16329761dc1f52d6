// SPDX-License-Identifier: Apache-2.0
// The split of wall time by the rule in device_time.h.
#include "profiling/analysis/device_time.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;

std::array<std::int64_t, kTimeParts> partsOf(GpuTraceMaker& maker, const TimeSet& range) {
    const DeviceWork work = deviceWork(maker.trace());
    return DeviceTime(work).split(range).partNs;
}

TEST(DeviceTime, EachMomentBelongsToTheFirstPartThatHolds) {
    GpuTraceMaker maker;
    const SpanRef launch = maker.call(10, 20, "cudaLaunchKernel");
    maker.flow(launch, maker.kernel(30, 60)); // waits from 20 to 30
    maker.call(25, 70, "cudaStreamSynchronize");
    maker.wait(26, 69);
    maker.copy(50, 65, 100); // under the kernel until 60; without a call
    maker.call(90, 95, "cudaGetLastError");
    const DeviceWork work = deviceWork(maker.trace());
    const DeviceTimeSplit split = DeviceTime(work).split({{0, 100}});
    EXPECT_EQ(split[TimePart::Execute], 30);
    EXPECT_EQ(split[TimePart::Copy], 5);
    EXPECT_EQ(split[TimePart::Launch], 10);
    EXPECT_EQ(split[TimePart::Queue], 10);
    EXPECT_EQ(split[TimePart::Synchronise], 5);
    EXPECT_EQ(split[TimePart::Other], 40);
    EXPECT_EQ(split.deviceIdleNs(), 65);
    EXPECT_EQ(split.kernels, 1u);
    EXPECT_EQ(split.copies, 1u);
    EXPECT_EQ(split.withoutLaunch, 1u);
}

TEST(DeviceTime, CallsUnderDeviceWorkCostNothing) {
    GpuTraceMaker maker;
    maker.kernel(0, 100);
    for (std::int64_t at = 0; at < 120; at += 10)
        maker.call(at, at + 5, "cuLaunchKernel");
    EXPECT_EQ(partsOf(maker, {{0, 120}}), (std::array<std::int64_t, kTimeParts>{100, 0, 10, 0, 0, 10}));
}

TEST(DeviceTime, MemorySetsAreCopies) {
    GpuTraceMaker maker;
    maker.memorySet(10, 30);
    EXPECT_EQ(partsOf(maker, {{0, 40}}), (std::array<std::int64_t, kTimeParts>{0, 20, 0, 0, 0, 20}));
}

TEST(DeviceTime, RangesMayBeSeveral) {
    GpuTraceMaker maker;
    maker.kernel(10, 90);
    EXPECT_EQ(partsOf(maker, {{0, 20}, {80, 100}}),
              (std::array<std::int64_t, kTimeParts>{20, 0, 0, 0, 0, 20}));
}

TEST(DeviceTime, PartsAddUpWhateverTheTrace) {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        GpuTraceMaker maker;
        for (int i = 0; i < 40; ++i) {
            const std::int64_t at = random() % 1000, length = random() % 40;
            const SpanRef call = maker.call(at, at + length, i % 3 ? "cudaLaunchKernel" : "cudaMemcpyAsync");
            const std::int64_t start = at + random() % 60, end = start + random() % 30;
            maker.flow(call, i % 3 ? maker.kernel(start, end) : maker.copy(start, end, 10));
            maker.wait(random() % 1000, random() % 1000 + 1000);
        }
        const DeviceWork work = deviceWork(maker.trace());
        const DeviceTime time(work);
        const TimeSet range{{100, 400}, {450, 1100}};
        const DeviceTimeSplit split = time.split(range);
        ASSERT_EQ(std::accumulate(split.partNs.begin(), split.partNs.end(), std::int64_t{0}), 950);
        for (std::size_t i = 0; i < kTimeParts; ++i)
            ASSERT_EQ(lengthNs(time.part(static_cast<TimePart>(i), range)), split.partNs[i]);
    }
}

Study studyWithSamples() {
    Study study;
    study.runs.resize(2);
    study.runs[0].target = "cpu/openmp";
    study.runs[1].target = "cuda:0/cuda";
    StudySample sample;
    sample.traced = true;
    sample.repetitions = 10;
    sample.wallMs = 10e-6; // 10 ns
    for (const std::int64_t start : {0, 500, 1000}) {
        sample.startNs = start;
        study.runs[start == 0 ? 0 : 1].samples.push_back(sample);
    }
    sample.traced = false;
    study.runs[1].samples.push_back(sample);
    return study;
}

TEST(DeviceTime, RunsAreThoseWhoseTracedSamplesUsedADevice) {
    GpuTraceMaker maker;
    maker.kernel(500, 550);
    maker.kernel(1000, 1090);
    const Study study = studyWithSamples();
    const DeviceWork work = deviceWork(maker.trace());
    const DeviceTime time(work);
    const auto runs = deviceTimeOfRuns(study, time);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].run, &study.runs[1]);
    ASSERT_EQ(runs[0].samples.size(), 2u);
    EXPECT_EQ(runs[0].samples[1].split[TimePart::Execute], 90);
    EXPECT_EQ(runs[0].total.wallNs, 200);
    EXPECT_EQ(runs[0].total[TimePart::Execute], 140);
}

TEST(DeviceTime, ADamagedSampleHasNoRange) {
    StudySample sample;
    for (const double wall : {-1.0, 0.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
        sample.wallMs = wall;
        EXPECT_EQ(sampleRange(sample).lengthNs(), 0) << wall;
    }
}

/// A sample that says it took 4e18 ns, more than a century, or began then, is damaged.
TEST(DeviceTime, ASampleHasAllItsRepetitionsUpToACentury) {
    StudySample sample;
    sample.startNs = 10;
    sample.wallMs = 100e-6;
    sample.repetitions = 3;
    EXPECT_EQ(sampleRange(sample), (NsRange{10, 310}));
    sample.wallMs = 0.4e-6;
    sample.repetitions = 1;
    EXPECT_EQ(sampleRange(sample), (NsRange{10, 10})) << "rounded";
    sample.wallMs = 4e12;
    EXPECT_EQ(sampleRange(sample).lengthNs(), 0);
    sample.wallMs = 3.9e12;
    EXPECT_EQ(sampleRange(sample).lengthNs(), 3'900'000'000'000'000'000);
    sample.wallMs = 1;
    for (const std::int64_t start : {4'000'000'000'000'000'000, -4'000'000'000'000'000'000}) {
        sample.startNs = start;
        EXPECT_EQ(sampleRange(sample).lengthNs(), 0) << start;
    }
}

TEST(DeviceTime, SharesAreOfTheWallTimeAndSplitsAddUp) {
    DeviceTimeSplit split;
    EXPECT_EQ(split.share(TimePart::Execute), 0);
    split.wallNs = 200;
    split.partNs = {50, 20, 30, 40, 10, 50};
    split.kernels = 1;
    split.copies = 2;
    split.withoutLaunch = 3;
    EXPECT_DOUBLE_EQ(split.share(TimePart::Execute), 0.25);
    EXPECT_DOUBLE_EQ(split.share(TimePart::Copy), 0.1);
    EXPECT_EQ(split.deviceIdleNs(), 130);
    DeviceTimeSplit sum = split;
    sum += split;
    EXPECT_EQ(sum.wallNs, 400);
    EXPECT_EQ(sum.partNs, (std::array<std::int64_t, kTimeParts>{100, 40, 60, 80, 20, 100}));
    EXPECT_EQ(sum.kernels, 2u);
    EXPECT_EQ(sum.copies, 4u);
    EXPECT_EQ(sum.withoutLaunch, 6u);
    const char* const names[] = {"execute", "copy", "launch", "queue", "synchronise", "other"};
    for (std::size_t i = 0; i < kTimeParts; ++i)
        EXPECT_EQ(figureOf(static_cast<TimePart>(i)).id, names[i]);
}

TEST(DeviceTime, WorkWithoutLengthCountsWhereItLies) {
    GpuTraceMaker maker;
    maker.kernel(10, 10);
    maker.kernel(20, 20);
    maker.copy(30, 30, 5);
    maker.flow(maker.call(1, 2, "cudaLaunchKernel"), maker.kernel(19, 19));
    const DeviceWork work = deviceWork(maker.trace());
    const DeviceTimeSplit split = DeviceTime(work).split({{10, 20}});
    EXPECT_EQ(split.kernels, 2u);
    EXPECT_EQ(split.copies, 0u);
    EXPECT_EQ(split.withoutLaunch, 1u);
    EXPECT_EQ(split[TimePart::Execute], 0);
}

TEST(DeviceTime, RunsWithCopiesOnlyCountAndWarmUpsDoNot) {
    GpuTraceMaker maker;
    maker.copy(0, 10, 5);
    maker.copy(1000, 1010, 5);
    Study study;
    StudyRun& run = study.runs.emplace_back();
    for (const std::int64_t start : {0, 1000}) {
        StudySample& sample = run.samples.emplace_back();
        sample.traced = true;
        sample.warmup = start == 0;
        sample.startNs = start;
        sample.wallMs = 100e-6;
    }
    const DeviceWork work = deviceWork(maker.trace());
    const auto runs = deviceTimeOfRuns(study, DeviceTime(work));
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].range, (TimeSet{{1000, 1100}}));
    EXPECT_EQ(runs[0].total.copies, 1u);
    EXPECT_TRUE(deviceTimeOfRuns(study, DeviceTime(work), {1050, 2000}).empty());
}

} // namespace
} // namespace heteroscope::profiling
