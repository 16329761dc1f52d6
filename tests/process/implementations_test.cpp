// SPDX-License-Identifier: Apache-2.0
// What `check --implementations` says is what runs; ?impl= takes effect or is refused.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// A small network of most layers.
Json networkExperiment(const char* task) {
    Json experiment = Json::parse(R"({"heteroscope": 1, "kind": "network", "name": "n", "network": {
        "input": {"shape": [3, 18, 18]}, "layers": [
        {"type": "conv2d", "filters": 16, "kernel": 3, "padding": 1},
        {"type": "batchnorm"}, {"type": "relu"},
        {"type": "maxpool2d", "kernel": 2, "stride": 2},
        {"type": "conv2d", "filters": 32, "kernel": 1, "stride": 2}, {"type": "gelu"},
        {"type": "maxpool2d", "kernel": 3, "stride": 2},
        {"type": "flatten"}, {"type": "dense", "units": 10}]}})");
    experiment["sampling"] = {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}};
    experiment["task"] = task;
    experiment["training"] = {{"batch", 4}};
    return experiment;
}

/// Of each run: what the results say computed it.
std::string implementationThatRan(const Json& experiment, const std::string& target) {
    const TemporaryFolder folder;
    const std::string file = folder.file("results.json");
    const Finished done = runCli({"run", "-", "--target", target, "--json", file}, experiment.dump() + "\n");
    EXPECT_EQ(done.exitCode, 0) << done.err;
    return Json::parse(readText(file)).at("runs").at(0).at("implementation");
}

std::string implementationsChecked(const Json& experiment, const std::string& target) {
    const Finished done =
        runCli({"check", "-", "--target", target, "--json", "--implementations"}, experiment.dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    const Json report = Json::parse(done.out);
    std::vector<std::string> names;
    std::string text;
    for (const Json& operation : report["targets"][0]["implementations"][0]["operations"]) {
        const std::string name = operation["implementation"];
        int taken = 0;
        for (const Json& candidate : operation["candidates"]) {
            taken += candidate["taken"] == true ? 1 : 0;
            EXPECT_EQ(candidate["accepts"] == true,
                      candidate["taken"] == true ||
                          candidate["reason"].get<std::string>().find("comes after ") == 0)
                << candidate;
        }
        EXPECT_EQ(taken, 1) << operation;
        if (std::find(names.begin(), names.end(), name) != names.end())
            continue;
        names.push_back(name);
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

class Implementations : public testing::TestWithParam<std::string> {
  protected:
    std::string m_target = "cpu/" + GetParam();
    void SetUp() override {
        const Finished done =
            runCli({"check", "-", "--target", m_target, "--json"}, poolingExperiment(16, 1).dump());
        ASSERT_EQ(done.exitCode, 0) << done.err;
        const Json target = Json::parse(done.out)["targets"][0];
        if (target["available"] == false && GetParam() == "onednn")
            SKIP_WITHOUT("onednn", target["reason"].get<std::string>());
        ASSERT_EQ(target["available"], true) << target["reason"];
    }
};

TEST_P(Implementations, thatCheckNamesAreThoseThatRun) {
    for (const char* task : {"infer", "train"})
        EXPECT_EQ(implementationsChecked(networkExperiment(task), m_target),
                  implementationThatRan(networkExperiment(task), m_target))
            << task;
    const Json pooling = poolingExperiment(64, 1);
    EXPECT_EQ(implementationsChecked(pooling, m_target), implementationThatRan(pooling, m_target));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Implementations, testing::Values("sequential", "openmp", "onednn"));

TEST(ImplementationOption, takesEffectInTheRun) {
    Json experiment = poolingExperiment(64, 1);
    experiment["pooling"]["kernel"] = 3;
    EXPECT_THAT(implementationThatRan(experiment, "cpu/openmp?threads=1"), HasSubstr("openmp:pool_3x3:"));
    EXPECT_THAT(implementationThatRan(experiment, "cpu/openmp?impl=pool_rows"),
                HasSubstr("openmp:pool_rows:"));
}

TEST(ImplementationOption, withoutEffectIsRefusedByCheckAndRun) {
    for (const char* verb : {"check", "run"}) {
        const Finished done = runCli({verb, "-", "--target", "cpu/openmp?impl=conv_direct"},
                                     poolingExperiment(64, 1).dump() + "\n");
        EXPECT_EQ(done.exitCode, 2) << verb << done.err;
        EXPECT_THAT(done.err, HasSubstr("no operation here has an implementation 'conv_direct'; allowed: "
                                        "pool_2x2, pool_3x3, pool_rows"));
    }
}

TEST(ImplementationOption, thatCannotComputeItSkipsTheRunWithTheReason) {
    const Finished done =
        runCli({"run", "-", "--target", "cpu/openmp?impl=pool_3x3", "--target", "cpu/sequential"},
               poolingExperiment(64, 1).dump() + "\n");
    EXPECT_EQ(done.exitCode, 0) << "the other target ran";
    EXPECT_THAT(done.err, HasSubstr("?impl=pool_3x3: it computes maxima of windows 3x3"));
}

/// Of those that take the option.
class AskedImplementations : public Implementations {};

INSTANTIATE_TEST_SUITE_P(Cpu, AskedImplementations, testing::Values("openmp", "onednn"));

/// Names are those of the layouts that a network keeps, in the run as in the check.
TEST_P(AskedImplementations, thatCheckListsRun) {
    const Json experiment = networkExperiment("train");
    const Finished done =
        runCli({"check", "-", "--target", m_target, "--json", "--implementations"}, experiment.dump());
    ASSERT_EQ(done.exitCode, 0) << done.err;
    std::set<std::string> names;
    const Json report = Json::parse(done.out);
    for (const Json& operation : report["targets"][0]["implementations"][0]["operations"])
        for (const Json& candidate : operation["candidates"])
            if (candidate["taken"] == true && operation["operation"] != "reorder") // follows from the others
                names.insert(candidate["name"]);
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : "+") + name;
    EXPECT_EQ(implementationThatRan(experiment, m_target + "?impl=" + all),
              implementationThatRan(experiment, m_target));
}

/// Also where an operation by itself would be computed and not among the others.
TEST_P(AskedImplementations, thatCannotComputeAnOperationSayWhy) {
    Json experiment = networkExperiment("train");
    experiment["network"] = Json::parse(R"({"input": {"shape": [10, 16, 16]}, "layers": [
        {"type": "conv2d", "filters": 10, "kernel": 3, "padding": 1},
        {"type": "conv2d", "filters": 10, "kernel": 1, "stride": 2}, {"type": "relu"},
        {"type": "flatten"}, {"type": "dense", "units": 3}]})");
    experiment["training"]["batch"] = 2;
    const auto check = [&](const std::string& target) {
        const Finished done =
            runCli({"check", "-", "--target", target, "--json", "--implementations"}, experiment.dump());
        EXPECT_EQ(done.exitCode, 0) << target << done.err;
        return Json::parse(done.out)["targets"][0];
    };
    std::set<std::string> names;
    const Json any = check(m_target);
    for (const Json& operation : any["implementations"][0]["operations"])
        for (const Json& candidate : operation["candidates"])
            if (operation["operation"] != "reorder")
                names.insert(candidate["name"]);
    ASSERT_GT(names.size(), 2U);
    std::size_t refused = 0;
    for (const std::string& name : names) {
        const std::string refusal = check(m_target + "?impl=" + name)["refusal"];
        refused += refusal.empty() ? 0U : 1U;
        EXPECT_EQ(refusal.find(":  ("), std::string::npos) << name << ": " << refusal;
    }
    EXPECT_GT(refused, 0U) << "nothing is tested";
}

TEST(ImplementationOption, ofOnePointOfASweepIsOneOfTheExperiment) {
    Json experiment = poolingExperiment(16, 1);
    experiment["axes"] = {{"/pooling/strategy", {"image", "window"}}};
    for (const char* verb : {"check", "run"}) {
        const Finished done =
            runCli({verb, "-", "--target", "cpu/openmp?impl=pool_rows"}, experiment.dump() + "\n");
        EXPECT_EQ(done.exitCode, 0) << verb << done.err;
    }
}

TEST(ImplementationOption, thatNothingHasIsRefusedBeforeAnythingIsComputed) {
    const Finished done =
        runCli({"run", "-", "--target", "cpu/sequential", "--target", "cpu/openmp?impl=nope"},
               poolingExperiment(16, 1).dump() + "\n");
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(done.err, HasSubstr("/targets/1"));
    const TemporaryFolder folder;
    const Finished evaluated =
        runCli({"evaluate", examplePath("pooling_4x4.json"), "--tensors", folder.file("not_read.npz"),
                "--out", folder.file("o.npz"), "--target", "cpu/openmp?impl=nope"});
    EXPECT_EQ(evaluated.exitCode, 2);
    EXPECT_THAT(evaluated.err, HasSubstr("no operation here has an implementation 'nope'"));
}

TEST(ImplementationOption, thatCannotComputeItIsSaidByCheck) {
    EXPECT_THAT(
        runCli({"check", "-", "--target", "cpu/openmp?impl=pool_3x3"}, poolingExperiment(64, 1).dump()).out,
        HasSubstr("cannot run: cpu/openmp?impl=pool_3x3 cannot do maxpool.forward"));
}

} // namespace
} // namespace heteroscope::process_test
