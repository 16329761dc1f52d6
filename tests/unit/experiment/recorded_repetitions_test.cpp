// SPDX-License-Identifier: Apache-2.0
// Targets with graph=on: repetitions of single operations are launched many at a time, and give what they
// give alone.
#include "compute/base/statistics.h"
#include "compute/experiment/runner.h"
#include "tests/unit/experiment/fake_device.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

struct RecordedRun {
    RecordingObserver observer;
    Outputs outputs;
};

constexpr const char* kPooling = R"({"heteroscope": 1, "kind": "pooling",
    "pooling": {"backward": true, "kernel": 3, "stride": 2, "padding": 1, "input": {"size": 31}},
    "targets": ["cpu/sequential", "cuda:0/one"], "sampling": {"samples": 2}})";
constexpr const char* kMatmul = R"({"heteroscope": 1, "kind": "matmul", "matmul": {"m": 7, "n": 9, "k": 5},
    "targets": ["cpu/sequential", "cuda:0/one"], "sampling": {"samples": 2}})";

void run(ExperimentSpec spec, FakeDevice& device, RecordedRun& recorded) {
    BackendRegistry registry = registryForFakes();
    addFake(registry, device, {"one"});
    ASSERT_TRUE(runStudy(spec, registry, keepingOutputs(recorded.outputs), recorded.observer));
}

FakeDevice fakeDevice(bool records) {
    FakeDevice device;
    device.id = "cuda:0", device.freeBytes = 1 << 30, device.recordsRepetitions = records;
    return device;
}

} // namespace

TEST(RecordedRepetitions, GiveWhatTheyGiveAloneAndBothTimes) {
    for (const char* text : {kPooling, kMatmul}) {
        SCOPED_TRACE(text);
        FakeDevice device = fakeDevice(true);
        RecordedRun recorded;
        run(specOf(text), device, recorded);
        const RunOutcome& outcome = recorded.observer.outcome(1);
        ASSERT_EQ(outcome.status, RunStatus::Ok) << outcome.reason;
        EXPECT_EQ(outcome.maxAbsError, 0.0);
        EXPECT_TRUE(outcome.implementation.ends_with(", repetitions:graph")) << outcome.implementation;
        const double launched = outcome.metrics["launched_ms"].get<double>();
        EXPECT_GT(launched, 0.0);
        std::vector<double> traced;
        for (const SampleRecord& sample : recorded.observer.samples)
            if (sample.run == 1 && sample.traced)
                traced.push_back(sample.wallMs);
        std::sort(traced.begin(), traced.end());
        ASSERT_FALSE(traced.empty());
        EXPECT_NEAR(outcome.metrics["tracing_overhead_percent"].get<double>(),
                    (quantileSorted(traced, 0.5) / launched - 1) * 100, 1e-9);
        for (const auto& [key, values] : recorded.outputs)
            EXPECT_EQ(values, (recorded.outputs[{0, key.second}]));
        // 64, 8 and 1 repetitions of all operations, and where there are two, of each
        EXPECT_EQ(device.recorded, 73 * (text == kPooling ? 4 : 1));
        std::int64_t launches = 1; // the first use
        for (const SampleRecord& sample : recorded.observer.samples)
            if (sample.run == 1 && !sample.traced)
                launches += sample.repetitions / 64 + sample.repetitions % 64 / 8 + sample.repetitions % 8;
        EXPECT_GT(launches, 3);
        EXPECT_GE(device.launches, launches); // what finds the number of repetitions is no sample
    }
}

TEST(RecordedRepetitions, OnlyWhereTheyAreAskedFor) {
    FakeDevice device = fakeDevice(false);
    RecordedRun recorded;
    run(specOf(kPooling), device, recorded);
    EXPECT_EQ(device.recorded, 0);
    EXPECT_FALSE(recorded.observer.outcome(1).metrics.contains("launched_ms"));
    EXPECT_EQ(recorded.observer.outcome(1).implementation.find("graph"), std::string::npos);
}

TEST(RecordedRepetitions, OfTheWindowStrategyAreRefused) {
    FakeDevice device = fakeDevice(true);
    ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "pooling",
        "pooling": {"strategy": "window", "input": {"size": 8}}, "targets": ["cuda:0/one", "cpu/sequential"],
        "sampling": {"samples": 1}})");
    RecordedRun recorded;
    run(std::move(spec), device, recorded);
    EXPECT_EQ(recorded.observer.outcome(0).status, RunStatus::Skipped);
    EXPECT_NE(recorded.observer.outcome(0).reason.find("leave graph=on out"), std::string::npos)
        << recorded.observer.outcome(0).reason;
}

} // namespace heteroscope::compute
