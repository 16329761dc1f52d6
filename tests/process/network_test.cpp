// SPDX-License-Identifier: Apache-2.0
// Networks through the program: what PyTorch computed, what is wrong in a file or a tensor, a study of
// training steps.
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <map>
#include <set>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

const std::string kFolder = HETEROSCOPE_SOURCE_DIR "/tests/golden/torch/network/";

Json readJson(const std::string& file) {
    std::ifstream stream(file);
    return Json::parse(stream);
}

class Networks : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        m_folder = std::filesystem::path(testing::TempDir()) /
                   ("networks_" + std::to_string(::getpid()) + "_" +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    std::string path(const std::string& name) const { return (m_folder / name).string(); }

    Finished evaluate(const std::string& model, const std::string& in, std::vector<std::string> more) {
        std::vector<std::string> words{"evaluate", model, "--tensors", in, "--out", path("out.npz")};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words);
    }

    std::filesystem::path m_folder;
};

/// Recorded values are rounded to float32, and each result here is a float32 at every layer and step.
void expectNear(const compute::NpyArray& expected, const compute::NpyArray& actual, const std::string& name) {
    ASSERT_EQ(expected.shape, actual.shape) << name;
    float largest = 1e-3F;
    for (const float value : expected.values)
        largest = std::max(largest, std::fabs(value));
    for (std::size_t i = 0; i < expected.values.size(); ++i)
        ASSERT_NEAR(expected.values[i], actual.values[i], 2e-5F * largest) << name << " element " << i;
}

TEST(NetworkMemory, WhatDoesNotFitIsForeseenAndRefusedWithWhatWould) {
    const std::string file = examplePath("network_mlp_width.json");
    const std::vector<std::string> huge{file,
                                        "--set",
                                        "/network/layers/0/units=25600",
                                        "--set",
                                        "/training/batch=65536",
                                        "--target",
                                        "cpu/openmp",
                                        "--memory-limit",
                                        "64MiB"};
    std::vector<std::string> words{"check"};
    words.insert(words.end(), huge.begin(), huge.end());
    words.push_back("--json");
    const Finished check = runCli(words);
    ASSERT_EQ(0, check.exitCode) << check.err;
    const Json target = Json::parse(check.out)["targets"][0];
    EXPECT_FALSE(target["fits"].get<bool>());
    EXPECT_GT(target["needed_bytes"].get<double>(), 65536.0 * 25600 * 4);
    const std::string advice = target["advice"];
    const std::size_t place = advice.find("a batch of ");
    ASSERT_NE(std::string::npos, place) << advice;
    const int batch = std::stoi(advice.substr(place + 11));
    EXPECT_GT(batch, 1);
    EXPECT_LT(batch, 65536);

    words.front() = "run";
    words.back() = "--no-trace";
    const Finished refused = runCli(words);
    EXPECT_NE(0, refused.exitCode);
    EXPECT_THAT(refused.out + refused.err, HasSubstr("would fit"));
    EXPECT_LT(refused.peakKiB, 256 * 1024 * (kTimeFactor > 1 ? 3 : 1)); // nothing of it was allocated

    words[5] = "/training/batch=" + std::to_string(batch);
    words.insert(words.end(), {"--samples", "1"});
    const Finished run = runCli(words);
    EXPECT_EQ(0, run.exitCode) << run.out << run.err;
}

TEST_P(Networks, TrainAsPyTorchDoes) {
    const std::string base = kFolder + GetParam();
    const Finished done = evaluate(base + ".json", base + "_in.npz", {"--backward", "--steps", "4"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto expected = compute::readNpz(base + "_out.npz"), actual = compute::readNpz(path("out.npz"));
    ASSERT_TRUE(expected.ok() && actual.ok());
    EXPECT_GT(expected->size(), 8u);
    for (const auto& [name, array] : *expected) {
        ASSERT_TRUE(actual->contains(name)) << name;
        expectNear(array, actual->at(name), name);
    }
}

INSTANTIATE_TEST_SUITE_P(Recorded, Networks, testing::Values("residual", "regression"));

using NetworkMistakes = Networks;

TEST_F(NetworkMistakes, InTensorsAreNamed) {
    const std::string model = kFolder + "regression.json";
    auto tensors = *compute::readNpz(kFolder + "regression_in.npz");
    const auto refusal = [&](const compute::NpzArrays& given, std::vector<std::string> more = {}) {
        EXPECT_TRUE(compute::writeNpz(path("in.npz"), given).ok());
        const Finished done = evaluate(model, path("in.npz"), more);
        EXPECT_EQ(done.exitCode, 2) << done.err;
        return done.err;
    };
    auto without = tensors;
    without.erase("second.bias");
    EXPECT_THAT(refusal(without), HasSubstr("second.bias"));
    auto wide = tensors;
    wide["input"] = {{2, 6}, std::vector<float>(12)};
    EXPECT_THAT(refusal(wide), HasSubstr("a batch of 5"));
    auto shaped = tensors;
    shaped["first.weight"] = {{5, 8}, std::vector<float>(40)};
    EXPECT_THAT(refusal(shaped), HasSubstr("8x5"));
    auto noTarget = tensors;
    noTarget.erase("target");
    EXPECT_THAT(refusal(noTarget, {"--steps", "2"}), HasSubstr("target"));
    EXPECT_THAT(refusal(noTarget, {"--backward"}), HasSubstr("output.grad"));
    auto classes = tensors;
    classes["target"] = {{4}, {0, 1, 2, 0}};
    EXPECT_THAT(refusal(classes, {"--loss", "softmax_cross_entropy", "--backward"}),
                HasSubstr("from 0 to 1"));
    EXPECT_THAT(refusal(tensors, {"--loss", "hinge"}), HasSubstr("softmax_cross_entropy"));
    EXPECT_THAT(refusal(tensors, {"--optimizer", "rmsprop"}), HasSubstr("sgd, adam"));
}

TEST_F(NetworkMistakes, OutputGradientTakesThePlaceOfALoss) {
    auto tensors = *compute::readNpz(kFolder + "regression_in.npz");
    tensors.erase("target");
    tensors["output.grad"] = {{4, 2}, std::vector<float>(8, 1.0F)};
    ASSERT_TRUE(compute::writeNpz(path("in.npz"), tensors).ok());
    const Finished done = evaluate(kFolder + "regression.json", path("in.npz"), {"--backward"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto out = *compute::readNpz(path("out.npz"));
    EXPECT_EQ(out.at("second.bias.grad").values, (std::vector<float>{4, 4})); // one an image
    EXPECT_FALSE(out.contains("loss"));
}

TEST(NetworkCheck, GivesEveryLayerItsShapeParametersAndWork) {
    const Finished done = runCli({"check", kFolder + "residual.json", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json network = Json::parse(done.out).at("network");
    EXPECT_EQ(network.at("layers").size(), 14u);
    EXPECT_EQ(network.at("parameters"), 2 * 6 * 9 + 12 + 6 * 9 + 6 + 12 + 4 * 6 * 3 + 4 + 33);
    EXPECT_EQ(network.at("layers").at(7).at("output_shape"), Json({32, 6, 4, 4}));
    EXPECT_EQ(network.at("layers").at(0).at("multiply_adds"), 32.0 * 6 * 64 * 18);
    EXPECT_GT(network.at("memory").at("optimizer"), 0);
}

TEST(NetworkRun, TrainsOnTheSpecificationAndLeavesOutWhoCannot) {
    Json experiment = readJson(kFolder + "residual.json");
    experiment["targets"] = {"cpu/sequential", "cuda:99/cuda"};
    experiment["sampling"] = {{"preset", "quick"}, {"samples", 3}, {"warmup_limit_s", 0}};
    const std::string results = testing::TempDir() + "network_run_" + std::to_string(::getpid()) + ".json";
    const Finished done = runCli({"run", "-", "--json", results}, experiment.dump());
    const Json runs = readJson(results).at("runs");
    std::filesystem::remove(results);
    ASSERT_EQ(runs.size(), 2u) << done.err;
    EXPECT_EQ(runs.at(0).at("status"), "ok");
    EXPECT_EQ(runs.at(0).at("samples_ms").size(), 3u);
    EXPECT_GT(runs.at(0).at("metrics").at("backward_ms"), 0);
    EXPECT_EQ(runs.at(1).at("status"), "skipped");
}

TEST(NetworkRun, TellsTheTimeOfEachLayerInBothDirections) {
    Json experiment = readJson(kFolder + "residual.json");
    experiment["targets"] = {"cpu/sequential"};
    experiment["sampling"] = {{"preset", "quick"}, {"samples", 3}, {"warmup_limit_s", 0}};
    const std::string file = testing::TempDir() + "network_layers_" + std::to_string(::getpid()) + ".hscope";
    ASSERT_EQ(runCli({"run", "-", "--out", file}, experiment.dump()).exitCode, 0);
    const Finished json = runCli({"trace", "stats", file, "--layers", "--json"});
    const std::string csv = runCli({"trace", "stats", file, "--layers", "--csv"}).out;
    const std::string text = runCli({"trace", "stats", file, "--layers"}).out;
    std::filesystem::remove(file);
    ASSERT_EQ(json.exitCode, 0) << json.err;
    const Json run = Json::parse(json.out).at(0);
    EXPECT_EQ(run.at("source"), "host");
    EXPECT_TRUE(run.at("tracing_overhead_percent").is_number());
    std::map<std::string, std::set<std::string>> phases;
    double shares = 0;
    for (const Json& time : run.at("times")) {
        phases[time.at("layer")].insert(time.at("phase"));
        shares += time.at("share").get<double>();
        EXPECT_GT(time.at("median_ms"), 0) << time;
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    for (const Json& layer : experiment.at("network").at("layers")) {
        if (layer.at("type") != "conv2d")
            continue;
        EXPECT_EQ(phases[layer.at("name")], (std::set<std::string>{"forward", "backward"})) << layer;
    }
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<long>(run.at("times").size()) + 1);
    EXPECT_THAT(text, HasSubstr("backward"));
    EXPECT_THAT(text, HasSubstr("than untraced ones"));
}

TEST(NetworkRun, RefusesABatchThatDoesNotFitAndSaysWhichWould) {
    Json experiment = readJson(kFolder + "regression.json");
    experiment["network"]["layers"][0]["units"] = 25600;
    experiment["training"]["batch"] = 60000;
    const Finished done = runCli({"run", "-", "--memory-limit", "100000000"}, experiment.dump());
    EXPECT_EQ(done.exitCode, 1) << done.out;
    EXPECT_THAT(done.err + done.out, HasSubstr("would fit"));
    EXPECT_THAT(done.err + done.out, HasSubstr("a batch of "));
}

} // namespace
} // namespace heteroscope::process_test
