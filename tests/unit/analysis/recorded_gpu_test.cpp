// SPDX-License-Identifier: Apache-2.0
// The analysis of the recorded GPU runs in resources/recorded, against what the runs and the store say.
#include "profiling/analysis/advice.h"
#include "profiling/analysis/layer_times.h"
#include "profiling/analysis/roofline.h"
#include "profiling/stream/stream_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <heteroscope_paths.h>
#include <map>
#include <numeric>
#include <set>
#include <system_error>

namespace heteroscope::profiling {
namespace {

/// Without counters; and networks do not count their copies themselves.
constexpr const char* kNetworks = "models_h100.hscope";

std::vector<std::string> recordings() {
    std::vector<std::string> files;
    std::error_code none; // without the folder there is no case, and the test fails for that
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/recorded", none))
        if (entry.path().extension() == ".hscope" && entry.path().filename() != kNetworks)
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

class RecordedGpu : public testing::TestWithParam<std::string> {};

/// Kernels' time of a range by the store itself: the longest row and the sum of all rows bound their union.
NsRange kernelBounds(const Trace& trace, const NsRange& range) {
    NsRange bounds;
    for (TrackId id = 0; id < trace.trackCount(); ++id) {
        if (trace.track(id).kind != TrackKind::Stream)
            continue;
        const std::int64_t busy = trace.busyNs(id, range.startNs, range.endNs);
        bounds.startNs = std::max(bounds.startNs, busy);
        bounds.endNs += busy;
    }
    return bounds;
}

TEST_P(RecordedGpu, PartsAddUpToTheWallTimeThatTheRunMeasured) {
    const auto file = readRunFile(GetParam());
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    ASSERT_FALSE(report.times.empty());
    for (const RunDeviceTime& run : report.times)
        for (const SampleTime& sample : run.samples) {
            const auto& parts = sample.split.partNs;
            const auto sum =
                static_cast<double>(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}));
            const double measured = sample.sample->wallMs * 1e6 * sample.sample->repetitions;
            EXPECT_NEAR(sum, measured, 0.01 * measured);
            EXPECT_GE(*std::min_element(parts.begin(), parts.end()), 0);
            const NsRange bounds = kernelBounds(*file->trace, sample.range);
            EXPECT_GE(sample.split[TimePart::Execute], bounds.startNs);
            EXPECT_LE(sample.split[TimePart::Execute], bounds.endNs);
        }
}

TEST_P(RecordedGpu, CopiesAreThoseThatTheRunCounted) {
    const auto file = readRunFile(GetParam());
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    for (std::size_t i = 0; i < report.times.size(); ++i) {
        std::int64_t count = 0, bytes = 0, recordedCount = 0, recordedBytes = 0;
        for (const SampleTime& sample : report.times[i].samples) {
            count += sample.sample->h2d.count * sample.sample->repetitions;
            bytes += sample.sample->h2d.bytes * sample.sample->repetitions;
        }
        for (const TransferGroup& group : report.figures[i].transfers.groups)
            if (group.route == CopyRoute::HostToDevice) {
                recordedCount += group.count;
                recordedBytes += group.bytes;
            }
        EXPECT_EQ(recordedCount, count) << report.figures[i].name.text();
        EXPECT_EQ(recordedBytes, bytes) << report.figures[i].name.text();
    }
}

TEST_P(RecordedGpu, AdviceNamesPlacesInTheRecording) {
    const auto file = readRunFile(GetParam());
    ASSERT_TRUE(file);
    const Trace& trace = *file->trace;
    for (const Advice& advice : deviceReport(trace, file->study).advice) {
        if (advice.run < 0)
            continue;
        EXPECT_LT(advice.place.track, trace.trackCount()) << advice.rule;
        EXPECT_GE(advice.place.range.startNs, trace.startNs()) << advice.rule;
        EXPECT_LE(advice.place.range.endNs, trace.endNs()) << advice.rule;
        EXPECT_GT(advice.place.range.lengthNs(), 0) << advice.rule;
    }
}

TEST_P(RecordedGpu, IsSmallEnoughToShip) {
    EXPECT_LT(std::filesystem::file_size(GetParam()), std::uintmax_t{2'000'000});
}

TEST_P(RecordedGpu, EveryCopySaysWhatItWasFor) {
    const auto file = readRunFile(GetParam());
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    ASSERT_FALSE(report.transfers.phases.empty());
    for (const OpTransfers& one : report.transfers.phases) {
        EXPECT_FALSE(one.op.empty()) << one.count;
        EXPECT_FALSE(one.phase.empty()) << one.op;
    }
    for (const CopyRoute route : {CopyRoute::HostToDevice, CopyRoute::DeviceToHost})
        EXPECT_TRUE(report.transfers.peaks[static_cast<std::size_t>(route)]) << copyRouteName(route);
}

TEST_P(RecordedGpu, HasCountersOfItsOps) {
    const auto file = readRunFile(GetParam());
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    for (const RooflineOp& op : roofline(*file->trace, file->study, report.work).ops) {
        if (!op.onDevice)
            continue;
        ASSERT_TRUE(op.measured) << op.target << " " << op.op << " " << op.detail;
        EXPECT_GT(op.measured->occupancy, 0);
        EXPECT_LE(op.measured->occupancy, 1);
        EXPECT_GT(op.measured->timeNs, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, RecordedGpu, testing::ValuesIn(recordings()),
                         [](const auto& one) { return std::filesystem::path(one.param).stem().string(); });

TEST(RecordedNetworks, TellEachLayersTimeOnOwnKernelsAndCudnnWithItsInterval) {
    const std::string path = std::string(HETEROSCOPE_SOURCE_DIR "/resources/recorded/") + kNetworks;
    EXPECT_LT(std::filesystem::file_size(path), std::uintmax_t{4'000'000});
    const auto file = readRunFile(path);
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    std::set<std::string> targets, points;
    for (const RunLayerTimes& run : layerTimes(*file->trace, file->study, report.work)) {
        targets.insert(run.target);
        points.insert(run.point);
        if (!run.device)
            continue;
        EXPECT_EQ(run.reason, "");
        for (const char* name : {"conv1", "conv2", "pool1"}) {
            if (std::string(name) == "pool1" && run.target == "cuda:0/cuda")
                continue; // own kernels take the maxima with the product, and their gradient likewise
            const LayerTime* layer = run.find(name);
            ASSERT_NE(layer, nullptr) << run.target << " " << run.point << " " << name;
            for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward}) {
                SCOPED_TRACE(run.target + " " + run.point + " " + name + " " + layerPhaseName(phase));
                const LayerPhaseTime& time = (*layer)[phase];
                EXPECT_GE(time.passes, 5u);
                EXPECT_GT(time.ms.median, 0);
                ASSERT_TRUE(time.ms.hasInterval);
                EXPECT_LE(time.ms.ci95.low, time.ms.median);
                EXPECT_GE(time.ms.ci95.high, time.ms.median);
            }
        }
    }
    EXPECT_EQ(points, (std::set<std::string>{"network=Model 0", "network=Model 1", "network=Model 2"}));
    EXPECT_EQ(targets.size(), 4u);
}

TEST(RecordedWindowStrategy, TheCopiesOfAWindowAreToldApart) {
    const auto file = readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope");
    ASSERT_TRUE(file);
    const DeviceReport report = deviceReport(*file->trace, file->study);
    std::map<std::string, std::int64_t> counts;
    for (const OpTransfers& one : report.figures.at(0).transfers.phases)
        counts[one.phase] += one.count;
    EXPECT_GT(counts["copy in"], 0);
    EXPECT_EQ(counts["copy in"], counts["filter"]);
    EXPECT_EQ(counts["copy in"], counts["copy out"]);
    EXPECT_EQ(counts.size(), 3u);
}

TEST(RecordedWindowStrategy, CopyingEachWindowCostsMostOfTheWindowStrategy) {
    const auto file = readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope");
    ASSERT_TRUE(file);
    const auto advice = deviceReport(*file->trace, file->study).advice;
    EXPECT_TRUE(std::any_of(advice.begin(), advice.end(),
                            [](const Advice& one) { return one.rule == "transfers-dominate"; }));
}

} // namespace
} // namespace heteroscope::profiling
