// SPDX-License-Identifier: Apache-2.0
// ONNX files through the program: PyTorch's own results, studies of a file, what is written and read again.
#include "compute/backends/builtin.h"
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <sstream>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kModels = HETEROSCOPE_SOURCE_DIR "/tests/golden/onnx/";
/// Relative to the largest output: what external suites must agree within.
constexpr float kAgreement = 1e-4F;

class Onnx : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
            SKIP_WITHOUT("onnx", reason);
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::replace(name.begin(), name.end(), '/', '_');
        m_folder =
            std::filesystem::path(testing::TempDir()) / ("onnx_" + std::to_string(::getpid()) + "_" + name);
        std::filesystem::create_directories(folder());
    }
    void TearDown() override {
        if (!m_folder.empty())
            std::filesystem::remove_all(folder());
    }
    const std::filesystem::path& folder() const { return m_folder; }
    std::string path(const std::string& name) const { return (folder() / name).string(); }
    std::string written(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }
    std::string read(const std::string& name) const {
        std::stringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }

    /// The model's results on the recorded input, and PyTorch's.
    void expectPyTorchsOutput(const std::string& model, const std::string& recorded,
                              const std::string& target) {
        const auto values = compute::readNpz(recorded);
        ASSERT_TRUE(values);
        ASSERT_TRUE(compute::writeNpz(path("in.npz"), {{"input", values->at("input")}}));
        const Finished run = runCli(
            {"evaluate", model, "--tensors", path("in.npz"), "--out", path("out.npz"), "--target", target});
        ASSERT_EQ(0, run.exitCode) << run.err;
        const auto results = compute::readNpz(path("out.npz"));
        ASSERT_TRUE(results);
        const compute::NpyArray& expected = values->at("output");
        const compute::NpyArray& actual = results->at("output");
        ASSERT_EQ(expected.shape, actual.shape);
        float largest = 1;
        for (const float value : expected.values)
            largest = std::max(largest, std::fabs(value));
        for (std::size_t i = 0; i < expected.values.size(); ++i)
            ASSERT_NEAR(expected.values[i], actual.values[i], kAgreement * largest) << "element " << i;
    }

  private:
    std::filesystem::path m_folder;
};

TEST_P(Onnx, GivesPyTorchsResults) {
    const std::string model = kModels + GetParam();
    for (const char* target : {"cpu/sequential", "cpu/openmp"})
        expectPyTorchsOutput(model + ".onnx", model + ".npz", target);
    if (const compute::BackendRegistry registry = compute::makeBuiltinRegistry();
        registry.open(*compute::parseTarget("cpu/onednn")).ok())
        expectPyTorchsOutput(model + ".onnx", model + ".npz", "cpu/onednn");
}

TEST_P(Onnx, GivesPyTorchsResultsOnAGpu) {
    if (const std::string reason = gpuReason(); !reason.empty())
        SKIP_WITHOUT("gpu", reason);
    const std::string model = kModels + GetParam();
    for (const char* target : {"cuda:0/cuda", "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn",
                               "cuda:0/cudnn?deterministic=off", "cuda:0/cudnn?transforms=on"}) {
        SCOPED_TRACE(target);
        expectPyTorchsOutput(model + ".onnx", model + ".npz", target);
    }
    const char* const transforms = "cuda:0/cuda?transforms=on";
    if (GetParam() != std::string("excitation") && GetParam() != std::string("mobilenetv2"))
        return expectPyTorchsOutput(model + ".onnx", model + ".npz", transforms);
    const Finished refused = runCli({"evaluate", model + ".onnx", "--tensors", model + ".npz", "--out",
                                     path("out.npz"), "--target", transforms});
    EXPECT_EQ(refused.exitCode, 2) << "its windows are 1x1, of a stride or of a group for each channel";
    EXPECT_THAT(refused.err, HasSubstr("has no effect here; allowed: a conv2d layer of one group"));
}

TEST_P(Onnx, WhatIsWrittenGivesTheSameResults) {
    const std::string model = kModels + GetParam();
    const Finished run = runCli({"export", model + ".onnx", "--onnx", path("again.onnx"), "--npz",
                                 path("weights.npz"), "--experiment", path("again.json")});
    ASSERT_EQ(0, run.exitCode) << run.err;
    EXPECT_EQ("", run.err);
    expectPyTorchsOutput(path("again.onnx"), model + ".npz", "cpu/openmp");
    expectPyTorchsOutput(path("again.json"), model + ".npz", "cpu/openmp"); // with the weights beside it
}

TEST_P(Onnx, TheExperimentNamesItsWeightsFromItsOwnFolder) {
    ChildProcess::Options options;
    options.directory = folder().string();
    const Finished run =
        runCli({"export", kModels + GetParam() + ".onnx", "--npz", "w.npz", "--experiment", "again.json"}, {},
               options);
    ASSERT_EQ(0, run.exitCode) << run.err;
    EXPECT_EQ("w.npz", Json::parse(read("again.json"))["network"]["weights"]);

    std::filesystem::create_directories(folder() / "real/deep");
    std::filesystem::create_directory_symlink("real/deep", folder() / "link");
    for (const char* place : {"link/e.json", "real/e.json"}) {
        ASSERT_EQ(0, runCli({"export", kModels + GetParam() + ".onnx", "--npz", "link/../w2.npz",
                             "--experiment", place},
                            {}, options)
                         .exitCode);
        const Finished check = runCli({"check", path(place)});
        EXPECT_EQ(0, check.exitCode) << place << ": " << check.err;
    }
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Onnx,
                         testing::Values("alexnet", "excitation", "lenet", "mobilenetv2", "resnet18"),
                         [](const auto& model) { return model.param; });

using OnnxFiles = Onnx;
INSTANTIATE_TEST_SUITE_P(Files, OnnxFiles, testing::Values("resnet18"));

TEST_P(OnnxFiles, AreCheckedAndRunAsTheyAre) {
    const std::string model = kModels + "resnet18.onnx";
    const Finished check = runCli({"check", model, "--json"});
    ASSERT_EQ(0, check.exitCode) << check.err;
    const Json report = Json::parse(check.out);
    EXPECT_EQ(45102, report["network"]["parameters"]);
    const Finished run =
        runCli({"run", model, "--target", "cpu/sequential", "--target", "cpu/openmp", "--set",
                "/network/input/batch=3", "--samples", "1", "--no-trace", "--json", path("results.json")});
    ASSERT_EQ(0, run.exitCode) << run.err;
    const Json results = Json::parse(read("results.json"));
    EXPECT_EQ(3, results["experiment"]["network"]["input"]["batch"]);
    for (const Json& one : results["runs"])
        EXPECT_EQ("ok", one["status"]) << one.dump();
}

TEST_P(OnnxFiles, StandInForTheLayersOfAnExperiment) {
    std::filesystem::copy(kModels + "lenet.onnx", path("lenet.onnx"));
    const std::string file = written("lenet.json", R"({"heteroscope": 1, "kind": "network", "name": "L",
        "task": "infer", "network": {"onnx": "lenet.onnx"}, "targets": ["cpu/openmp"]})");
    expectPyTorchsOutput(file, kModels + "lenet.npz", "cpu/openmp");
    const std::string both = written("both.json", R"({"heteroscope": 1, "kind": "network", "name": "L",
        "network": {"onnx": "lenet.onnx", "layers": []}, "targets": ["cpu/openmp"]})");
    const Finished refused = runCli({"check", both});
    EXPECT_EQ(2, refused.exitCode);
    EXPECT_THAT(refused.err, HasSubstr("/network/layers"));
    const std::string none = written("none.json", R"({"heteroscope": 1, "kind": "network", "name": "L",
        "network": {"onnx": "gone.onnx"}, "targets": ["cpu/openmp"]})");
    EXPECT_THAT(runCli({"check", none}).err, AllOf(HasSubstr("/network/onnx"), HasSubstr("gone.onnx")));
}

TEST_P(OnnxFiles, LetTensorsOverrideTheirWeights) {
    const auto values = compute::readNpz(kModels + "lenet.npz");
    ASSERT_TRUE(values);
    compute::NpyArray zero{{10, 14}, std::vector<float>(140)};
    ASSERT_TRUE(compute::writeNpz(path("in.npz"), {{"input", values->at("input")}, {"fc3.weight", zero}}));
    const Finished run =
        runCli({"evaluate", kModels + "lenet.onnx", "--tensors", path("in.npz"), "--out", path("out.npz")});
    ASSERT_EQ(0, run.exitCode) << run.err;
    const auto results = compute::readNpz(path("out.npz"));
    ASSERT_TRUE(results);
    for (const float value : results->at("output").values)
        EXPECT_EQ(0.0F, value);
}

const char* kSmall = R"({"heteroscope": 1, "kind": "network", "name": "Small, & 100 %", "network":
    {"input": {"shape": [1, 8, 8]}, "layers": [
     {"name": "conv_1", "type": "conv2d", "filters": 2, "padding": 1}, {"name": "relu", "type": "relu"},
     {"name": "flat", "type": "flatten"}, {"name": "out", "type": "dense", "units": 3}]%s},
    "training": {"batch": 4}, "targets": ["cpu/sequential"]})";

std::string small(const std::string& more = {}) {
    std::string text = kSmall;
    return text.replace(text.find("%s"), 2, more);
}

TEST_P(OnnxFiles, WithoutWeightsTheSeedsAreWritten) {
    const Finished run =
        runCli({"export", written("small.json", small()), "--onnx", path("small.onnx"), "--batch", "4"});
    ASSERT_EQ(0, run.exitCode) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("4 of 4 weight tensors"), HasSubstr("seed 1")));
    const auto model = compute::readOnnx(path("small.onnx"));
    ASSERT_TRUE(model);
    EXPECT_EQ(4, model->batch);
    EXPECT_EQ(1u, model->weights.count("conv_1.weight"));
}

TEST_P(OnnxFiles, NetworksWithoutWeightsHaveNoArchiveOfThem) {
    const std::string plain = written("plain.json", R"({"heteroscope": 1, "kind": "network", "name": "plain",
        "network": {"input": {"shape": [1, 4, 4]}, "layers": [{"type": "relu"}]}, "targets": ["cpu/sequential"]})");
    const Finished refused = runCli({"export", plain, "--npz", path("plain.npz")});
    EXPECT_EQ(2, refused.exitCode);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("/network/layers"), HasSubstr("no layer has weights")));
    EXPECT_FALSE(std::filesystem::exists(path("plain.npz")));
    EXPECT_EQ(0, runCli({"export", plain, "--onnx", path("plain.onnx")}).exitCode);
}

TEST_P(OnnxFiles, WeightsThatAreMissingOrWrongAreSaid) {
    ASSERT_TRUE(compute::writeNpz(path("some.npz"), {{"out.bias", {{3}, {1, 2, 3}}}}));
    const std::string some = written("some.json", small(R"(, "weights": "some.npz")"));
    const Finished run = runCli({"run", some, "--samples", "1", "--no-trace"});
    EXPECT_EQ(0, run.exitCode) << run.err;
    EXPECT_THAT(run.err, HasSubstr("3 of 4 weight tensors are not in some.npz"));
    ASSERT_TRUE(compute::writeNpz(path("wrong.npz"), {{"out.bias", {{4}, {1, 2, 3, 4}}}}));
    const Finished wrong = runCli({"export", some, "--weights", path("wrong.npz"), "--onnx", path("x.onnx")});
    EXPECT_EQ(2, wrong.exitCode);
    EXPECT_THAT(wrong.err, AllOf(HasSubstr("'out.bias'"), HasSubstr("4"), HasSubstr("allowed: 3")));
    EXPECT_FALSE(std::filesystem::exists(path("x.onnx")));
}

TEST_P(OnnxFiles, SummariesInThreeForms) {
    const std::string file = written("small.json", small());
    for (const char* ending : {"csv", "tex", "txt"})
        ASSERT_EQ(0, runCli({"check", file, "--summary", path(std::string("s.") + ending)}).exitCode);
    EXPECT_EQ("layer,type,output_shape,parameters,multiply_adds,activation_bytes\n"
              "conv_1,conv2d,2x8x8,20,4608,2048\n"
              "relu,relu,2x8x8,0,0,2048\n"
              "flat,flatten,128x1x1,0,0,0\n"
              "out,dense,3x1x1,387,1536,48\n"
              "total,,,407,6144,4144\n",
              read("s.csv"));
    EXPECT_THAT(read("s.tex"), AllOf(HasSubstr("conv\\_1 & conv2d & 2$\\times$8$\\times$8 & 20 & 4\\,608"),
                                     HasSubstr("\\bottomrule"), Not(HasSubstr("conv_1"))));
    EXPECT_THAT(read("s.txt"), HasSubstr("407 parameters"));
    const Finished other = runCli({"check", file, "--summary", path("s.doc")});
    EXPECT_EQ(2, other.exitCode);
    EXPECT_THAT(other.err, HasSubstr(".csv, .tex or .txt"));
}

TEST_P(OnnxFiles, CheckTellsHowTheWindowsOfAConvolutionExpand) {
    const Finished check = runCli({"check", written("small.json", small()), "--json"});
    ASSERT_EQ(0, check.exitCode) << check.err;
    const Json layers = Json::parse(check.out)["network"]["layers"];
    EXPECT_EQ(9.0, layers[0]["windows_expansion"]);
    EXPECT_TRUE(layers[1]["windows_expansion"].is_null());
    EXPECT_THAT(runCli({"check", path("small.json")}).out, HasSubstr("x 9.0"));
}

TEST_P(OnnxFiles, FilesThatAreNone) {
    const Finished text = runCli({"check", written("text.onnx", "no model at all")});
    EXPECT_EQ(2, text.exitCode);
    EXPECT_THAT(text.err, HasSubstr("ONNX model"));
    EXPECT_EQ(2, runCli({"run", path("gone.onnx")}).exitCode);
    EXPECT_EQ(64, runCli({"export", kModels + "lenet.onnx"}).exitCode);
}

} // namespace
} // namespace heteroscope::process_test
