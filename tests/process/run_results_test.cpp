// SPDX-License-Identifier: Apache-2.0
// What `run` gives: table, results JSON, CSV, outputs; equal work; the published examples.
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <heteroscope_paths.h>
#include <map>
#include <set>
#include <sstream>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);)
        all.push_back(line);
    return all;
}

void expectTransfer(const Json& transfer) {
    for (const char* key : {"count", "bytes", "pinned_bytes"})
        EXPECT_TRUE(transfer.at(key).is_number_integer()) << key;
    EXPECT_TRUE(transfer.at("ms").is_number());
}

/// The keys and types of the results format, version 1.
void expectRunSchema(const Json& run) {
    EXPECT_TRUE(run.at("point").is_object());
    EXPECT_TRUE(run.at("target").is_string());
    EXPECT_THAT((std::set<std::string>{"ok", "failed", "skipped"}),
                testing::Contains(run.at("status").get<std::string>()));
    EXPECT_TRUE(run.at("samples_ms").is_array());
    for (const char* direction : {"h2d", "d2h", "d2d"})
        expectTransfer(run.at("transfers").at(direction));
    EXPECT_GT(run.at("median_ms").get<double>(), 0.0);
    EXPECT_EQ(run.at("ci95_ms").size(), 2u);
    EXPECT_LE(run.at("ci95_ms").at(0).get<double>(), run.at("median_ms").get<double>());
    EXPECT_GE(run.at("ci95_ms").at(1).get<double>(), run.at("median_ms").get<double>());
    EXPECT_EQ(run.at("speedup").at("reference"), "cpu/sequential");
    EXPECT_GT(run.at("speedup").at("value").get<double>(), 0.0);
    EXPECT_EQ(run.at("speedup").at("ci95").size(), 2u);
    EXPECT_EQ(run.at("max_abs_error"), 0.0);
    EXPECT_TRUE(run.at("output_digest").is_string());
    EXPECT_TRUE(run.at("metrics").is_object());
}

TEST(RunResults, ofTheSizeSweepAreEqualForAllImplementations) {
    const TemporaryFolder folder;
    const Finished done =
        runCli({"run", examplePath("pooling_size_sweep.json"), "--preset", "quick", "--no-trace", "--set",
                R"(/axes/~1pooling~1input~1size=[4,64,1024,4096])", "--set",
                "/sampling/time_limit_s=600", // all samples, however busy the machine
                "--json", folder.file("r.json"), "--csv", folder.file("r.csv")});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json results = Json::parse(readText(folder.file("r.json")));
    EXPECT_EQ(results.at("format"), "heteroscope-results");
    EXPECT_EQ(results.at("version"), 1);
    EXPECT_TRUE(results.at("environment").is_object());
    EXPECT_EQ(results.at("experiment").at("kind"), "pooling");
    std::map<std::string, std::set<std::string>> digests;
    std::size_t samples = 0;
    for (const Json& run : results.at("runs")) {
        if (run.at("status") != "ok")
            continue;
        expectRunSchema(run);
        EXPECT_EQ(run.at("samples_ms").size(), 5u);
        digests[run.at("point").dump()].insert(run.at("output_digest"));
        samples += run.at("samples_ms").size();
    }
    EXPECT_EQ(digests.size(), 4u);
    for (const auto& [point, distinct] : digests)
        EXPECT_EQ(distinct.size(), 1u) << point;
    const auto rows = lines(readText(folder.file("r.csv")));
    EXPECT_THAT(rows.at(0), StartsWith("run,target,"));
    EXPECT_GT(rows.size(), samples);
    for (const char* target : {"cpu/sequential", "cpu/openmp"})
        EXPECT_THAT(done.out, HasSubstr(target));
}

TEST(RunResults, ofTheFourByFourExample) {
    const TemporaryFolder folder;
    const Finished done = runCli({"run", examplePath("pooling_4x4.json"), "--save-output",
                                  folder.file("o.npz"), "--json", folder.file("r.json")});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto outputs = compute::readNpz(folder.file("o.npz"));
    ASSERT_TRUE(outputs.ok());
    EXPECT_GE(outputs->size(), 2u);
    for (const auto& [name, array] : *outputs) {
        EXPECT_EQ(array.shape, (std::vector<std::int64_t>{1, 1, 2, 2})) << name;
        EXPECT_EQ(array.values, (std::vector<float>{9, 7, 8, 9})) << name;
    }
}

TEST(RunResults, ofSeed35AreNumPysMatrix) {
    const Json golden =
        Json::parse(readText(std::string(HETEROSCOPE_SOURCE_DIR) + "/tests/golden/numpy/randint.json"));
    const Json& recorded = golden.at("cases").at(1);
    ASSERT_EQ(recorded.at("seed"), 35);
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(recorded.at("shape").at(0).get<int>(), 1);
    experiment["pooling"]["kernel"] = 1; // pooling with a window of one element hands the input through
    experiment["pooling"]["stride"] = 1;
    const Finished done =
        runCli({"run", "-", "--no-trace", "--save-output", folder.file("o.npz")}, experiment.dump());
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto outputs = compute::readNpz(folder.file("o.npz"));
    ASSERT_TRUE(outputs.ok());
    EXPECT_EQ(outputs->size(), 2u);
    for (const auto& [name, array] : *outputs)
        EXPECT_EQ(array.values, recorded.at("values").get<std::vector<float>>()) << name;
}

TEST(RunTable, printsOverheadMachineAndHeadline) {
    const Json experiment = {{"heteroscope", 1},
                             {"kind", "matmul"},
                             {"matmul", {{"m", 16}, {"n", 16}, {"k", 16}}},
                             {"targets", {"cpu/sequential", "cpu/openmp"}},
                             {"axes", {{"/matmul/m,/matmul/n,/matmul/k", {16, 32}}}},
                             {"sampling", {{"preset", "quick"}, {"samples", 5}}}};
    const Finished done = runCli({"run", "-"}, experiment.dump());
    ASSERT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("\nm=n=k=16  cpu/sequential"));
    EXPECT_THAT(done.out, HasSubstr("\ntracing overhead: median "));
    EXPECT_THAT(done.out, HasSubstr(" over 4 runs (most: cpu/"));
    EXPECT_THAT(done.out, HasSubstr("\nmachine: "));
    EXPECT_THAT(lines(done.out).back(), HasSubstr(" at m=n=k=32, the largest of 2 points ("));
    EXPECT_THAT(runCli({"run", "-", "--no-trace"}, experiment.dump()).out,
                HasSubstr("\ntracing overhead: not measured"));
}

TEST(RunOptions, changeTheExperiment) {
    const TemporaryFolder folder;
    const Finished done =
        runCli({"run", "-", "--target", "cpu/openmp?threads=1", "--target", "cpu/sequential", "--set",
                "/pooling/input/size=32", "--samples", "3", "--reference", "cpu/openmp?threads=1",
                "--no-check", "--no-trace", "--json", folder.file("r.json")},
               poolingExperiment(64, 1).dump());
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json results = Json::parse(readText(folder.file("r.json")));
    EXPECT_EQ(results.at("experiment").at("pooling").at("input").at("size"), 32);
    ASSERT_EQ(results.at("runs").size(), 2u);
    EXPECT_EQ(results.at("runs").at(0).at("target"), "cpu/openmp?threads=1");
    EXPECT_EQ(results.at("runs").at(1).at("speedup").at("reference"), "cpu/openmp?threads=1");
    for (const Json& run : results.at("runs")) {
        EXPECT_EQ(run.at("samples_ms").size(), 3u);
        EXPECT_TRUE(run.at("max_abs_error").is_null()) << "--no-check";
    }
}

/// How many samples of each run each process took; they are numbered through.
std::vector<std::map<int, int>> samplesByProcess(const profiling::Study& study) {
    std::vector<std::map<int, int>> all;
    for (const auto& run : study.runs) {
        EXPECT_EQ(run.status, profiling::StudyRunStatus::Ok);
        std::map<int, int>& byProcess = all.emplace_back();
        std::set<int> numbers;
        for (const auto& sample : run.samples) {
            if (!sample.counts())
                continue;
            ++byProcess[sample.process];
            EXPECT_TRUE(numbers.insert(sample.sample).second);
            EXPECT_TRUE(sample.disturbance.has_value());
        }
        EXPECT_EQ(numbers.empty() ? 0 : *numbers.rbegin() + 1, static_cast<int>(numbers.size()));
    }
    return all;
}

profiling::Study studyOf(const TemporaryFolder& folder, std::vector<std::string> words,
                         const Json& experiment) {
    words.insert(words.begin(), {"run", "-"});
    words.insert(words.end(), {"--force", "--out", folder.file("t.hscope"), "--json", folder.file("t.json")});
    const Finished done = runCli(words, experiment.dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    auto file = profiling::readRunFile(folder.file("t.hscope"));
    EXPECT_TRUE(file.ok());
    if (!file)
        return {};
    EXPECT_FALSE(file->damage.has_value());
    EXPECT_EQ(file->study.endStatus, "done");
    EXPECT_GT(file->trace->spanCount(), 0u);
    return std::move(file->study);
}

TEST(RunPresets, takeExactlyTheSamplesAskedForInThreeFreshProcesses) {
    const TemporaryFolder folder;
    for (const char* preset : {"standard", "thesis"}) {
        const profiling::Study study =
            studyOf(folder, {"--preset", preset, "--samples", "7"}, poolingExperiment(64, 1));
        EXPECT_THAT(samplesByProcess(study),
                    testing::ElementsAre((std::map<int, int>{{0, 3}, {1, 2}, {2, 2}}),
                                         (std::map<int, int>{{0, 3}, {1, 2}, {2, 2}})))
            << preset;
    }
}

TEST(RunPresets, standardHasFiveSamplesAndMoreInEachOfThreeProcesses) {
    const TemporaryFolder folder;
    // An interval that stays wide on a busy machine ends with the time limit, a process of it after a second.
    const profiling::Study study = studyOf(
        folder, {"--preset", "standard", "--set", "/sampling/time_limit_s=3"}, poolingExperiment(64, 1));
    for (const auto& byProcess : samplesByProcess(study)) {
        EXPECT_EQ(byProcess.size(), 3u);
        for (const auto& [process, samples] : byProcess)
            EXPECT_GE(samples, 5) << process;
    }
    const Json results = Json::parse(readText(folder.file("t.json")));
    // "in each of" them where one rule ended all after as many samples.
    EXPECT_THAT(results.at("runs").at(1).at("stop_rule").get<std::string>(),
                testing::EndsWith(" 3 processes"));
    EXPECT_GE(results.at("runs").at(1).at("disturbance").at("samples"), 15);
}

TEST(RunPresets, takeAsManyProcessesAsAreAskedFor) {
    const TemporaryFolder folder;
    const Json experiment = poolingExperiment(64, 1);
    EXPECT_EQ(samplesByProcess(studyOf(folder, {"--preset", "quick", "--processes", "4"}, experiment)).at(1),
              (std::map<int, int>{{0, 2}, {1, 1}, {2, 1}, {3, 1}}));
    EXPECT_EQ(samplesByProcess(studyOf(folder, {"--preset", "quick"}, experiment)).at(1),
              (std::map<int, int>{{0, 5}}));
    const profiling::Study two = studyOf(folder, {"--preset", "standard", "--samples", "2"}, experiment);
    EXPECT_EQ(samplesByProcess(two).at(1), (std::map<int, int>{{0, 1}, {1, 1}}));
    EXPECT_THAT(two.environment.at("notes").dump(), HasSubstr("The samples come from 2 processes"));
}

TEST(RunPresets, standardTrainsOnADatasetOnceAndSaysSo) {
    const TemporaryFolder folder;
    const Json experiment = {
        {"heteroscope", 1},
        {"kind", "network"},
        {"task", "train"},
        {"network", {{"input", {{"shape", {1, 8, 8}}}}, {"layers", {{{"type", "dense"}, {"units", 4}}}}}},
        {"data", {{"source", "shapes"}, {"count", 64}}},
        {"training", {{"epochs", 2}, {"batch", 32}}},
        {"targets", {"cpu/openmp"}},
        {"sampling", {{"preset", "standard"}}}};
    const profiling::Study study = studyOf(folder, {}, experiment);
    EXPECT_EQ(samplesByProcess(study).at(0), (std::map<int, int>{{0, 2}}));
    EXPECT_THAT(study.environment.at("notes").dump(), HasSubstr("trained once"));
    EXPECT_EQ(samplesByProcess(studyOf(folder, {"--processes", "3"}, experiment)).at(0),
              (std::map<int, int>{{0, 2}, {1, 2}, {2, 2}}));
}

TEST(RunTargets, thatAreMissingAreSkippedWithTheReason) {
    const Finished done = runCli({"run", "-", "--target", "cpu/sequential", "--target", "cuda:99/cuda"},
                                 poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("skipped"));
    EXPECT_THAT(done.err, HasSubstr("cuda:99"));
}

TEST(RunTargets, thatAreAllMissingGive3AndTheReason) {
    const Finished done = runCli({"run", "-", "--target", "cuda:99/cuda"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 3);
    EXPECT_THAT(done.err, HasSubstr("there is no device 'cuda:99'"));
}

TEST(RunMemory, limitRefusesWithTheFigures) {
    const Finished done = runCli({"run", "-", "--memory-limit", "1MiB"}, poolingExperiment(1024, 1).dump());
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, testing::ContainsRegex("[0-9.]+ MiB"));
    EXPECT_THAT(done.err, HasSubstr("1.0 MiB"));
}

/// Each worker told it, and then the program that had started them, for every run anew.
TEST(RunWarning, isGivenOnceWhateverTheNumberOfProcesses) {
    Json experiment = poolingExperiment(16, 3);
    experiment["targets"] = {"cpu/sequential", "cuda:99/cuda"};
    experiment["axes"] = {{"/pooling/input/size", {16, 32}}};
    for (const char* preset : {"quick", "thesis"}) {
        const Finished done = runCli({"run", "-", "--preset", preset, "--samples", "3"}, experiment.dump());
        EXPECT_EQ(done.exitCode, 0) << done.err;
        const std::string reason = "there is no device 'cuda:99'";
        EXPECT_THAT(done.err,
                    HasSubstr("warning: run 1, cuda:99/cuda, /pooling/input/size=16; run 3, "
                              "cuda:99/cuda, /pooling/input/size=32: skipped: target 'cuda:99/cuda': " +
                              reason));
        EXPECT_EQ(done.err.find(reason), done.err.rfind(reason)) << preset << done.err;
    }
}

/// The warning told it, and the last line again.
TEST(RunWarning, leavesToTheLastLineWhyNoRunFinished) {
    Json experiment = poolingExperiment(1024, 1);
    experiment["targets"] = {"cpu/sequential", "cuda:99/cuda"};
    experiment["axes"] = {{"/pooling/input/seed", {1, 2}}};
    const std::string runs = "warning: run 0, cpu/sequential, /pooling/input/seed=1; run 2, cpu/sequential, "
                             "/pooling/input/seed=2: skipped";
    const auto expectOnce = [&](const std::string& preset, const std::string& reference) {
        const Finished done =
            runCli({"run", "-", "--memory-limit", "1MiB", "--preset", preset}, experiment.dump());
        EXPECT_EQ(done.exitCode, 1);
        EXPECT_THAT(done.err, HasSubstr("error: no run finished: needs "));
        EXPECT_EQ(done.err.find("may be used"), done.err.rfind("may be used")) << done.err;
        EXPECT_THAT(done.err, HasSubstr(runs + reference + "\n"));
        EXPECT_THAT(done.err, HasSubstr("there is no device 'cuda:99'")) << "the other reason";
    };
    expectOnce("quick", ", for the reason that the last line names");
    expectOnce("thesis", " with its process, whose words are above");
}

TEST(RunProgress, isPlainLinesWithoutATerminalAndNothingWithStream) {
    const Finished plain = runCli({"run", "-"}, poolingExperiment(16, 2).dump());
    EXPECT_EQ(plain.err.find('\r'), std::string::npos);
    EXPECT_THAT(plain.err, HasSubstr("%"));
    const Finished streamed =
        runCli({"run", examplePath("pooling_4x4.json"), "--target", "cpu/sequential", "--stream"});
    EXPECT_EQ(streamed.exitCode, 0);
    EXPECT_EQ(streamed.err, "");
}

TEST(RunCounters, withoutAGpuSayWhyThereAreNoneAndKeepTheResults) {
    const Finished done = runCli({"run", "-", "--counters", "--no-trace"}, poolingExperiment(16, 3).dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("no counters: none of the targets is on a GPU"));
    EXPECT_THAT(done.out, HasSubstr("cpu/openmp"));
}

TEST(RunCounters, kernelsAreChosenByARegularExpression) {
    const Finished done = runCli({"run", "-", "--counters", "--counters-kernel", "("}, "{}");
    EXPECT_EQ(done.exitCode, 64);
    EXPECT_THAT(done.err, HasSubstr("is no regular expression"));
}

} // namespace
} // namespace heteroscope::process_test
