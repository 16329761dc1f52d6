// SPDX-License-Identifier: Apache-2.0
// The roofline of traces made by hand, whose figures can be worked out on paper, and of the recorded runs.
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/op_repetitions.h"
#include "profiling/stream/kernel_counters.h"
#include "profiling/stream/stream_reader.h"
#include "tests/unit/analysis/gpu_record.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <heteroscope_paths.h>

namespace heteroscope::profiling {
namespace {

using test::gpuRecord;
using test::GpuTraceMaker;
using testing::HasSubstr;

StudySample tracedSample(std::int64_t startNs, std::int64_t lengthNs) {
    StudySample sample;
    sample.traced = true;
    sample.startNs = startNs;
    sample.wallMs = static_cast<double>(lengthNs) * 1e-6;
    return sample;
}

/// A study with one traced sample from 0 to 1 ms for each target, one after the other.
Study studyOf(const std::vector<std::string>& targets, const std::vector<Json>& devices = {gpuRecord()}) {
    Study study;
    study.devices = devices;
    for (const std::string& target : targets) {
        StudyRun run;
        run.run = static_cast<int>(study.runs.size());
        run.target = target;
        run.samples.push_back(tracedSample(1'000'000 * run.run, 1'000'000));
        study.runs.push_back(run);
    }
    return study;
}

GpuTraceMaker::Args opArgs(const std::string& detail, const std::string& bytes, const std::string& flops) {
    return {{"detail", detail}, {"implementation", "own"}, {"minimum bytes", bytes}, {"operations", flops}};
}

/// A repetition of "gemm": its span, a launch inside, and a kernel after it.
void repetition(GpuTraceMaker& maker, std::int64_t start, std::int64_t kernelNs,
                const std::string& shape = "m64") {
    maker.op(start, start + 1000, "gemm", opArgs(shape, "1\u00a0000\u00a0000", "2000000"));
    const SpanRef launch = maker.call(start + 100, start + 600, "cudaLaunchKernel");
    maker.flow(launch,
               maker.kernel(start + 5000, start + 5000 + kernelNs, {{"op", "gemm"}, {"shape", shape}}));
}

Roofline rooflineOf(GpuTraceMaker& maker, const Study& study) {
    const Trace& trace = maker.trace();
    return roofline(trace, study, deviceWork(trace));
}

TEST(Roofline, TimeOnAGpuIsThatOfTheKernelsOfEachRepetition) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    repetition(maker, 100'000, 5000);
    repetition(maker, 200'000, 9000);
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    ASSERT_EQ(found.ops.size(), 1u);
    const RooflineOp& op = found.ops[0];
    EXPECT_EQ(op.op, "gemm");
    EXPECT_EQ(op.detail, "m64");
    EXPECT_EQ(op.implementation, "own");
    EXPECT_TRUE(op.onDevice);
    EXPECT_EQ(op.time.count, 3u);
    EXPECT_DOUBLE_EQ(op.time.minNs, 4000);
    EXPECT_DOUBLE_EQ(op.time.medianNs, 5000);
    EXPECT_DOUBLE_EQ(op.time.q3Ns, 7000);
    EXPECT_DOUBLE_EQ(op.time.maxNs, 9000);
    EXPECT_DOUBLE_EQ(op.intensity(), 2.0);
    EXPECT_DOUBLE_EQ(op.bytesPerS(op.time.medianNs), 2e11);
    EXPECT_DOUBLE_EQ(op.flopsPerS(op.time.medianNs), 4e11);
    EXPECT_EQ(op.bound, RoofKind::Memory); // 2 operations a byte, the ridge is at 13.6
    EXPECT_DOUBLE_EQ(op.share, 2e11 / (2.0 * 3201e6 * 768));
    EXPECT_EQ(op.first.range.startNs, 5000);
    EXPECT_EQ(op.first.range.endNs, 9000);
    EXPECT_TRUE(found.notes.empty());
}

TEST(Roofline, KernelsOfARepetitionThatOverlapCountOnce) {
    GpuTraceMaker maker;
    maker.op(0, 1000, "gemm", opArgs("m64", "1000", "2000"));
    const GpuTraceMaker::Args args{{"op", "gemm"}, {"shape", "m64"}};
    maker.flow(maker.call(100, 200, "cudaLaunchKernel"), maker.kernel(2000, 3000, args));
    maker.flow(maker.call(300, 400, "cudaLaunchKernel"), maker.kernel(2500, 3500, args));
    maker.flow(maker.call(500, 600, "cudaLaunchKernel"), maker.kernel(9000, 9100, args));
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_DOUBLE_EQ(found.ops[0].time.medianNs, 1600);
    EXPECT_EQ(found.ops[0].first.range.endNs, 9100);
}

TEST(Roofline, ManyOperationsAByteAreBoundByFp32) {
    GpuTraceMaker maker;
    maker.op(0, 1000, "gemm", opArgs("m4096", "1000", "1000000"));
    maker.flow(maker.call(100, 200, "cudaLaunchKernel"),
               maker.kernel(2000, 3000, {{"op", "gemm"}, {"shape", "m4096"}}));
    const Roofline own = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    ASSERT_EQ(own.ops.size(), 1u);
    EXPECT_EQ(own.ops[0].bound, RoofKind::Fp32);
    EXPECT_DOUBLE_EQ(own.ops[0].share, 1e12 / (2.0 * 132 * 128 * 1980e6));
    const Roofline tensor = rooflineOf(maker, studyOf({"cuda:0/cublas?tf32=on"}));
    EXPECT_EQ(tensor.ops.at(0).bound, RoofKind::None);
    EXPECT_THAT(tensor.ops.at(0).whyNoRoof.text(), HasSubstr("TF32"));
}

TEST(Roofline, OpsOfAProcessorTakeTheirSpansAndHaveNoRoof) {
    GpuTraceMaker maker;
    maker.op(0, 2000, "maxpool.forward", opArgs("n1", "1.5 KiB", "100"));
    maker.op(5000, 9000, "maxpool.forward", opArgs("n1", "1.5 KiB", "100"));
    const Roofline found = rooflineOf(maker, studyOf({"cpu/openmp"}));
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_FALSE(found.ops[0].onDevice);
    EXPECT_DOUBLE_EQ(found.ops[0].bytes, 1536);
    EXPECT_DOUBLE_EQ(found.ops[0].time.medianNs, 3000);
    EXPECT_EQ(found.ops[0].bound, RoofKind::None);
    EXPECT_FALSE(found.ops[0].whyNoRoof.empty());
    ASSERT_EQ(found.devices.size(), 1u);
    EXPECT_EQ(found.devices[0].device, "cpu");
}

TEST(Roofline, OpsAreApartByShapeAndTarget) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    repetition(maker, 100'000, 5000, "m128");
    repetition(maker, 1'000'000, 6000);
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda", "cuda:0/cuda?kernel=tiled"}));
    ASSERT_EQ(found.ops.size(), 3u);
    EXPECT_EQ(found.ops[2].target, "cuda:0/cuda?kernel=tiled");
    EXPECT_EQ(found.ops[2].runs, std::vector<int>{1});
}

TEST(Roofline, WhatLiesOutsideOfTracedSamplesDoesNotCount) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    repetition(maker, 5'000'000, 5000);
    Study study = studyOf({"cuda:0/cuda"});
    study.runs[0].samples.push_back(tracedSample(5'000'000, 1'000'000));
    study.runs[0].samples.back().warmup = true;
    const Roofline found = rooflineOf(maker, study);
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_EQ(found.ops[0].time.count, 1u);
    EXPECT_TRUE(found.notes.empty());
}

TEST(Roofline, KernelsWithoutARepetitionAreCountedInANote) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    const GpuTraceMaker::Args args{{"op", "gemm"}, {"shape", "m64"}};
    maker.flow(maker.call(20'000, 20'100, "cudaLaunchKernel"), maker.kernel(30'000, 31'000, args));
    maker.kernel(40'000, 41'000, args); // its call is not known
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_THAT(found.notes[0].text(), HasSubstr("2 kernels"));
    EXPECT_EQ(found.ops.at(0).time.count, 1u);
}

TEST(Roofline, WithoutKernelsAnOpOfAGpuHasNoTime) {
    GpuTraceMaker maker;
    maker.op(0, 1000, "gemm", opArgs("m64", "1000", "2000"));
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    EXPECT_TRUE(found.ops.empty());
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_THAT(found.notes[0].text(), HasSubstr("1 repetitions of gemm m64"));
}

TEST(Roofline, CountersOfTheSameOpStandBesideWhatItDeclares) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    Study study = studyOf({"cuda:0/cuda"});
    const KernelCounters first{"gemm", 3000, 0.5, 1500, 500, 4000}, second{"add", 1000, 0.1, 0, 0, 1000};
    study.runs[0].metrics[kKernelCountersMetric] =
        Json::array({toJson(OpCounters{"gemm", "m99", "own", {first}}),
                     toJson(OpCounters{"gemm", "m64", "own", {first, second}})});
    const Roofline found = rooflineOf(maker, study);
    const auto& measured = found.ops.at(0).measured;
    ASSERT_TRUE(measured);
    EXPECT_DOUBLE_EQ(measured->dramBytes, 2000);
    EXPECT_DOUBLE_EQ(measured->flops, 5000);
    EXPECT_DOUBLE_EQ(measured->timeNs, 4000);
    EXPECT_DOUBLE_EQ(measured->occupancy, 0.4); // by time: 3/4 of 0.5 and 1/4 of 0.1
    EXPECT_DOUBLE_EQ(*found.ops[0].measuredIntensity(), 2.5);
    EXPECT_EQ(rooflineJson(found).at("ops").at(0).at("measured").at("dram_bytes"), 2000);
    study.runs[0].metrics.clear();
    EXPECT_FALSE(rooflineOf(maker, study).ops.at(0).measured);
}

TEST(Roofline, NumbersOfArgsAreReadInBothSpellings) {
    EXPECT_DOUBLE_EQ(numberOf("12\u00a0582\u00a0912"), 12582912);
    EXPECT_DOUBLE_EQ(numberOf("64.0 MiB"), 67108864);
    EXPECT_DOUBLE_EQ(numberOf("17 B"), 17);
    for (const char* wrong : {"", "unknown", "1.5.2 MiB", "12 parsecs"})
        EXPECT_DOUBLE_EQ(numberOf(wrong), 0) << wrong;
}

TEST(Roofline, JsonSaysWhyARoofIsMissing) {
    GpuTraceMaker maker;
    maker.op(0, 2000, "maxpool.forward", opArgs("n1", "1000", "100"));
    const Json json = rooflineJson(rooflineOf(maker, studyOf({"cpu/openmp"})));
    EXPECT_TRUE(json.at("devices").at(0).at("memory_bytes_s").is_null());
    const Json& op = json.at("ops").at(0);
    EXPECT_EQ(op.at("bound"), "none");
    EXPECT_TRUE(op.at("share").is_null());
    EXPECT_FALSE(op.at("why_no_roof").get<std::string>().empty());
    EXPECT_DOUBLE_EQ(op.at("time_ns").at("median").get<double>(), 2000);
    EXPECT_DOUBLE_EQ(op.at("bytes_s").get<double>(), 5e8);
}

Roofline recorded(const std::string& name) {
    const auto file = readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/" + name);
    EXPECT_TRUE(file);
    return roofline(*file->trace, file->study, deviceWork(*file->trace));
}

TEST(RecordedRoofline, TheFastKernelsOfTheLadderAreNearTheFp32Roof) {
    const Roofline found = recorded("matmul_ladder_h100.hscope");
    double best = 0;
    for (const RooflineOp& op : found.ops) {
        EXPECT_GT(op.time.count, 0u);
        EXPECT_TRUE(op.bound != RoofKind::Fp32 || op.share < 1.0) << op.target << " " << op.detail;
        best = std::max(best, op.bound == RoofKind::Fp32 ? op.share : 0.0);
    }
    EXPECT_GT(best, 0.5);
}

TEST(RecordedRoofline, PoolingIsBoundByMemory) {
    const Roofline found = recorded("pooling_sweep_h100.hscope");
    bool any = false;
    for (const RooflineOp& op : found.ops) {
        const bool gpu = op.target.starts_with("cuda:");
        EXPECT_TRUE(!gpu || op.bound == RoofKind::Memory) << op.detail;
        any = any || gpu;
    }
    EXPECT_TRUE(any);
}

TEST(Roofline, KernelsOfNoOpAreNoneThatIsMissing) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    maker.flow(maker.call(300, 400, "cudaLaunchKernel"), maker.kernel(20'000, 21'000));
    const Roofline found = rooflineOf(maker, studyOf({"cuda:0/cuda"}));
    EXPECT_TRUE(found.notes.empty());
    EXPECT_DOUBLE_EQ(found.ops.at(0).time.medianNs, 4000);
}

TEST(Roofline, SpreadIsOfTheTimesWhateverTheirOrder) {
    GpuTraceMaker maker;
    const std::int64_t times[] = {9000, 1000, 5000, 3000, 7000};
    for (int i = 0; i < 5; ++i)
        repetition(maker, i * 20'000, times[i]);
    const TimeSpread time = rooflineOf(maker, studyOf({"cuda:0/cuda"})).ops.at(0).time;
    EXPECT_EQ(time.count, 5u);
    EXPECT_DOUBLE_EQ(time.minNs, 1000);
    EXPECT_DOUBLE_EQ(time.q1Ns, 3000);
    EXPECT_DOUBLE_EQ(time.medianNs, 5000);
    EXPECT_DOUBLE_EQ(time.q3Ns, 7000);
    EXPECT_DOUBLE_EQ(time.maxNs, 9000);
}

TEST(Roofline, RatesAreNothingWithoutBytesOrTime) {
    RooflineOp op;
    op.flops = 6;
    EXPECT_EQ(op.intensity(), 0);
    op.bytes = 1;
    EXPECT_EQ(op.intensity(), 6);
    op.bytes = 0.5;
    EXPECT_EQ(op.intensity(), 12);
    EXPECT_EQ(op.flopsPerS(0), 0);
    EXPECT_EQ(op.flopsPerS(1), 6e9);
    EXPECT_EQ(op.flopsPerS(0.5), 12e9);
    EXPECT_EQ(op.bytesPerS(0), 0);
    EXPECT_EQ(op.bytesPerS(1), 0.5e9);
    EXPECT_EQ(op.bytesPerS(0.5), 1e9);
    EXPECT_FALSE(op.measuredIntensity());
    op.measured.emplace();
    op.measured->flops = 8;
    EXPECT_FALSE(op.measuredIntensity());
    op.measured->dramBytes = 0.5;
    EXPECT_EQ(op.measuredIntensity(), 16);
    EXPECT_STREQ(roofName(RoofKind::Memory), "memory");
    EXPECT_STREQ(roofName(RoofKind::Fp32), "fp32");
    EXPECT_STREQ(roofName(RoofKind::None), "none");
}

/// Roofs of 100 bytes and 1000 operations a second meet at 10 operations a byte.
TEST(Roofline, AnOpLiesUnderTheLowerRoof) {
    DeviceRoofs roofs;
    roofs.memory = Roof{100, "memory"};
    roofs.fp32 = Roof{1000, "fp32"};
    EXPECT_EQ(roofs.ridge(), 10);
    RooflineOp op;
    op.bytes = 10;
    op.time.medianNs = 1e9;
    op.flops = 99;
    op.whyNoRoof = std::string("not asked yet");
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.bound, RoofKind::Memory);
    EXPECT_DOUBLE_EQ(op.share, 0.1);
    EXPECT_EQ(op.whyNoRoof, "");
    op.flops = 100; // at the ridge
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.bound, RoofKind::Fp32);
    EXPECT_DOUBLE_EQ(op.share, 0.1);
    op.target = "cuda:0/cublas?tf32=on";
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.bound, RoofKind::None);
    EXPECT_EQ(op.share, 0);
    EXPECT_EQ(op.whyNoRoof,
              "TF32 goes beyond the fp32 roof, and the rate of the tensor cores is not recorded");
    op.flops = 99;
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.bound, RoofKind::Memory) << "memory is as fast for tensor cores";
    roofs.whyNoMemory = std::string("no memory");
    roofs.whyNoFp32 = std::string("no fp32");
    roofs.fp32.reset();
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.bound, RoofKind::None);
    EXPECT_EQ(op.whyNoRoof, "no fp32");
    EXPECT_FALSE(roofs.ridge());
    roofs.memory.reset();
    placeUnderRoofs(op, roofs);
    EXPECT_EQ(op.whyNoRoof, "no memory");
}

TEST(Roofline, CountersAreThoseOfTheFirstRunThatHasThem) {
    GpuTraceMaker maker;
    repetition(maker, 0, 4000);
    repetition(maker, 1'000'000, 4000);
    Study study = studyOf({"cuda:0/cuda", "cuda:0/cuda"});
    const auto counters = [](const char* op, const char* detail, const char* implementation, double bytes) {
        return toJson(OpCounters{op, detail, implementation, {{"kernel", 0, 0.5, bytes, 0, 4000}}});
    };
    study.runs[0].metrics[kKernelCountersMetric] =
        Json::array({counters("add", "m64", "own", 1), counters("gemm", "m65", "own", 2),
                     counters("gemm", "m64", "other", 3), toJson(OpCounters{"gemm", "m64", "own", {}})});
    study.runs[1].metrics[kKernelCountersMetric] = Json::array({counters("gemm", "m64", "own", 4)});
    const Roofline found = rooflineOf(maker, study);
    ASSERT_EQ(found.ops.size(), 1u);
    EXPECT_EQ(found.ops[0].runs, (std::vector<int>{0, 1}));
    ASSERT_TRUE(found.ops[0].measured);
    EXPECT_EQ(found.ops[0].measured->dramBytes, 4);
    EXPECT_EQ(found.ops[0].measured->occupancy, 0) << "of no time there is no mean";
}

TEST(Roofline, RepetitionsOfTheSameStartKeepTheirRow) {
    Trace trace;
    for (int row = 0; row < 2; ++row) {
        const TrackId track = trace.addTrack({0, kNoTrack, TrackKind::Thread, trace.intern("thread"), 0, 0});
        trace.append({track, 100, 50, trace.intern("gemm"), trace.intern("op"), 0, -1});
        trace.append({track, row == 0 ? 300 : 200, 10, trace.intern("gemm"), trace.intern("op"), 0, -1});
        trace.append({track, 400, 10, trace.intern("gemm"), trace.intern("layer forward"), 0, -1});
    }
    trace.publish();
    const auto found = opRepetitions(trace, studyOf({"cpu/openmp"}), deviceWork(trace), kAllTime).repetitions;
    std::vector<std::pair<std::int64_t, TrackId>> places;
    for (const OpRepetition& repetition : found)
        places.emplace_back(repetition.time.startNs, repetition.track);
    EXPECT_THAT(places, testing::ElementsAre(std::pair(100, 0u), std::pair(100, 1u), std::pair(200, 1u),
                                             std::pair(300, 0u)));
}

} // namespace
} // namespace heteroscope::profiling
