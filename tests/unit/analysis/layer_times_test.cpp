// SPDX-License-Identifier: Apache-2.0
// Times of layers from traces made by hand, where every figure is known.
#include "profiling/analysis/layer_times.h"
#include "profiling/analysis/traced_ranges.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::GpuTraceMaker;

constexpr std::int64_t kMs = 1'000'000;

/// One run whose samples follow each other, each of 100 ms: a warm-up, an untraced and a traced one.
Study layerStudy(const std::string& target) {
    Study study;
    StudyRun& run = study.runs.emplace_back();
    run.target = target;
    for (int i = 0; i < 3; ++i) {
        StudySample sample;
        sample.sample = i;
        sample.warmup = i == 0;
        sample.traced = i != 1;
        sample.startNs = i * 100 * kMs;
        sample.wallMs = 100;
        run.samples.push_back(sample);
    }
    run.metrics["tracing_overhead_percent"] = 1.25;
    return study;
}

constexpr std::int64_t kTraced = 200 * kMs;

/// One training step of two layers that begins at `start`; `slow` times as long.
void addStep(GpuTraceMaker& maker, std::int64_t start, std::int64_t slow) {
    const auto at = [&](std::int64_t ms) { return start + ms * slow * kMs / 10; };
    maker.layer(at(0), at(4), "conv1", "forward");
    maker.op(at(0), at(3), "conv2d.forward", {});
    maker.op(at(3), at(4), "add.forward", {});
    maker.layer(at(4), at(6), "fc", "forward");
    maker.op(at(4), at(6), "dense.forward", {});
    maker.op(at(6), at(7), "loss.softmax_cross_entropy", {});
    maker.layer(at(7), at(10), "fc", "backward");
    maker.op(at(7), at(10), "dense.backward.data", {});
    maker.layer(at(10), at(18), "conv1", "backward");
    maker.op(at(18), at(20), "sgd", {});
}

std::vector<RunLayerTimes> timesOf(GpuTraceMaker& maker, const Study& study) {
    const Trace& trace = maker.trace();
    return layerTimes(trace, study, deviceWork(trace));
}

TEST(LayerTimes, OfAProcessorAreTheSpansOfTracedSamples) {
    GpuTraceMaker maker;
    addStep(maker, 0, 30);         // the warm-up
    addStep(maker, 100 * kMs, 30); // not traced: spans there are another program's
    addStep(maker, kTraced, 10);
    addStep(maker, kTraced + 30 * kMs, 20);
    const auto runs = timesOf(maker, layerStudy("cpu/openmp"));
    ASSERT_EQ(runs.size(), 1u);
    const RunLayerTimes& run = runs[0];
    EXPECT_FALSE(run.device);
    EXPECT_TRUE(run.reason.empty());
    EXPECT_DOUBLE_EQ(run.tracingOverheadPercent.value(), 1.25);
    const LayerTime* conv = run.find("conv1");
    ASSERT_NE(conv, nullptr);
    EXPECT_EQ(conv->type, "conv2d");
    EXPECT_EQ((*conv)[LayerPhase::Forward].passes, 2u);
    EXPECT_DOUBLE_EQ((*conv)[LayerPhase::Forward].ms.median, 6.0);
    EXPECT_DOUBLE_EQ((*conv)[LayerPhase::Backward].ms.median, 12.0);
    EXPECT_FALSE((*conv)[LayerPhase::Update].measured());
    EXPECT_EQ(run.find("fc")->type, "dense");
    EXPECT_EQ(run.find("sgd"), nullptr);
}

TEST(LayerTimes, WhatRunsOutsideOfLayersIsLossOrUpdateAndSharesAddUp) {
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    const auto runs = timesOf(maker, layerStudy("cpu/openmp"));
    const RunLayerTimes& run = runs.at(0);
    ASSERT_EQ(run.layers.size(), 4u);
    EXPECT_EQ(run.layers[2].name, "loss.softmax_cross_entropy");
    EXPECT_FALSE(run.layers[2].isLayer);
    EXPECT_DOUBLE_EQ(run.layers[2][LayerPhase::Loss].ms.median, 1.0);
    EXPECT_EQ(run.layers[3].name, "sgd");
    EXPECT_DOUBLE_EQ(run.layers[3][LayerPhase::Update].ms.median, 2.0);
    EXPECT_DOUBLE_EQ(run.totalMs, 20.0);
    double shares = 0;
    for (const LayerTime& layer : run.layers)
        shares += layer.share();
    EXPECT_DOUBLE_EQ(shares, 1.0);
    EXPECT_DOUBLE_EQ(run.layers[0].share(), 0.6);
}

TEST(LayerTimes, ReordersAreRowsOfTheirOwnAndTakenOffTheirLayer) {
    GpuTraceMaker maker;
    const auto at = [](std::int64_t ms) { return kTraced + ms * kMs; };
    maker.layer(at(0), at(10), "conv1", "forward");
    maker.reorder(at(0), at(2), "reorder conv1.weight oihw->Ohwi16o");
    maker.op(at(2), at(9), "conv2d.forward", {});
    maker.reorder(at(9), at(10), "reorder conv1.output nhwc->nchw");
    maker.layer(at(10), at(15), "conv1", "backward");
    maker.op(at(10), at(11), "conv2d.backward.data", {});
    maker.reorder(at(11), at(14), "reorder conv1.output nhwc->nchw");
    maker.op(at(14), at(15), "conv2d.backward.weights", {});
    const auto runs = timesOf(maker, layerStudy("cpu/onednn"));
    const RunLayerTimes& run = runs.at(0);
    EXPECT_DOUBLE_EQ((*run.find("conv1"))[LayerPhase::Forward].ms.median, 7.0);
    EXPECT_EQ((*run.find("conv1"))[LayerPhase::Forward].passes, 1u);
    EXPECT_EQ(run.find("conv1")->type, "conv2d");
    EXPECT_DOUBLE_EQ((*run.find("conv1"))[LayerPhase::Backward].ms.median, 2.0);
    const LayerTime* const output = run.find("reorder conv1.output nhwc->nchw");
    ASSERT_NE(output, nullptr);
    EXPECT_FALSE(output->isLayer);
    EXPECT_TRUE(output->isReorder);
    EXPECT_EQ(output->type, "reorder");
    EXPECT_DOUBLE_EQ((*output)[LayerPhase::Forward].ms.median, 1.0);
    EXPECT_DOUBLE_EQ((*output)[LayerPhase::Backward].ms.median, 3.0);
    EXPECT_DOUBLE_EQ(run.totalMs, 15.0);
}

/// No worker writes such spans, but a file may hold them.
TEST(LayerTimes, ReordersBeforeTheFirstLayerAndLongerThanTheirLayerAreBorne) {
    GpuTraceMaker maker;
    maker.reorder(0, 0, "reorder before all");
    maker.layer(10 * kMs, 20 * kMs, "conv1", "forward");
    maker.reorder(10 * kMs, 20 * kMs, "reorder a");
    maker.reorder(10 * kMs, 20 * kMs, "reorder b");
    Study study = layerStudy("cpu/onednn");
    study.runs[0].samples.resize(1);
    study.runs[0].samples[0].warmup = false;
    const auto runs = timesOf(maker, study);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_DOUBLE_EQ((*runs[0].find("conv1"))[LayerPhase::Forward].ms.median, 0.0);
    ASSERT_NE(runs[0].find("reorder before all"), nullptr);
    EXPECT_EQ((*runs[0].find("reorder before all"))[LayerPhase::Loss].passes, 1U);
}

TEST(LayerTimes, NormOfTheGradientIsARowOfItsOwn) {
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    maker.op(kTraced + 20 * kMs, kTraced + 23 * kMs, "gradient norm", {});
    const auto runs = timesOf(maker, layerStudy("cpu/openmp"));
    const RunLayerTimes& run = runs.at(0);
    EXPECT_DOUBLE_EQ((*run.find("conv1"))[LayerPhase::Backward].ms.median, 8.0);
    EXPECT_EQ(run.layers.back().name, "gradient norm");
    EXPECT_FALSE(run.layers.back().isLayer);
    EXPECT_DOUBLE_EQ(run.layers.back()[LayerPhase::Update].ms.median, 3.0);
}

TEST(LayerTimes, OfADeviceAreTheKernelsThatTheLayerLaunched) {
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    const auto launch = [&](std::int64_t callMs, std::int64_t fromMs, std::int64_t toMs) {
        const SpanRef call =
            maker.call(kTraced + callMs * kMs, kTraced + callMs * kMs + 1000, "cudaLaunchKernel");
        maker.flow(call, maker.kernel(kTraced + fromMs * kMs, kTraced + toMs * kMs));
    };
    launch(1, 30, 40); // of conv1, which had returned long before
    launch(2, 35, 45); // both at once: the union counts
    launch(11, 50, 51);
    maker.kernel(kTraced + 60 * kMs, kTraced + 61 * kMs); // nobody knows whose
    const auto runs = timesOf(maker, layerStudy("cuda:0/cudnn"));
    const RunLayerTimes& run = runs.at(0);
    EXPECT_TRUE(run.device);
    EXPECT_EQ(run.kernelsOutside, 1u);
    const LayerTime& conv = *run.find("conv1");
    EXPECT_DOUBLE_EQ(conv[LayerPhase::Forward].ms.median, 15.0);
    EXPECT_DOUBLE_EQ(conv[LayerPhase::Backward].ms.median, 1.0);
    EXPECT_DOUBLE_EQ((*run.find("fc"))[LayerPhase::Forward].ms.median, 0.0);
    EXPECT_TRUE((*run.find("fc"))[LayerPhase::Forward].measured());
}

TEST(LayerTimes, OfADeviceWithoutKernelsAreNotThoseOfTheHost) {
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    const auto runs = timesOf(maker, layerStudy("cuda:0/cuda"));
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_TRUE(runs[0].layers.empty());
    EXPECT_NE(runs[0].reason.text().find("no kernels"), std::string::npos);
}

TEST(LayerTimes, HaveIntervalsFromFivePassesOnAndKeepAtMostSoMany) {
    GpuTraceMaker maker;
    constexpr std::int64_t kSteps = 1000;
    for (std::int64_t i = 0; i < kSteps; ++i) {
        const std::int64_t start = kTraced + i * 90'000;
        maker.layer(start, start + 10'000 + i % 7 * 1000, "conv1", "forward");
        if (i < 4)
            maker.layer(start + 20'000, start + 30'000, "fc", "forward");
    }
    const auto runs = timesOf(maker, layerStudy("cpu/sequential"));
    const LayerPhaseTime& many = (*runs.at(0).find("conv1"))[LayerPhase::Forward];
    EXPECT_EQ(many.passes, 1000u);
    EXPECT_EQ(many.ms.n, kPassesKept);
    ASSERT_TRUE(many.ms.hasInterval);
    EXPECT_DOUBLE_EQ(many.ms.median, 0.013);
    EXPECT_LE(many.ms.ci95.low, 0.013);
    EXPECT_GE(many.ms.ci95.high, 0.013);
    EXPECT_FALSE((*runs[0].find("fc"))[LayerPhase::Forward].ms.hasInterval);
}

TEST(LayerTimes, OfStudiesWithoutLayersAreNone) {
    GpuTraceMaker maker;
    maker.op(kTraced, kTraced + kMs, "maxpool.forward", {});
    EXPECT_TRUE(timesOf(maker, layerStudy("cpu/openmp")).empty());
}

/// A trace whose first row holds the layers, and a second one an inference on another thread.
TEST(LayerTimes, AreReadFromEveryThreadInTheOrderInWhichLayersRan) {
    Trace trace;
    const auto thread = [&](TrackKind kind) {
        return trace.addTrack({0, kNoTrack, kind, trace.intern("thread"), 0, 0});
    };
    const TrackId rows[] = {thread(TrackKind::Thread), thread(TrackKind::Thread), thread(TrackKind::Stream)};
    const auto layer = [&](TrackId row, std::int64_t startMs, std::int64_t ms, const char* name,
                           const char* phase) {
        trace.append({row, kTraced + startMs * kMs, ms * kMs, trace.intern(name),
                      trace.intern(std::string("layer ") + phase), 0, -1});
    };
    layer(rows[0], 10, 4, "fc", "forward");
    layer(rows[0], 30, 6, "fc", "forward");
    layer(rows[1], 5, 2, "conv1", "forward");
    layer(rows[1], 40, 9, "fc", "sideways"); // no phase
    layer(rows[2], 50, 9, "fc", "forward");  // no thread
    trace.publish();
    const auto runs = layerTimes(trace, layerStudy("cpu/openmp"), deviceWork(trace));
    ASSERT_EQ(runs.size(), 1u);
    ASSERT_EQ(runs[0].layers.size(), 2u);
    EXPECT_EQ(runs[0].layers[0].name, "conv1");
    EXPECT_EQ(runs[0].layers[0].type, "");
    EXPECT_EQ(runs[0].layers[1].name, "fc");
    EXPECT_EQ(runs[0].layers[1][LayerPhase::Forward].passes, 2u);
    EXPECT_DOUBLE_EQ(runs[0].layers[1].totalMs(), 5);
    EXPECT_DOUBLE_EQ(runs[0].totalMs, 7);
    EXPECT_DOUBLE_EQ(runs[0].layers[1].share(), 5.0 / 7);
    EXPECT_DOUBLE_EQ(LayerTime().totalMs(), 0);
    EXPECT_DOUBLE_EQ(LayerTime().share(), 0);
}

TEST(LayerTimes, OfALayerAreTheSumOfItsPhases) {
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    const auto runs = timesOf(maker, layerStudy("cpu/openmp"));
    const LayerTime& conv = *runs.at(0).find("conv1");
    EXPECT_DOUBLE_EQ(conv.totalMs(), 12);
    EXPECT_DOUBLE_EQ(conv[LayerPhase::Forward].share, 0.2);
    EXPECT_DOUBLE_EQ(conv[LayerPhase::Backward].share, 0.4);
    EXPECT_EQ(runs[0].find("none"), nullptr);
    EXPECT_EQ(runs[0].run, 0);
    EXPECT_EQ(runs[0].target, "cpu/openmp");
    EXPECT_EQ(runs[0].point, "");
    const char* const names[] = {"forward", "loss", "backward", "update"};
    for (std::size_t i = 0; i < kLayerPhases; ++i)
        EXPECT_STREQ(layerPhaseName(static_cast<LayerPhase>(i)), names[i]);
}

/// The device's clock may be behind the host's by a little: a launch that ends so soon after its layer is its
/// own.
TEST(LayerTimes, OfADeviceTakeLaunchesThatEndWithTheLayer) {
    GpuTraceMaker maker;
    maker.layer(kTraced, kTraced + 10 * kMs, "conv1", "forward");
    const auto launch = [&](std::int64_t endNs, std::int64_t fromMs) {
        maker.flow(maker.call(kTraced + endNs - 10, kTraced + endNs, "cudaLaunchKernel"),
                   maker.kernel(kTraced + fromMs * kMs, kTraced + (fromMs + 1) * kMs));
    };
    launch(10, 20); // as soon as the layer begins
    launch(10 * kMs + kClockSlackNs, 30);
    launch(10 * kMs + kClockSlackNs + 1, 40);
    launch(-1, 50);                                         // before it
    maker.kernel(kTraced + 200 * kMs, kTraced + 201 * kMs); // outside of the sample
    const auto runs = timesOf(maker, layerStudy("cuda:0/cuda"));
    EXPECT_DOUBLE_EQ(runs.at(0).find("conv1")->totalMs(), 2);
    EXPECT_EQ(runs[0].kernelsOutside, 2u);
}

TEST(LayerTimes, SayWhatTracingCost) {
    RunLayerTimes run;
    EXPECT_EQ(tracingCostText(run), "what tracing cost was not measured");
    run.tracingOverheadPercent = 1.25;
    EXPECT_EQ(tracingCostText(run), "traced samples took 1.2 % more than untraced ones");
    run.tracingOverheadPercent = 0;
    EXPECT_EQ(tracingCostText(run), "traced samples took 0.0 % more than untraced ones");
    run.tracingOverheadPercent = -3;
    EXPECT_EQ(tracingCostText(run), "traced samples took 3.0 % less than untraced ones");
    GpuTraceMaker maker;
    addStep(maker, kTraced, 10);
    Study study = layerStudy("cpu/openmp");
    study.runs[0].metrics["tracing_overhead_percent"] = "unknown";
    study.runs[0].point = {{"/size", 64}, {"/kernel", 3}};
    const auto runs = timesOf(maker, study);
    EXPECT_FALSE(runs.at(0).tracingOverheadPercent);
    EXPECT_EQ(runs[0].point, "size=64, kernel=3");
}

} // namespace
} // namespace heteroscope::profiling
