// SPDX-License-Identifier: Apache-2.0
// What is written is valid ONNX and reads back as the same network.
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/onnx/onnx_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

namespace heteroscope::compute {
namespace {

using testing::AllOf;
using testing::HasSubstr;

NetworkSpec networkOf(const char* layers, const char* shape = "[4, 9, 9]") {
    return readNetwork(
        Json::parse(std::string(R"({"input": {"shape": )") + shape + R"(}, "layers": )" + layers + "}"));
}

NamedArrays weightsOf(const NetworkSpec& network) {
    NamedArrays arrays;
    const Status status =
        forInitialState(resolveNetwork(network, {}), TrainingSpec(), [&](InitialTensor tensor) {
            arrays[tensor.name] = {tensor.dims, tensor.values};
            return Status();
        });
    EXPECT_TRUE(status);
    return arrays;
}

onnx::ModelProto checkedModel(const std::string& bytes) {
    onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromString(bytes));
    EXPECT_NO_THROW(onnx::checker::check_model(model));
    return model;
}

void expectSameAfterRoundTrip(const char* layers, const char* shape = "[4, 9, 9]") {
    const NetworkSpec network = networkOf(layers, shape);
    const NamedArrays weights = weightsOf(network);
    const auto bytes = onnxBytes(network, weights);
    ASSERT_TRUE(bytes) << bytes.error().sentence();
    checkedModel(*bytes);
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again.onnx");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(networkJson(network), networkJson(again->network));
    ASSERT_EQ(weights.size(), again->weights.size());
    for (const auto& [name, array] : weights) {
        ASSERT_TRUE(again->weights.contains(name)) << name;
        EXPECT_EQ(array.shape, again->weights.at(name).shape) << name;
        EXPECT_EQ(array.values, again->weights.at(name).values) << name;
    }
}

TEST(OnnxExport, EveryLayerTypeComesBackAsItWas) {
    expectSameAfterRoundTrip(R"([
        {"name": "c1", "type": "conv2d", "filters": 6, "kernel": [3, 2], "stride": 2,
         "padding": [1, 0, 2, 1], "groups": 2, "bias": false},
        {"name": "n1", "type": "batchnorm", "epsilon": 0.001},
        {"name": "r1", "type": "relu6"},
        {"name": "c2", "type": "conv2d", "filters": 6, "padding": 2, "dilation": 2},
        {"name": "r2", "type": "leaky_relu", "slope": 0.25},
        {"name": "sum", "type": "add", "inputs": ["r1", "r2"]},
        {"name": "p1", "type": "maxpool2d", "kernel": 3, "stride": 1, "padding": 1},
        {"name": "p2", "type": "avgpool2d", "kernel": 2, "stride": 1, "count_include_pad": false},
        {"name": "p3", "type": "avgpool2d", "kernel": [2, 3], "stride": 1, "inputs": ["p1"], "padding": [0, 0, 0, 1]},
        {"name": "both", "type": "concat", "inputs": ["p2", "p3"]},
        {"name": "g", "type": "global_avgpool2d"},
        {"name": "f", "type": "flatten"},
        {"name": "d0", "type": "dropout", "rate": 0.25},
        {"name": "d1", "type": "dense", "units": 7},
        {"name": "t", "type": "tanh"},
        {"name": "d2", "type": "dense", "units": 5, "bias": false},
        {"name": "s", "type": "sigmoid"},
        {"name": "r3", "type": "relu"},
        {"name": "m", "type": "softmax"}])");
}

TEST(OnnxExport, ActivationsOfNewerSetsAreWrittenInThem) {
    const auto opsetOf = [](const char* layers) {
        const NetworkSpec network = networkOf(layers);
        onnx::ModelProto model;
        EXPECT_TRUE(model.ParseFromString(*onnxBytes(network, {})));
        return model.opset_import(0).version();
    };
    EXPECT_EQ(opsetOf(R"([{"type": "hard_sigmoid"}])"), 13);
    EXPECT_EQ(opsetOf(R"([{"type": "hard_sigmoid"}, {"type": "hard_swish"}])"), 14);
    EXPECT_EQ(opsetOf(R"([{"type": "gelu"}, {"type": "hard_swish"}])"), 20);
    const NetworkSpec network = networkOf(
        R"([{"name": "a", "type": "gelu"}, {"name": "b", "type": "hard_swish"}, {"name": "c", "type": "hard_sigmoid"}])");
    const auto bytes = onnxBytes(network, {});
    ASSERT_TRUE(bytes);
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again.onnx");
    ASSERT_TRUE(again) << again.error().sentence();
    ASSERT_EQ(again->network.layers.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(again->network.layers[i].type, network.layers[i].type);
}

TEST(OnnxExport, LayerNormalisationAndProductsComeBackAsTheyWere) {
    expectSameAfterRoundTrip(R"([
        {"name": "c", "type": "conv2d", "filters": 6},
        {"name": "whole", "type": "layernorm", "over": "sample", "epsilon": 0.001},
        {"name": "pixels", "type": "layernorm", "over": "channels"},
        {"name": "g", "type": "global_avgpool2d"},
        {"name": "c1", "type": "conv2d", "filters": 2, "kernel": 1},
        {"name": "r", "type": "relu"},
        {"name": "c2", "type": "conv2d", "filters": 6, "kernel": 1},
        {"name": "h", "type": "hard_sigmoid"},
        {"name": "scaled", "type": "mul", "inputs": ["pixels", "h"]},
        {"name": "again", "type": "mul", "inputs": ["h", "scaled"]},
        {"name": "f", "type": "flatten"},
        {"name": "rows", "type": "layernorm", "over": "sample"},
        {"name": "squared", "type": "mul", "inputs": ["rows", "rows"]}])");
}

TEST(OnnxExport, LayerNormalisationNeedsSet17) {
    const auto opsetOf = [](const char* layers) {
        const NetworkSpec network = networkOf(layers);
        onnx::ModelProto model;
        EXPECT_TRUE(model.ParseFromString(*onnxBytes(network, weightsOf(network))));
        return model.opset_import(0).version();
    };
    EXPECT_EQ(opsetOf(R"([{"type": "layernorm"}, {"type": "hard_swish"}])"), 17);
    EXPECT_EQ(opsetOf(R"([{"type": "gelu"}, {"type": "layernorm"}])"), 20);
    EXPECT_EQ(opsetOf(R"([{"type": "mul", "inputs": ["input", "input"]}])"), 13);
}

/// Features would be aligned with the width of an image.
TEST(OnnxExport, AProductOfARowAndAnImageIsOneOfImages) {
    const NetworkSpec network = networkOf(
        R"([{"name": "d", "type": "dense", "units": 4}, {"name": "y", "type": "mul", "inputs": ["input", "d"]}])");
    const auto bytes = onnxBytes(network, weightsOf(network));
    ASSERT_TRUE(bytes) << bytes.error().sentence();
    const onnx::ModelProto model = checkedModel(*bytes);
    EXPECT_EQ(model.graph().output(0).type().tensor_type().shape().dim_size(), 4);
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again.onnx");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(again->network.layers.back().inputs, network.layers.back().inputs);
}

TEST(OnnxExport, RowsFromTheBeginning) {
    expectSameAfterRoundTrip(
        R"([{"name": "a", "type": "dense", "units": 3}, {"name": "n", "type": "batchnorm"},
            {"name": "b", "type": "dense", "units": 3, "inputs": ["a"]},
            {"name": "c", "type": "add", "inputs": ["a", "b", "n"]}])",
        "[5]");
}

TEST(OnnxExport, RowsAndImagesMeet) {
    const NetworkSpec network = networkOf(
        R"([{"name": "g", "type": "global_avgpool2d"}, {"name": "d", "type": "dense", "units": 4},
            {"name": "sum", "type": "add", "inputs": ["g", "d"]},
            {"name": "c", "type": "conv2d", "filters": 2, "kernel": 1}])");
    const auto bytes = onnxBytes(network, weightsOf(network), {3, "meeting"});
    ASSERT_TRUE(bytes) << bytes.error().sentence();
    const onnx::ModelProto model = checkedModel(*bytes);
    EXPECT_EQ(3, model.graph().input(0).type().tensor_type().shape().dim(0).dim_value());
    EXPECT_EQ(4, model.graph().output(0).type().tensor_type().shape().dim_size());
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again.onnx");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(3, again->batch);
    EXPECT_EQ("c", again->network.layers.back().name);
}

TEST(OnnxExport, RoundingUpBecomesPadding) {
    const NetworkSpec network =
        networkOf(R"([{"name": "p", "type": "maxpool2d", "kernel": 2, "ceil": true}])");
    const auto bytes = onnxBytes(network, {});
    ASSERT_TRUE(bytes);
    const auto again = parseOnnx(std::as_bytes(std::span(*bytes)), "again.onnx");
    ASSERT_TRUE(again);
    EXPECT_EQ(Json({0, 1, 0, 1}), again->network.layers.back().values["padding"]);
    EXPECT_EQ(resolveNetwork(network, {}).output(), resolveNetwork(again->network, {}).output());
}

TEST(OnnxExport, AdaptivePoolingOnlyWhereWindowsAreEqual) {
    const NetworkSpec even = networkOf(R"([{"name": "p", "type": "adaptive_avgpool2d", "output": 3}])");
    ASSERT_TRUE(onnxBytes(even, {}));
    const auto odd =
        onnxBytes(networkOf(R"([{"name": "p", "type": "adaptive_avgpool2d", "output": 4}])"), {});
    ASSERT_FALSE(odd);
    EXPECT_THAT(odd.error().sentence(), AllOf(HasSubstr("layer 'p'"), HasSubstr("different sizes")));
}

TEST(OnnxExport, NamesTheTensorThatIsMissing) {
    const NetworkSpec network = networkOf(R"([{"name": "a", "type": "dense", "units": 3}])", "[5]");
    NamedArrays weights = weightsOf(network);
    weights.erase("a.bias");
    const auto bytes = onnxBytes(network, weights);
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().sentence(), AllOf(HasSubstr("'a.bias'"), HasSubstr("missing")));
    const Status status = writeOnnx("/nonexistent/folder/a.onnx", network, weightsOf(network));
    ASSERT_FALSE(status);
    EXPECT_EQ(ErrorCode::Io, status.error().code);
}

TEST(OnnxExport, RefusesWhatOneFileCannotHoldBeforeItIsMade) {
    const auto bytes = onnxBytes(networkOf(R"([{"name": "a", "type": "dense", "units": 40000},
                                {"name": "b", "type": "dense", "units": 40000}])",
                                           "[50]"),
                                 {});
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().sentence(), HasSubstr("in one ONNX file"));
}

} // namespace
} // namespace heteroscope::compute
