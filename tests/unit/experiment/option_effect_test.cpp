// SPDX-License-Identifier: Apache-2.0
// Options of targets on a GPU: refused where nothing reads them, whether a GPU is there or not.
#include "compute/experiment/spec/option_effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace heteroscope::compute {
namespace {

using Options = std::set<std::string>;

const std::vector<std::string> kAll{"cuda?data=streamed",  "cuda?fuse=off",           "cuda?graph=on",
                                    "cuda?host=pinned",    "cuda?kernel=register",    "cublas?benchmark=on",
                                    "cublas?tf32=on",      "cublas?fuse=on",          "cudnn?fuse=off",
                                    "cudnn?benchmark=on",  "cudnn?deterministic=off", "cudnn?tf32=off",
                                    "cudnn?transforms=on", "cuda?transforms=on"};

/// Those of all that an experiment refuses; each refusal is at its target and names option and target.
Options refused(const char* text) {
    Options found;
    for (const std::string& option : kAll) {
        Json document = Json::parse(text);
        document["heteroscope"] = 1;
        document["targets"] = {"cpu/sequential", "cuda:0/" + option};
        EXPECT_TRUE(specFromJson(document).ok()) << "points and recordings are read, whatever has an effect";
        for (const Diagnostic& one : optionsWithoutEffect(document)) {
            EXPECT_EQ(one.pointer, "/targets/1") << option << ": " << one.message;
            EXPECT_THAT(one.message, testing::HasSubstr("cuda:0/" + option + " has no effect here"));
            EXPECT_FALSE(one.allowed.empty());
            found.insert(option);
        }
    }
    return found;
}

Options allBut(const Options& accepted) {
    Options rest(kAll.begin(), kAll.end());
    for (const std::string& one : accepted)
        EXPECT_EQ(rest.erase(one), 1u) << one;
    return rest;
}

const Options kEverywhere{"cuda?graph=on", "cuda?host=pinned"};
Options andEverywhere(Options some) {
    some.insert(kEverywhere.begin(), kEverywhere.end());
    return some;
}

const char* const kDense = R"({"kind": "network", "task": "infer", "network": {"input": {"shape": [1, 8, 8]},
    "layers": [{"type": "flatten"}, {"type": "dense", "units": 4}]}})";
const char* const kConvolution = R"({"kind": "network", "task": "train", "training": {"batch": 2},
    "network": {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "conv2d", "filters": 2, "kernel": 3},
    {"type": "flatten"}, {"type": "dense", "units": 4}]}})";

Json onDataset(const Json& transforms) {
    Json document = Json::parse(kConvolution);
    document["data"] = {{"source", "shapes"}, {"count", 20}, {"transforms", transforms}};
    return document;
}

TEST(OptionEffect, PoolingHasNoNetworkAndNoProduct) {
    EXPECT_EQ(refused(R"({"kind": "pooling"})"), allBut(kEverywhere));
}

TEST(OptionEffect, TheWindowStrategyMultiplies) {
    Options accepted = andEverywhere({"cuda?kernel=register", "cublas?benchmark=on", "cublas?tf32=on"});
    EXPECT_EQ(refused(R"({"kind": "pooling", "axes": {"/pooling/strategy": ["image", "window"]}})"),
              allBut(accepted));
    accepted.erase("cuda?graph=on"); // each window is copied for itself
    EXPECT_EQ(refused(R"({"kind": "pooling", "pooling": {"strategy": "window"}})"), allBut(accepted));
}

TEST(OptionEffect, AMatrixProductHasNoLayers) {
    EXPECT_EQ(refused(R"({"kind": "matmul"})"),
              allBut(andEverywhere({"cuda?kernel=register", "cublas?benchmark=on", "cublas?tf32=on"})));
}

TEST(OptionEffect, CudnnChoosesAmongEnginesOfConvolutionsOnly) {
    EXPECT_EQ(refused(kDense), allBut(andEverywhere({"cuda?fuse=off", "cublas?fuse=on", "cublas?benchmark=on",
                                                     "cublas?tf32=on"})));
    Json unrolled = Json::parse(kDense);
    unrolled["network"]["layers"] = {{{"type", "conv2d"}, {"filters", 2}, {"kernel", 3}}};
    EXPECT_EQ(refused(unrolled.dump().c_str()), (Options{"cuda?data=streamed", "cuda?kernel=register",
                                                         "cublas?benchmark=on", "cublas?fuse=on"}));
    EXPECT_EQ(refused(kConvolution), (Options{"cuda?data=streamed", "cuda?kernel=register"}));
}

TEST(OptionEffect, OurKernelsTransformSmallWindowsWithoutStrides) {
    const auto isRefused = [](const Json& changes, const Json& axes = Json::object()) {
        Json document = Json::parse(kConvolution);
        for (const auto& [key, value] : changes.items())
            document["network"]["layers"][0][key] = value;
        if (!axes.empty())
            document["axes"] = axes;
        return refused(document.dump().c_str()).contains("cuda?transforms=on");
    };
    EXPECT_FALSE(isRefused({{"kernel", 5}}));
    EXPECT_FALSE(isRefused({{"kernel", {3, 3}}}));
    EXPECT_TRUE(isRefused({{"kernel", 7}}));
    EXPECT_TRUE(isRefused({{"kernel", {3, 5}}}));
    EXPECT_TRUE(isRefused({{"stride", 2}}));
    EXPECT_TRUE(isRefused({{"dilation", 2}}));
    EXPECT_FALSE(isRefused({{"kernel", 7}}, {{"/network/layers/0/kernel", {3, 7}}}));
}

TEST(OptionEffect, ImagesAreStreamedToATrainingOnADataset) {
    EXPECT_EQ(refused(onDataset(Json::array()).dump().c_str()), Options{"cuda?kernel=register"});
    const Json resize = {{{"type", "resize"}, {"size", 8}}}, flip = {{{"type", "flip"}}};
    EXPECT_EQ(refused(onDataset(resize).dump().c_str()), Options{"cuda?kernel=register"});
    EXPECT_EQ(refused(onDataset(flip).dump().c_str()),
              (Options{"cuda?data=streamed", "cuda?kernel=register"}));
}

/// What one point has counts, and what none has does not.
TEST(OptionEffect, AnAxisIsWhatItsValuesAre) {
    Json document = Json::parse(kDense);
    document["networks"] = {{"dense", document["network"]},
                            {"convolution", Json::parse(kConvolution)["network"]}};
    const Options none{"cuda?data=streamed", "cuda?kernel=register"};
    document["axes"] = {{"/network", {"dense", "convolution"}}};
    EXPECT_EQ(refused(document.dump().c_str()), none);
    document["axes"] = {{"/network", {"dense"}}};
    EXPECT_EQ(refused(document.dump().c_str()), refused(kDense));

    Json tasks = Json::parse(kConvolution);
    tasks["axes"] = {{"/task", {"infer", "train"}}};
    EXPECT_EQ(refused(tasks.dump().c_str()), none); // no dataset at any point
    tasks["axes"]["/data/source"] = {"synthetic", "shapes"};
    EXPECT_EQ(refused(tasks.dump().c_str()), Options{"cuda?kernel=register"});

    const char* const image = R"({"kind": "pooling", "axes": {"/pooling/strategy": ["image"]}})";
    EXPECT_EQ(refused(image), refused(R"({"kind": "pooling"})"));
}

TEST(OptionEffect, ProcessorsAreAskedThemselves) {
    EXPECT_TRUE(
        checkExperiment({{"heteroscope", 1}, {"kind", "pooling"}, {"targets", {"cpu/openmp?threads=2"}}})
            .empty());
}

} // namespace
} // namespace heteroscope::compute
