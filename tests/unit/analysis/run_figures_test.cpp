// SPDX-License-Identifier: Apache-2.0
// The figures of a GPU run from traces made by hand: medians, uses of kernels, costs and places.
#include "profiling/analysis/advice.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;
using testing::ElementsAre;

/// One traced sample from 0 to 1000 ns on cuda:0.
Study oneSample() {
    Study study;
    StudyRun& run = study.runs.emplace_back();
    run.target = "cuda:0/cuda";
    run.samples.emplace_back();
    run.samples[0].traced = true;
    run.samples[0].wallMs = 1000e-6;
    return study;
}

RunFigures figuresOf(const Trace& trace, const Study& study) {
    const DeviceReport report = deviceReport(trace, study);
    EXPECT_EQ(report.figures.size(), 1u);
    return report.figures.at(0);
}

TEST(RunFiguresOf, MediansAreOfTheDurationsWhateverTheirOrder) {
    GpuTraceMaker maker;
    std::int64_t at = 0;
    for (const std::int64_t ns : {50, 2, 9}) {
        maker.kernel(at, at + ns);
        maker.call(at, at + ns + 1, "cudaLaunchKernel");
        maker.call(at + 60, at + 64, "cudaMemcpyAsync");
        at += 100;
    }
    RunFigures figures = figuresOf(maker.trace(), oneSample());
    EXPECT_EQ(figures.medianKernelNs, 9);
    EXPECT_EQ(figures.medianLaunchNs, 10);
    maker.kernel(at, at + 4);
    maker.call(at, at + 41, "cudaLaunchKernel");
    maker.kernel(2000, 2500); // outside of the sample
    maker.call(2000, 2500, "cudaLaunchKernel");
    figures = figuresOf(maker.trace(), oneSample());
    EXPECT_EQ(figures.medianKernelNs, 6.5);  // of 2, 4, 9, 50
    EXPECT_EQ(figures.medianLaunchNs, 25.5); // of 3, 10, 41, 51
    GpuTraceMaker copies;
    copies.copy(0, 10, 100);
    figures = figuresOf(copies.trace(), oneSample());
    EXPECT_EQ(figures.medianKernelNs, 0);
    EXPECT_EQ(figures.medianLaunchNs, 0);
}

TEST(RunFiguresOf, KernelsAreApartByNameAndByEachNumberOfTheirShape) {
    GpuTraceMaker maker;
    const GpuTraceMaker::Args base = GpuTraceMaker::shape("2 x 2 x 2", "4 x 4 x 4", 16, 100);
    std::int64_t at = 0;
    const auto launch = [&](const GpuTraceMaker::Args& args, const std::string& name = "gemm") {
        maker.kernel(at, at + 10, args, name);
        at += 20;
    };
    launch(base);
    launch(base);
    launch(base, "other");
    for (const char* grid : {"3 x 2 x 2", "2 x 3 x 2", "2 x 2 x 3"})
        launch(GpuTraceMaker::shape(grid, "4 x 4 x 4", 16, 100));
    for (const char* block : {"3 x 4 x 4", "4 x 3 x 4", "4 x 4 x 3"})
        launch(GpuTraceMaker::shape("2 x 2 x 2", block, 16, 100));
    launch(GpuTraceMaker::shape("2 x 2 x 2", "4 x 4 x 4", 17, 100));
    launch(GpuTraceMaker::shape("2 x 2 x 2", "4 x 4 x 4", 16, 101));
    GpuTraceMaker::Args dynamic = base;
    dynamic.back().second = "1";
    launch(dynamic);
    launch({}); // its shape is not known
    const RunFigures figures = figuresOf(maker.trace(), oneSample());
    ASSERT_EQ(figures.kernels.size(), 11u);
    const KernelUse& most = figures.kernels[0];
    EXPECT_EQ(most.name, "gemm");
    EXPECT_EQ(most.count, 2);
    EXPECT_EQ(most.busyNs, 20);
    EXPECT_EQ(most.first.range, (NsRange{0, 10}));
    EXPECT_EQ(most.first.track, 0u);
    EXPECT_EQ(most.shape, *kernelShape(base));
    for (std::size_t i = 1; i < figures.kernels.size(); ++i) {
        EXPECT_EQ(figures.kernels[i].count, 1);
        EXPECT_EQ(figures.kernels[i].busyNs, 10);
    }
}

TEST(RunFiguresOf, CostsAreTimesWithoutKernels) {
    GpuTraceMaker maker;
    maker.kernel(100, 200);
    maker.copy(300, 400, 10);
    maker.call(50, 150, "cudaLaunchKernel");   // 50 before the kernel
    maker.call(350, 450, "cudaLaunchKernel");  // 50 after the copy
    maker.call(180, 320, "cudaMemcpyAsync");   // 100 between kernel and copy, which take 100 more
    maker.call(900, 1100, "cudaMemcpyAsync");  // 100 inside the sample
    maker.call(950, 1050, "cudaLaunchKernel"); // 50 inside the sample
    maker.wait(500, 600);
    maker.overhead(700, 710);
    maker.overhead(720, 760);
    const RunFigures figures = figuresOf(maker.trace(), oneSample());
    EXPECT_EQ(figures.launchCostNs(), 150);
    EXPECT_EQ(figures.transferCostNs(), 300);
    EXPECT_EQ(figures.overheadNs, 50);
    EXPECT_EQ(figures.overhead.range, (NsRange{720, 760}));
    EXPECT_EQ(figures.overhead.track, 5u);
    EXPECT_EQ(figures.idleNs(), 500); // 0 to 50 and 450 to 900
    EXPECT_EQ(figures.longestIdle.range, (NsRange{450, 900}));
    EXPECT_EQ(figures.longestIdle.track, 0u);
    EXPECT_EQ(figures.sample.range, (NsRange{0, 1000}));
    EXPECT_EQ(figures.sample.track, 0u);
    EXPECT_EQ(figures.copies.range, (NsRange{0, 1000}));
    EXPECT_EQ(figures.copies.track, 1u);
    EXPECT_EQ(figures.launches.range, (NsRange{0, 1000}));
    EXPECT_EQ(figures.launches.track, 3u);
    EXPECT_DOUBLE_EQ(figures.share(250), 0.25);
    EXPECT_EQ(RunFigures().share(250), 0);
}

TEST(RunFiguresOf, PlacesAreOnTheBusiestRow) {
    for (const std::int64_t second : {19, 20, 21}) {
        Trace trace;
        TrackId rows[2];
        for (const int row : {0, 1}) {
            rows[row] = trace.addTrack({0, kNoTrack, TrackKind::Stream, trace.intern("stream"), 0, 0});
            trace.append(
                {rows[row], 10, row == 0 ? 20 : second, trace.intern("k"), trace.intern("kernel"), 0, -1});
        }
        trace.append({rows[0], 5000, 900, trace.intern("k"), trace.intern("kernel"), 0, -1}); // outside
        trace.publish();
        EXPECT_EQ(figuresOf(trace, oneSample()).sample.track, rows[second > 20 ? 1 : 0]) << second;
    }
}

TEST(RunFiguresOf, ClocksAreByReasonTheLongestFirst) {
    GpuTraceMaker maker;
    maker.kernel(0, 10);
    maker.clocks(0, 100, "heat");
    maker.clocks(200, 350, "power limit");
    maker.clocks(300, 400, "power limit"); // both at once count once
    maker.clocks(500, 530, "heat");
    maker.clocks(600, 700, "heat", true);
    maker.clocks(1500, 1900, "outside");
    const RunFigures figures = figuresOf(maker.trace(), oneSample());
    std::vector<std::tuple<std::string, bool, std::int64_t>> clocks;
    for (const ClockTime& clock : figures.clocks)
        clocks.emplace_back(clock.reason, clock.idle, clock.ns);
    EXPECT_THAT(clocks, ElementsAre(std::tuple("power limit", false, 200), std::tuple("heat", false, 130),
                                    std::tuple("heat", true, 100)));
    EXPECT_EQ(figures.clocks[0].longest.range, (NsRange{200, 400}));
    EXPECT_EQ(figures.clocks[1].longest.range, (NsRange{0, 100}));
    EXPECT_EQ(figures.clocks[0].longest.track, 8u);
}

TEST(RunFiguresOf, NameTheRunAndWhatTracingCost) {
    GpuTraceMaker maker;
    maker.kernel(0, 10);
    Study study = oneSample();
    study.runs[0].run = 4;
    EXPECT_EQ(figuresOf(maker.trace(), study).name, "cuda:0/cuda");
    EXPECT_FALSE(figuresOf(maker.trace(), study).tracingOverheadPercent);
    EXPECT_FALSE(figuresOf(maker.trace(), study).device);
    study.runs[0].point = {{"/size", 64}, {"/kernel", 3}};
    study.runs[0].metrics["tracing_overhead_percent"] = 2.5;
    const RunFigures figures = figuresOf(maker.trace(), study);
    EXPECT_EQ(figures.run, 4);
    EXPECT_EQ(figures.name, "cuda:0/cuda, size=64 kernel=3");
    EXPECT_EQ(figures.tracingOverheadPercent, 2.5);
    study.runs[0].metrics["tracing_overhead_percent"] = "unknown";
    EXPECT_FALSE(figuresOf(maker.trace(), study).tracingOverheadPercent);
}

} // namespace
} // namespace heteroscope::profiling
