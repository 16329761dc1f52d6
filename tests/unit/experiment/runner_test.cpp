// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/builtin.h"
#include "compute/base/stop_rule.h"
#include "compute/core/cpu.h"
#include "compute/experiment/runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace heteroscope::compute {
namespace {

constexpr const char* kByHand = R"({"heteroscope": 1, "kind": "pooling",
    "pooling": {"input": {"source": "manual", "values": [[9, 5, 2, 7], [3, 1, 3, 4], [2, 6, 5, 9], [8, 3, 7, 4]]}},
    "targets": ["cpu/sequential", "cpu/openmp"], "sampling": {"preset": "quick", "samples": 2}})";

constexpr const char* kSweep = R"({"heteroscope": 1, "kind": "pooling",
    "pooling": {"input": {"size": 64}}, "targets": ["cpu/openmp", "cpu/sequential"],
    "axes": {"/pooling/input/size": [8, 33]}, "sampling": {"preset": "quick"}})";

} // namespace

TEST(Runner, FourByFourPoolsAsInTheStudy) {
    for (const char* strategy : {"image", "window"}) {
        ExperimentSpec spec = specOf(kByHand);
        spec.document["pooling"]["strategy"] = strategy;
        RecordingObserver observer;
        Outputs outputs;
        ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), keepingOutputs(outputs), observer));
        ASSERT_EQ(outputs.size(), 2u);
        for (const auto& [key, values] : outputs)
            EXPECT_EQ(values, (std::vector<float>{9, 7, 8, 9})) << strategy << " run " << key.first;
    }
}

/// A large input takes seconds to draw, before any operand is allocated.
TEST(Runner, TellsOfEachPointsInputsBeforeAllElse) {
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(kSweep), makeBuiltinRegistry(), {}, observer));
    std::vector<int> runs;
    for (std::size_t i = 0; i < observer.activities.size(); ++i)
        if (observer.activities[i].step == "inputs") {
            runs.push_back(observer.activities[i].run);
            ASSERT_LT(i + 1, observer.activities.size());
            EXPECT_EQ(observer.activities[i + 1].step, "operands");
        }
    EXPECT_EQ(runs, (std::vector<int>{0, 2}));
}

TEST(Runner, ReportsTheWholeStudyInOrder) {
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(kSweep), makeBuiltinRegistry(), {}, observer));
    ASSERT_EQ(observer.runs.size(), 4u);
    EXPECT_EQ(observer.runs[2].point.dump(), R"({"/pooling/input/size":33})");
    EXPECT_EQ(observer.runs[3].target, "cpu/sequential");
    EXPECT_GT(observer.runs[3].estimatedBytes, 4 * 33 * 33);
    EXPECT_EQ(observer.begun, (std::vector<int>{0, 1, 2, 3}));
    ASSERT_EQ(observer.outcomes.size(), 4u);
    EXPECT_EQ(observer.ended, 1);
    EXPECT_EQ(observer.fractions.front(), 0.0);
    EXPECT_EQ(observer.fractions.back(), 1.0);
    EXPECT_GT(observer.ops, 0);
    EXPECT_EQ(observer.experiment["kind"], "pooling");
    for (int run = 0; run < 4; ++run) {
        const RunOutcome& outcome = observer.outcome(run);
        EXPECT_EQ(outcome.status, RunStatus::Ok) << outcome.reason;
        EXPECT_EQ(observer.count(run, false, false), 5);
        EXPECT_GE(observer.count(run, true, false), 1);
        EXPECT_GE(observer.count(run, false, true), 1);
        EXPECT_EQ(stopPhrase(outcome.stoppedBy), "5 samples");
        EXPECT_FALSE(outcome.implementation.empty());
        EXPECT_GT(outcome.firstUseMs, 0.0);
        EXPECT_EQ(outcome.maxAbsError, 0.0);
        EXPECT_TRUE(outcome.metrics.contains("tracing_overhead_percent"));
        EXPECT_GT(outcome.metrics["bandwidth_gb_s"].get<double>(), 0.0);
    }
    EXPECT_EQ(observer.outcome(0).outputDigest, observer.outcome(1).outputDigest);
    EXPECT_NE(observer.outcome(0).outputDigest, observer.outcome(2).outputDigest);
}

TEST(Runner, TellsWhatItIsAboutToDoAndNeverWhileItTakesATime) {
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(kSweep), makeBuiltinRegistry(), {}, observer));
    EXPECT_EQ(observer.toldWhileTimed, 0);
    for (const RunDefinition& run : observer.runs) {
        std::set<std::string> steps;
        for (const RunActivity& doing : observer.activities) {
            if (doing.run != run.run)
                continue;
            steps.insert(doing.step);
            EXPECT_EQ(doing.target, run.target);
            if (doing.step == "planning")
                continue; // where the forecast is made
            EXPECT_GT(doing.forecastBytes, 0);
            EXPECT_GT(doing.freeBytes, 0);
        }
        for (const char* step : {"planning", "operands", "maxpool.forward", "check against cpu/sequential",
                                 "maxpool.forward, warm-up", "maxpool.forward, timed samples",
                                 "maxpool.forward, traced samples"})
            EXPECT_TRUE(steps.contains(step)) << "run " << run.run << ": " << step;
    }
}

TEST(Runner, FlushesTheCachesBeforeEachSampleOfOneRepetition) {
    ExperimentSpec spec = specOf(kSweep);
    spec.sampling.cache = CacheState::Flush;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), {}, observer));
    int timed = 0;
    for (const SampleRecord& sample : observer.samples)
        if (!sample.warmup) {
            EXPECT_EQ(sample.repetitions, 1);
            timed += sample.traced ? 0 : 1;
        }
    EXPECT_EQ(timed, 20);
    for (const RunOutcome& outcome : observer.outcomes) {
        EXPECT_EQ(outcome.status, RunStatus::Ok) << outcome.reason;
        EXPECT_GE(outcome.metrics.at("cache_flush_bytes").get<std::int64_t>(), 2 * lastLevelCacheBytes());
    }
}

TEST(Runner, WarmsUpUntilTimesAndTheClockOfTheGpuAreStable) {
    RunOptions options;
    int reads = 0; // a clock that rises for a while
    options.readClocks = [&](const std::string& target) {
        EXPECT_EQ(target, "cpu/sequential");
        ++reads;
        return DeviceClocks{reads < 8 ? 345.0 + 100 * reads : 1980.0, {}, {}, false};
    };
    ExperimentSpec spec =
        specOf(R"({"heteroscope": 1, "kind": "matmul", "matmul": {"m": 256, "n": 256, "k": 256},
        "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "warmup_limit_s": 600}})");
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), options, observer));
    std::vector<SampleRecord> warmUps;
    for (const SampleRecord& sample : observer.samples) {
        EXPECT_TRUE(sample.clocks) << "each sample has the clock after it";
        if (sample.warmup)
            warmUps.push_back(sample);
    }
    ASSERT_GE(warmUps.size(), 10U) << "the last three at 1980 MHz";
    for (std::size_t i = 0; i + 1 < warmUps.size(); ++i)
        EXPECT_FALSE(warmUps[i].warmupStable);
    EXPECT_EQ(warmUps.back().warmupStable, std::optional(true));
}

TEST(Runner, SaysThatAWarmUpHadNotBecomeStable) {
    RunOptions options;
    double mhz = 345;
    options.readClocks = [&](const std::string&) { return DeviceClocks{mhz *= 1.1, {}, {}, false}; };
    ExperimentSpec spec = specOf(kSweep);
    spec.sampling.warmupLimitS = 0.1;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), options, observer));
    int ends = 0;
    for (const SampleRecord& sample : observer.samples)
        if (sample.warmupStable) {
            EXPECT_FALSE(*sample.warmupStable);
            ++ends;
        }
    EXPECT_EQ(ends, 4) << "one a run";
}

/// A network that infers many examples in batches, the last of which is smaller.
constexpr const char* kDatasetInference =
    R"({"heteroscope": 1, "kind": "network", "name": "n", "task": "infer",
    "network": {"input": {"shape": [1, 8, 8], "batch": 7}, "layers": [
        {"type": "conv2d", "filters": 2, "kernel": 3}, {"type": "relu"},
        {"type": "flatten"}, {"type": "dense", "units": 10}]},
    "data": {"source": "shapes", "count": 4, "test_count": 300}, "targets": ["cpu/openmp?threads=1"],
    "sampling": {"preset": "quick", "samples": 1}})";

TEST(Runner, TellsTheStepsOfAFirstUseOnceHoweverManyBatchesItHas) {
    RecordingObserver observer;
    const Status status = runStudy(specOf(kDatasetInference), makeBuiltinRegistry(), {}, observer);
    ASSERT_TRUE(status) << status.error().sentence();
    ASSERT_EQ(observer.outcome(0).status, RunStatus::Ok) << observer.outcome(0).reason;
    int dense = 0, first = 0;
    for (const RunActivity& doing : observer.activities) {
        dense += doing.step.find("dense.forward") != std::string::npos ? 1 : 0;
        first += doing.step.find(", first use") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(dense, 2) << "when it is prepared, and when it is computed first";
    EXPECT_EQ(first, 1);
    EXPECT_LT(observer.activities.size(), 30U);
}

/// The two do not fit together: the reference is that of the run of cpu/sequential all the same.
TEST(Runner, TheRunThatGivesTheReferenceComesFirst) {
    ExperimentSpec spec = specOf(kSweep);
    spec.document["targets"] = {"cpu/openmp?threads=1", "cpu/sequential"};
    spec.document["axes"] = Json::object();
    spec.document["pooling"]["input"]["size"] = 512;
    const auto estimate = estimatePoint(specOf(spec.document.dump().c_str()));
    ASSERT_TRUE(estimate);
    RunOptions options;
    options.memoryLimitBytes = estimate->hostBytes + estimate->deviceBytes + estimate->deviceBytes / 2;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(spec.document.dump().c_str()), makeBuiltinRegistry(), options, observer));
    for (const RunDefinition& run : observer.runs) {
        EXPECT_EQ(observer.outcome(run.run).status, RunStatus::Ok) << observer.outcome(run.run).reason;
        EXPECT_EQ(observer.outcome(run.run).maxAbsError, 0.0);
    }
    EXPECT_EQ(observer.begun, (std::vector<int>{0, 1}));
    ASSERT_EQ(observer.outcomes.size(), 2U);
    EXPECT_EQ(observer.outcomes.front().run, 1) << "cpu/sequential, in a group of its own";
}

/// A network's reference needs as much memory as the network.
TEST(Runner, AReferenceThatDoesNotFitBesideTheRunIsNotComputed) {
    Json document = Json::parse(kDatasetInference);
    document.erase("data");
    document["network"]["layers"] =
        Json::parse(R"([{"type": "flatten"}, {"type": "dense", "units": 20000}])");
    const auto estimate = estimatePoint(specOf(document.dump().c_str()));
    ASSERT_TRUE(estimate);
    RunOptions options;
    options.memoryLimitBytes = estimate->hostBytes + estimate->deviceBytes + estimate->deviceBytes / 2;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(document.dump().c_str()), makeBuiltinRegistry(), options, observer));
    EXPECT_EQ(observer.outcome(0).status, RunStatus::Ok) << observer.outcome(0).reason;
    EXPECT_FALSE(observer.outcome(0).maxAbsError.has_value());
    EXPECT_TRUE(std::any_of(observer.logs.begin(), observer.logs.end(), [](const std::string& text) {
        return text.find("of memory beside this run") != std::string::npos;
    }));
}

TEST(Runner, TimedSpansAreLongEnoughAndTargetsInterleave) {
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(specOf(kSweep), makeBuiltinRegistry(), {}, observer));
    std::vector<int> order;
    for (const SampleRecord& sample : observer.samples) {
        if (sample.warmup || sample.traced || sample.run > 1)
            continue;
        // 5 ms where the processor is as fast as when repetitions were counted; others may have used it then.
        EXPECT_GE(sample.wallMs * sample.repetitions, 2.5);
        EXPECT_GT(sample.repetitions, 1);
        order.push_back(sample.run);
    }
    EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(Runner, WindowStrategyCountsItsCopies) {
    ExperimentSpec spec = specOf(kByHand);
    spec.document["pooling"]["strategy"] = "window";
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), {}, observer));
    for (const SampleRecord& sample : observer.samples) {
        EXPECT_EQ(sample.h2d.count, 8); // four windows and four times the filter
        EXPECT_EQ(sample.h2d.bytes, 8 * 16);
        EXPECT_EQ(sample.d2h.count, 4);
        EXPECT_EQ(sample.d2h.bytes, 4 * 16);
    }
    EXPECT_EQ(observer.outcome(0).metrics["windows"], 4);
    EXPECT_EQ(observer.outcome(0).metrics["h2d_count"], 8);
    EXPECT_GT(observer.copies, 0);
    spec.document["pooling"]["window"]["filter"] = "constant";
    RecordingObserver constant;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), {}, constant));
    EXPECT_EQ(constant.outcome(0).metrics["h2d_count"], 4);
}

TEST(Runner, WindowStrategyEqualsImageStrategyWithStrideAndPadding) {
    for (const char* shape :
         {R"({"kernel": 3, "stride": 1, "padding": 1})", R"({"kernel": 3, "stride": 2, "padding": 2})",
          R"({"kernel": [2, 3], "stride": [1, 2], "padding": [1, 0, 0, 2]})"}) {
        ExperimentSpec spec =
            specOf(R"({"heteroscope": 1, "kind": "pooling", "pooling": {"strategy": "window",
            "paddingValue": "zero", "input": {"size": [9, 12], "channels": 2, "batch": 2, "low": -9}},
            "targets": ["cpu/openmp"], "sampling": {"samples": 1}})");
        spec.document["pooling"].update(Json::parse(shape));
        RecordingObserver observer;
        ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), {}, observer)) << shape;
        EXPECT_EQ(observer.outcome(0).maxAbsError, 0.0) << shape;
    }
}

TEST(Runner, BackwardGivesBothOutputsAndBothTimes) {
    const ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "pooling",
        "pooling": {"backward": true, "kernel": 3, "stride": 2, "padding": 1, "input": {"size": 31}},
        "targets": ["cpu/sequential", "cpu/openmp"], "sampling": {"samples": 1}})");
    RecordingObserver observer;
    Outputs outputs;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), keepingOutputs(outputs), observer));
    EXPECT_EQ(outputs.size(), 4u);
    EXPECT_EQ((outputs[{0, "input.grad"}].size()), 31u * 31u);
    EXPECT_EQ((outputs[{0, "input.grad"}]), (outputs[{1, "input.grad"}]));
    EXPECT_GT(observer.outcome(1).metrics["forward_ms"].get<double>(), 0.0);
    EXPECT_GT(observer.outcome(1).metrics["backward_ms"].get<double>(), 0.0);
    EXPECT_EQ(observer.outcome(1).maxAbsError, 0.0);
}

/// Averages and their gradients hold sums that cancel: what is left of those is rounding, which differs with
/// the order of the additions. It is no different result.
TEST(Runner, RoundingOfSumsThatCancelIsNoDifference) {
    const BackendRegistry registry = makeBuiltinRegistry();
    if (const auto found = registry.find(*parseTarget("cpu/onednn")); !found)
        SKIP_WITHOUT("onednn", found.error().sentence());
    const ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "pooling",
        "pooling": {"mode": "average", "backward": true, "kernel": 3, "stride": 2, "padding": 1,
                    "input": {"size": 113, "channels": 64, "batch": 2, "low": -9, "high": 9}},
        "targets": ["cpu/sequential", "cpu/onednn"], "sampling": {"samples": 1}})");
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, registry, {}, observer));
    ASSERT_TRUE(observer.outcome(1).maxRelError); // 0 where the processor lets oneDNN add in our order
    EXPECT_LT(*observer.outcome(1).maxRelError, 1e-4);
}

TEST(Runner, MatmulWithTheIdentityGivesTheLeftMatrix) {
    const ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "matmul",
        "matmul": {"m": 7, "n": 5, "k": 5, "right": "identity"}, "targets": ["cpu/openmp"],
        "sampling": {"samples": 1}})");
    RecordingObserver observer;
    Outputs outputs;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), keepingOutputs(outputs), observer));
    const std::vector<float>& product = outputs[{0, "output"}];
    ASSERT_EQ(product.size(), 35u);
    EXPECT_EQ(product[0], 9.0f); // NumPy: seed 35, randint(10) gives 9 first
    EXPECT_EQ(observer.outcome(0).maxAbsError, 0.0);
    EXPECT_GT(observer.outcome(0).metrics["gflop_s"].get<double>(), 0.0);
}

TEST(Runner, TooLargeIsSkippedWithFiguresAndWhatWouldFit) {
    ExperimentSpec spec = specOf(kSweep);
    spec.document["axes"]["/pooling/input/size"] = {16, 512};
    RunOptions options;
    options.memoryLimitBytes = 100000;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), options, observer));
    EXPECT_EQ(observer.outcome(0).status, RunStatus::Ok);
    EXPECT_EQ(observer.outcome(2).status, RunStatus::Skipped);
    EXPECT_NE(observer.outcome(2).reason.find("needs 2.8 MiB of memory, 97.7 KiB may be used"),
              std::string::npos)
        << observer.outcome(2).reason;
    EXPECT_NE(observer.outcome(2).reason.find("a size of 9"), std::string::npos)
        << observer.outcome(2).reason;
    spec.document["axes"]["/pooling/input/size"] = {512};
    RecordingObserver none;
    EXPECT_EQ(runStudy(spec, makeBuiltinRegistry(), options, none).error().code, ErrorCode::OutOfMemory);
}

TEST(Runner, TargetsThatDoNotFitTogetherRunOneAfterAnother) {
    ExperimentSpec spec = specOf(kSweep);
    spec.document["axes"]["/pooling/input/size"] = {64};
    RunOptions options;
    options.memoryLimitBytes = 56000; // 24 KiB on the host beside once 20 KiB fit, beside twice they do not
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), options, observer));
    EXPECT_EQ(observer.outcome(0).status, RunStatus::Ok) << observer.outcome(0).reason;
    EXPECT_EQ(observer.outcome(1).status, RunStatus::Ok) << observer.outcome(1).reason;
    ASSERT_EQ(observer.outcomes.size(), 2u);
    const auto firstOfOther = std::find_if(observer.samples.begin(), observer.samples.end(),
                                           [](const SampleRecord& sample) { return sample.run == 0; });
    EXPECT_NE(firstOfOther, observer.samples.begin()) << "cpu/sequential gives the reference";
    EXPECT_TRUE(std::none_of(firstOfOther, observer.samples.end(),
                             [](const SampleRecord& sample) { return sample.run == 1; }));
}

TEST(Runner, UnknownOptionIsAMistakeAndAMissingTargetIsSkipped) {
    ExperimentSpec spec = specOf(kSweep);
    spec.targets = {parseTarget("cpu/sequential").value(), parseTarget("cpu/openmp?colour=red").value()};
    RecordingObserver observer;
    const Status wrongOption = runStudy(spec, makeBuiltinRegistry(), {}, observer);
    EXPECT_EQ(wrongOption.error().code, ErrorCode::BadInput);
    EXPECT_EQ(wrongOption.error().where, "/targets/1");
    spec.targets[1] = parseTarget("cuda:0/cuda").value();
    RecordingObserver skipping;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), {}, skipping));
    EXPECT_EQ(skipping.outcome(1).status, RunStatus::Skipped);
    EXPECT_FALSE(skipping.outcome(1).reason.empty());
    spec.targets = {parseTarget("cuda:0/cuda").value()};
    RecordingObserver none;
    EXPECT_EQ(runStudy(spec, makeBuiltinRegistry(), {}, none).error().code, ErrorCode::TargetUnavailable);
    EXPECT_TRUE(none.runs.empty());
}

constexpr std::int64_t kStopNs = 200'000'000LL * kTimeFactor;

TEST(Runner, StopEndsTheStudySoonAndEveryRunHasAnOutcome) {
    for (const char* strategy : {"image", "window"}) {
        ExperimentSpec spec = specOf(kSweep);
        spec.document["pooling"]["strategy"] = strategy;
        spec.document["axes"]["/pooling/input/size"] = {512, 1024};
        spec.sampling.samples = 1000;
        std::atomic<bool> stop{false};
        RunOptions options;
        options.stop = &stop;
        RecordingObserver observer;
        std::int64_t askedNs = 0;
        std::thread asker([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            askedNs = std::chrono::steady_clock::now().time_since_epoch().count();
            stop = true;
        });
        const Status status = runStudy(spec, makeBuiltinRegistry(), options, observer);
        const std::int64_t endedNs = std::chrono::steady_clock::now().time_since_epoch().count();
        asker.join();
        EXPECT_EQ(status.error().code, ErrorCode::Cancelled);
        EXPECT_LT(endedNs - askedNs, kStopNs);
        ASSERT_EQ(observer.outcomes.size(), 4u);
        EXPECT_EQ(observer.outcome(3).status, RunStatus::Cancelled);
        EXPECT_EQ(observer.ended, 1);
    }
}

TEST(Runner, AProcessTakesItsShareOfTheSamples) {
    ExperimentSpec spec = specOf(kByHand);
    spec.sampling = {};
    spec.sampling.preset = Preset::Thesis;
    EXPECT_EQ(freshProcesses(spec).count, 3);
    RunOptions options;
    options.processIndex = 1;
    options.processes = 3;
    RecordingObserver observer;
    ASSERT_TRUE(runStudy(spec, makeBuiltinRegistry(), options, observer));
    EXPECT_EQ(observer.count(0, false, false), 10);
    EXPECT_EQ(observer.count(0, false, true), 0);
    std::vector<int> numbers;
    for (const SampleRecord& sample : observer.samples)
        if (sample.run == 0 && !sample.warmup)
            numbers.push_back(sample.sample);
    EXPECT_EQ(numbers.front(), 10);
    EXPECT_EQ(numbers.back(), 19);
    EXPECT_EQ(observer.samples.front().process, 1);
    EXPECT_FALSE(observer.outcome(0).maxAbsError.has_value());
}

TEST(Runner, EnvironmentSaysWhatATimingDependsOn) {
    const Json environment = environmentRecord(makeBuiltinRegistry());
    for (const char* key : {"version", "time_utc", "hostname", "os", "kernel", "cpu", "cores", "simd",
                            "caches", "memory_total_bytes", "governor", "load_average", "omp_wait_policy",
                            "compiler", "devices", "notes", "note_codes"})
        EXPECT_TRUE(environment.contains(key)) << key;
    EXPECT_FALSE(environment["compiler"]["id"].get<std::string>().empty());
    EXPECT_TRUE(environment["devices"][0]["implementations"].contains("sequential"));
}

TEST(Runner, EnvironmentSaysWhereTheFilesOfExamplesAre) {
    const auto recorded = [](const char* data) {
        const std::string text =
            std::string(R"({"heteroscope": 1, "kind": "network", "task": "train", "targets": ["cpu/openmp"],
            "network": {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "dense", "units": 4}]},
            "data": )") +
            data + "}";
        ExperimentSpec spec = specOf(text.c_str());
        spec.directory = "some/../folder";
        return environmentRecord(makeBuiltinRegistry(), spec);
    };
    EXPECT_EQ(recorded(R"({"source": "idx", "images": "i", "labels": "l"})").at("directory"),
              (std::filesystem::current_path() / "folder" / "").string());
    EXPECT_FALSE(recorded(R"({"source": "shapes"})").contains("directory"));
}

TEST(CheckAgainstMachine, NamesOptionsMissingTargetsAndFiles) {
    const ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "pooling",
        "pooling": {"input": {"source": "image", "path": "no such.png"}},
        "targets": ["cpu/openmp?threads=x", "cuda:0/cuda"]})");
    const auto findings = checkAgainstMachine(spec, makeBuiltinRegistry());
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].pointer, "/targets/0");
    EXPECT_EQ(findings[0].severity, Diagnostic::Severity::Error);
    EXPECT_EQ(findings[1].pointer, "/targets/1");
    EXPECT_EQ(findings[1].severity, Diagnostic::Severity::Warning);
    EXPECT_EQ(findings[2].pointer, "/pooling/input/path");
}

} // namespace heteroscope::compute
