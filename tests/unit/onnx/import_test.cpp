// SPDX-License-Identifier: Apache-2.0
// Which layers operators become, and in which words the others are refused.
#include "tests/unit/onnx/graph_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const LayerSpec& last(const Result<OnnxModel>& model) {
    return model->network.layers.back();
}

std::string refusal(const Result<OnnxModel>& model) {
    return model ? "it was read" : model.error().sentence();
}

TEST(OnnxImport, ConvolutionWithUnequalPaddingAndNames) {
    GraphMaker maker({3, 9, 9});
    maker.floats("stem.conv.weight", {4, 3, 3, 2});
    maker.floats("stem.conv.bias", {4});
    auto& node = maker.node("Conv", {"x", "stem.conv.weight", "stem.conv.bias"}, "y");
    GraphMaker::wholes(node, "pads", {0, 1, 2, 3}); // top, left, bottom, right
    GraphMaker::wholes(node, "strides", {2, 2});
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ("stem.conv", last(model).name);
    EXPECT_EQ("conv2d", last(model).type);
    EXPECT_EQ(Json({0, 2, 1, 3}), last(model).values["padding"]); // top, bottom, left, right
    EXPECT_EQ(Json({3, 2}), last(model).values["kernel"]);
    EXPECT_EQ(2, last(model).values["stride"]);
    EXPECT_EQ((std::vector<std::int64_t>{4, 3, 3, 2}), model->weights.at("stem.conv.weight").shape);
    EXPECT_EQ(5.0F, model->weights.at("stem.conv.weight").values[5]);
}

TEST(OnnxImport, SamePaddingFollowsTheInput) {
    for (const auto& [mode, padding] :
         {std::pair{"SAME_UPPER", Json({0, 1, 0, 1})}, std::pair{"SAME_LOWER", Json({1, 0, 1, 0})}}) {
        GraphMaker maker({1, 8, 8});
        maker.floats("w", {1, 1, 3, 3});
        auto& node = maker.node("Conv", {"x", "w"}, "y");
        GraphMaker::text(node, "auto_pad", mode);
        GraphMaker::wholes(node, "strides", {2, 2});
        const auto model = maker.read("y");
        ASSERT_TRUE(model) << refusal(model);
        EXPECT_EQ(padding, last(model).values["padding"]) << mode;
    }
}

/// 8 rows and columns, 1 on each side: 10 with a window of 3 and a stride of 3 need 2 more for 4 outputs.
TEST(OnnxImport, SamePaddingFollowsWhatAPadMade) {
    for (const char* type : {"Conv", "AveragePool"}) {
        for (const auto& [mode, padding] :
             {std::pair{"SAME_UPPER", 2}, std::pair{"SAME_LOWER", 2}, std::pair{"VALID", 1}}) {
            GraphMaker maker({1, 8, 8});
            maker.list("pads", {0, 0, 1, 1, 0, 0, 1, 1});
            maker.floats("w", {1, 1, 3, 3});
            maker.node("Pad", {"x", "pads"}, "padded");
            const bool conv = std::string(type) == "Conv";
            auto& node = maker.node(
                type, conv ? std::vector<std::string>{"padded", "w"} : std::vector<std::string>{"padded"},
                "y");
            GraphMaker::text(node, "auto_pad", mode);
            GraphMaker::wholes(node, "kernel_shape", {3, 3});
            GraphMaker::wholes(node, "strides", {3, 3});
            if (!conv)
                GraphMaker::whole(node, "count_include_pad", 1);
            const auto model = maker.read("y");
            ASSERT_TRUE(model) << refusal(model);
            EXPECT_EQ(padding, last(model).values["padding"]) << type << ' ' << mode;
        }
    }
    GraphMaker part({1, 8, 8});
    part.list("pads", {0, 0, 1, 1, 0, 0, 1, 1});
    part.node("Pad", {"x", "pads"}, "padded");
    auto& node = part.node("AveragePool", {"padded"}, "y");
    GraphMaker::text(node, "auto_pad", "SAME_UPPER");
    GraphMaker::wholes(node, "kernel_shape", {3, 3});
    GraphMaker::wholes(node, "strides", {3, 3});
    EXPECT_THAT(refusal(part.read("y")), HasSubstr("only a part of its padding counts"));
}

TEST(OnnxImport, ProductsBecomeDenseLayersLaidOutAsUnitsByInputs) {
    GraphMaker maker({2});
    maker.floats("w", {2, 3}); // inputs x units: 0 1 2 / 3 4 5
    maker.floats("b", {3});
    maker.node("MatMul", {"x", "w"}, "product");
    maker.node("Add", {"b", "product"}, "y");
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    ASSERT_EQ(1u, model->network.layers.size());
    const std::string name = last(model).name;
    EXPECT_EQ(true, last(model).values["bias"]);
    EXPECT_THAT(model->weights.at(name + ".weight").values, ElementsAre(0, 3, 1, 4, 2, 5));
    EXPECT_THAT(model->weights.at(name + ".bias").values, ElementsAre(0, 1, 2));
}

TEST(OnnxImport, GemmScalesItsWeightsAndSpreadsItsBias) {
    GraphMaker maker({2});
    maker.floats("w", {3, 2});
    maker.floats("b", {1, 3});
    auto& node = maker.node("Gemm", {"x", "w", "b"}, "y");
    GraphMaker::whole(node, "transB", 1);
    GraphMaker::number(node, "alpha", 2);
    GraphMaker::number(node, "beta", 10);
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_THAT(model->weights.at(last(model).name + ".weight").values, ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_THAT(model->weights.at(last(model).name + ".bias").values, ElementsAre(0, 10, 20));
}

TEST(OnnxImport, ABiasThatSomebodyElseSeesIsNoBias) {
    GraphMaker maker({2});
    maker.floats("w", {2, 3});
    maker.floats("b", {3});
    maker.node("MatMul", {"x", "w"}, "product");
    maker.node("Add", {"product", "b"}, "sum");
    maker.node("Add", {"product", "sum"}, "y");
    EXPECT_THAT(refusal(maker.read("y")), AllOf(HasSubstr("'sum_node' (Add)"), HasSubstr("no layer's bias")));
}

TEST(OnnxImport, WaysToReshapeIntoRows) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{-1, 12}, std::vector<std::int64_t>{0, -1}}) {
        GraphMaker maker({3, 2, 2});
        maker.list("shape", shape);
        maker.node("Reshape", {"x", "shape"}, "y");
        const auto model = maker.read("y");
        ASSERT_TRUE(model) << refusal(model);
        EXPECT_EQ("flatten", last(model).type);
    }
    GraphMaker maker({3, 2, 2});
    maker.list("shape", {0, 3, 4});
    maker.node("Reshape", {"x", "shape"}, "y");
    EXPECT_THAT(refusal(maker.read("y")), AllOf(HasSubstr("[0, 3, 4]"), HasSubstr("[0, -1]")));
}

TEST(OnnxImport, ViewWithTheBatchOfAShape) {
    GraphMaker maker({3, 2, 2});
    maker.list("zero", {0});
    maker.list("rest", {-1});
    maker.node("Shape", {"x"}, "sizes");
    maker.node("Gather", {"sizes", "zero"}, "batch");
    maker.node("Concat", {"batch", "rest"}, "asked");
    maker.node("Reshape", {"x", "asked"}, "y");
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ("flatten", last(model).type);
}

TEST(OnnxImport, MeanOverTheImageIsGlobalPooling) {
    GraphMaker maker({3, 5, 5});
    auto& node = maker.node("ReduceMean", {"x"}, "mean");
    GraphMaker::wholes(node, "axes", {-1, -2});
    GraphMaker::whole(node, "keepdims", 0);
    maker.floats("w", {3, 2});
    maker.node("MatMul", {"mean", "w"}, "y");
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ("global_avgpool2d", model->network.layers.front().type);
}

/// What the network's output looks like when it is written again.
TEST(OnnxImport, DimensionsOfTheOutputAreKept) {
    const auto rank = [](const Result<OnnxModel>& model) {
        onnx::ModelProto written;
        const auto bytes = onnxBytes(model->network, model->weights, {});
        return bytes && written.ParseFromString(*bytes)
                   ? written.graph().output(0).type().tensor_type().shape().dim_size()
                   : 0;
    };
    for (const int keeps : {0, 1}) {
        GraphMaker maker({3, 5, 5});
        auto& node = maker.node("ReduceMean", {"x"}, "y");
        GraphMaker::wholes(node, "axes", {2, 3});
        GraphMaker::whole(node, "keepdims", keeps);
        const auto model = maker.read("y");
        ASSERT_TRUE(model) << refusal(model);
        EXPECT_EQ(keeps == 0 ? 2 : 4, rank(model));
        EXPECT_THAT(model->notes, testing::IsEmpty());
    }
    GraphMaker squeezed({3, 5, 5});
    squeezed.node("GlobalAveragePool", {"x"}, "mean");
    GraphMaker::wholes(squeezed.node("Squeeze", {"mean"}, "y"), "axes", {2, 3});
    const auto row = squeezed.read("y");
    ASSERT_TRUE(row) << refusal(row);
    EXPECT_EQ(2, rank(row));
    GraphMaker spread({3});
    spread.node("Relu", {"x"}, "positive");
    GraphMaker::wholes(spread.node("Unsqueeze", {"positive"}, "y"), "axes", {2, 3});
    const auto image = spread.read("y");
    ASSERT_TRUE(image) << refusal(image);
    EXPECT_THAT(image->notes, ElementsAre(HasSubstr("[batch, 3]")));
}

TEST(OnnxImport, ZerosOfAPadBelongToTheWindowBehindIt) {
    GraphMaker maker({2, 6, 6});
    maker.list("pads", {0, 0, 1, 2, 0, 0, 3, 0}); // top 1, left 2, bottom 3, right 0
    maker.floats("w", {2, 2, 5, 5});
    maker.node("Pad", {"x", "pads"}, "padded");
    auto& node = maker.node("Conv", {"padded", "w"}, "y");
    GraphMaker::wholes(node, "pads", {1, 1, 1, 1});
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ(Json({2, 4, 3, 1}), last(model).values["padding"]);
    GraphMaker average({2, 6, 6});
    average.list("pads", {0, 0, 1, 1, 0, 0, 1, 1});
    average.node("Pad", {"x", "pads"}, "padded");
    GraphMaker::wholes(average.node("AveragePool", {"padded"}, "y"), "kernel_shape", {3, 3});
    const auto pooled = average.read("y");
    ASSERT_TRUE(pooled) << refusal(pooled);
    EXPECT_EQ(true, last(pooled).values["count_include_pad"]);
    EXPECT_EQ(1, last(pooled).values["padding"]);
    GraphMaker lost({2, 6, 6});
    lost.list("pads", {0, 0, 1, 1, 0, 0, 1, 1});
    lost.node("Pad", {"x", "pads"}, "padded");
    lost.node("Relu", {"padded"}, "y");
    EXPECT_THAT(refusal(lost.read("y")), HasSubstr("Conv or AveragePool behind a Pad"));
}

TEST(OnnxImport, ClipsThatAreLayersAndOneThatIsNot) {
    for (const auto& [most, type] : {std::pair{6.0F, "relu6"}, std::pair{3.0F, ""}}) {
        GraphMaker maker({4}, 10);
        auto& node = maker.node("Clip", {"x"}, "y");
        GraphMaker::number(node, "min", 0);
        GraphMaker::number(node, "max", most);
        const auto model = maker.read("y");
        if (*type != '\0') {
            EXPECT_EQ(type, last(model).type);
        } else {
            EXPECT_THAT(refusal(model), AllOf(HasSubstr("3.0"), HasSubstr("[0, 6]")));
        }
    }
}

TEST(OnnxImport, SoftmaxOfOldSetsGoesOverTheWholeImage) {
    GraphMaker maker({4, 3, 3}, 11);
    maker.node("Softmax", {"x"}, "y");
    EXPECT_THAT(refusal(maker.read("y")), HasSubstr("whole image"));
}

TEST(OnnxImport, HardSigmoidAndGeluAreThoseOfTheirLayersOrRefused) {
    GraphMaker slope({4}, 14);
    slope.node("HardSigmoid", {"x"}, "y"); // alpha 0.2
    EXPECT_THAT(refusal(slope.read("y")), AllOf(HasSubstr("alpha is 0.2"), HasSubstr("1/6 and 1/2")));
    GraphMaker tangent({4}, 20);
    GraphMaker::text(tangent.node("Gelu", {"x"}, "y"), "approximate", "tanh");
    EXPECT_THAT(refusal(tangent.read("y")), HasSubstr("approximate is 'tanh'"));
    GraphMaker exact({4}, 20);
    exact.node("Gelu", {"x"}, "y");
    const auto model = exact.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ(model->network.layers[0].type, "gelu");
}

TEST(OnnxImport, LayerNormalisationOfTheAxesThatLayersHave) {
    GraphMaker whole({2, 3, 4}, 17);
    whole.floats("s", {2, 3, 4});
    GraphMaker::whole(whole.node("LayerNormalization", {"x", "s"}, "y"), "axis", -3);
    const auto model = whole.read("y"); // no shift: zeros
    ASSERT_TRUE(model) << refusal(model);
    const LayerSpec& layer = model->network.layers.at(0);
    EXPECT_EQ(layer.values["over"], "sample");
    EXPECT_EQ(model->weights.at(layer.name + ".weight").values[23], 23.0F);
    EXPECT_EQ(model->weights.at(layer.name + ".bias").values, std::vector<float>(24));
    GraphMaker columns({2, 3, 4}, 17);
    columns.floats("s", {4});
    columns.node("LayerNormalization", {"x", "s"}, "y"); // axis -1
    EXPECT_THAT(refusal(columns.read("y")), AllOf(HasSubstr("'axis' is 3"), HasSubstr("1: all of a sample")));
    GraphMaker scalar({2, 3, 4}, 17);
    scalar.floats("s", {1});
    GraphMaker::whole(scalar.node("LayerNormalization", {"x", "s"}, "y"), "axis", 1);
    EXPECT_THAT(refusal(scalar.read("y")),
                AllOf(HasSubstr("weight has the shape [1]"), HasSubstr("[2, 3, 4]")));
    GraphMaker statistics({2, 3, 4}, 17);
    statistics.floats("s", {2, 3, 4});
    auto& node = statistics.node("LayerNormalization", {"x", "s"}, "y");
    GraphMaker::whole(node, "axis", 1);
    node.add_output("m");
    statistics.node("Relu", {"m"}, "z");
    EXPECT_THAT(refusal(statistics.read("y")), HasSubstr("its output 2, statistics, is read"));
}

TEST(OnnxImport, TransposesAroundALayerNormalisationOnly) {
    const auto turned = [](GraphMaker& maker) {
        GraphMaker::wholes(maker.node("Transpose", {"x"}, "t"), "perm", {0, 2, 3, 1});
    };
    GraphMaker pixels({2, 3, 4}, 17);
    turned(pixels);
    pixels.floats("s", {2});
    pixels.node("LayerNormalization", {"t", "s"}, "n");
    GraphMaker::wholes(pixels.node("Transpose", {"n"}, "y"), "perm", {0, 3, 1, 2});
    const auto model = pixels.read("y");
    ASSERT_TRUE(model) << refusal(model);
    ASSERT_EQ(model->network.layers.size(), 1U);
    EXPECT_EQ(model->network.layers[0].values["over"], "channels");
    GraphMaker other({2, 3, 4}, 17);
    turned(other);
    other.node("Relu", {"t"}, "y");
    EXPECT_THAT(refusal(other.read("y")), AllOf(HasSubstr("(Relu)"), HasSubstr("Transpose put last")));
    GraphMaker open({2, 3, 4}, 17);
    turned(open);
    EXPECT_THAT(refusal(open.read("t")), HasSubstr("a Transpose [0, 3, 1, 2] behind it"));
    GraphMaker wrong({2, 3, 4}, 17);
    GraphMaker::wholes(wrong.node("Transpose", {"x"}, "y"), "perm", {0, 1, 3, 2});
    EXPECT_THAT(refusal(wrong.read("y")), HasSubstr("[0, 2, 3, 1] of an image"));
}

TEST(OnnxImport, ProductsOfOutputsOnly) {
    GraphMaker product({4, 3, 3});
    product.node("Sigmoid", {"x"}, "s");
    product.node("Mul", {"s", "x"}, "y");
    const auto model = product.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ(model->network.layers.back().type, "mul");
    EXPECT_THAT(model->network.layers.back().inputs,
                ElementsAre(model->network.layers.front().name, std::string("input")));
    GraphMaker constant({4, 3, 3});
    constant.floats("c", {1});
    constant.node("Mul", {"x", "c"}, "y");
    EXPECT_THAT(refusal(constant.read("y")),
                AllOf(HasSubstr("(Mul)"), HasSubstr("multiplies by a constant"), HasSubstr("GELU")));
    GraphMaker shapes({4, 3, 3});
    GraphMaker::wholes(shapes.node("MaxPool", {"x"}, "p"), "kernel_shape", {2, 2});
    shapes.node("Mul", {"x", "p"}, "y");
    EXPECT_THAT(refusal(shapes.read("y")), AllOf(HasSubstr("4x3x3"), HasSubstr("4x2x2"), HasSubstr("or 1")));
}

TEST(OnnxImport, WhatTheOutputDoesNotNeedIsLeftOut) {
    GraphMaker maker({4});
    maker.node("Relu", {"x"}, "y");
    maker.node("Tanh", {"x"}, "z");
    const auto model = maker.read("y");
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ(1u, model->network.layers.size());
    EXPECT_THAT(model->notes, ElementsAre(HasSubstr("z_node")));
}

TEST(OnnxImport, RefusesUnknownOperatorsAndAttributesByName) {
    GraphMaker unknown({4, 8, 8});
    unknown.node("LRN", {"x"}, "y");
    EXPECT_THAT(refusal(unknown.read("y")),
                AllOf(HasSubstr("node 'y_node' (LRN)"), HasSubstr("AveragePool, BatchNormalization")));
    GraphMaker foreign({4, 8, 8});
    foreign.node("Relu", {"x"}, "y").set_domain("com.example");
    EXPECT_THAT(refusal(foreign.read("y")), HasSubstr("(Relu)"));
    GraphMaker attribute({4, 8, 8});
    GraphMaker::whole(attribute.node("Relu", {"x"}, "y"), "sharpness", 3);
    EXPECT_THAT(refusal(attribute.read("y")), HasSubstr("'sharpness'"));
    GraphMaker wrongType({4, 8, 8});
    GraphMaker::whole(wrongType.node("MaxPool", {"x"}, "y"), "kernel_shape", 3);
    EXPECT_THAT(refusal(wrongType.read("y")), AllOf(HasSubstr("'kernel_shape' is INT"), HasSubstr("INTS")));
}

TEST(OnnxImport, RefusesWhatLayersCannotDo) {
    GraphMaker wide({4, 8, 8});
    GraphMaker::wholes(wide.node("MaxPool", {"x"}, "y"), "kernel_shape", {9, 9});
    EXPECT_THAT(refusal(wide.read("y")), HasSubstr("(MaxPool)"));
    GraphMaker cube({4, 8, 8});
    cube.floats("w", {2, 4, 3, 3, 3});
    cube.node("Conv", {"x", "w"}, "y");
    EXPECT_THAT(refusal(cube.read("y")), HasSubstr("5 dimensions"));
    GraphMaker channels({4, 8, 8});
    channels.floats("w", {2, 3, 3, 3});
    channels.node("Conv", {"x", "w"}, "y");
    EXPECT_THAT(refusal(channels.read("y")), AllOf(HasSubstr("[2, 3, 3, 3]"), HasSubstr("[2, 4, 3, 3]")));
    GraphMaker norm({4, 8, 8});
    for (const char* name : {"s", "b", "m", "v"})
        norm.floats(name, {4});
    GraphMaker::whole(norm.node("BatchNormalization", {"x", "s", "b", "m", "v"}, "y"), "training_mode", 1);
    EXPECT_THAT(refusal(norm.read("y")), HasSubstr("'training_mode' is 1"));
    GraphMaker old({4, 8, 8}, 9); // five outputs ask for the statistics of the batch, read or not
    for (const char* name : {"s", "b", "m", "v"})
        old.floats(name, {4});
    auto& five = old.node("BatchNormalization", {"x", "s", "b", "m", "v"}, "y");
    for (const char* name : {"mean", "var", "saved_mean", "saved_var"})
        five.add_output(name);
    EXPECT_THAT(refusal(old.read("y")), AllOf(HasSubstr("output 2"), HasSubstr("as in training")));
}

TEST(OnnxImport, RefusesTensorsThatAreNotWhatTheyClaim) {
    const auto conv = [](auto change) {
        GraphMaker maker({1, 8, 8});
        change(maker.floats("w", {1, 1, 3, 3}));
        maker.node("Conv", {"x", "w"}, "y");
        return refusal(maker.read("y"));
    };
    EXPECT_THAT(conv([](onnx::TensorProto& tensor) { tensor.set_dims(0, 1000000); }),
                AllOf(HasSubstr("asks for 9000000 elements"), HasSubstr("holds 9")));
    EXPECT_THAT(conv([](onnx::TensorProto& tensor) {
                    tensor.set_dims(0, INT64_MAX);
                    tensor.set_dims(1, INT64_MAX);
                }),
                HasSubstr("shape is impossible"));
    EXPECT_THAT(conv([](onnx::TensorProto& tensor) { tensor.set_dims(0, -1); }),
                HasSubstr("shape is impossible"));
    EXPECT_THAT(conv([](onnx::TensorProto& tensor) { tensor.set_data_type(onnx::TensorProto::FLOAT16); }),
                HasSubstr("float32"));
    EXPECT_THAT(conv([](onnx::TensorProto& tensor) {
                    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
                    auto& entry = *tensor.add_external_data();
                    entry.set_key("location");
                    entry.set_value("/etc/passwd");
                }),
                AllOf(HasSubstr("in another file"), HasSubstr("export the model into one file")));
}

TEST(OnnxImport, SetsOfOperatorsFrom7To23) {
    for (const std::int64_t opset : {6, 7, 20, 23, 24}) {
        GraphMaker maker({4}, opset);
        maker.node("Relu", {"x"}, "y");
        const auto model = maker.read("y");
        EXPECT_EQ(opset >= 7 && opset <= 23, model.ok()) << opset;
        if (!model) {
            EXPECT_THAT(refusal(model), AllOf(HasSubstr("set " + std::to_string(opset)), HasSubstr("7")));
        }
    }
}

TEST(OnnxImport, OpenSizesAreGivenFromOutside) {
    GraphMaker maker({3, 8, 8});
    maker.graph()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(2)
        ->set_dim_param("height");
    maker.node("Relu", {"x"}, "y");
    EXPECT_THAT(refusal(maker.read("y")), HasSubstr("/network/input/shape"));
    const auto model = maker.read("y", {{3, 16, 8}});
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_THAT(model->network.input, ElementsAre(3, 16, 8));
}

TEST(OnnxImport, RefusesDamagedAndHugeGraphsBeforeBuildingThem) {
    GraphMaker maker({3, 8, 8});
    maker.floats("w", {2, 3, 3, 3});
    maker.node("Conv", {"x", "w"}, "y");
    maker.graph().add_output()->set_name("y");
    const std::string good = maker.model.SerializeAsString();
    ASSERT_TRUE(maker.readAsIs());
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(parseOnnx(std::as_bytes(std::span(good.data(), size)), "cut.onnx")) << size;
    std::string many;
    for (std::size_t i = 0; i <= OnnxLimits::kMaxNodes; ++i)
        many += std::string("\x0a\x00", 2); // an empty node
    onnx::ModelProto model = maker.model;
    ASSERT_TRUE(model.mutable_graph()->MergeFromString(many));
    const std::string bytes = model.SerializeAsString();
    const auto refused = parseOnnx(std::as_bytes(std::span(bytes)), "many.onnx");
    EXPECT_THAT(refusal(refused), AllOf(HasSubstr("nodes"), HasSubstr("20000")));
    model = maker.model;
    model.mutable_graph()->set_doc_string(std::string(OnnxLimits::kMaxStructureBytes, 'a'));
    const std::string text = model.SerializeAsString();
    EXPECT_THAT(refusal(parseOnnx(std::as_bytes(std::span(text)), "text.onnx")), HasSubstr("32"));
}

TEST(OnnxImport, ValuesThatNoNodeComputed) {
    GraphMaker maker({4});
    maker.node("Relu", {"later"}, "y");
    maker.node("Relu", {"x"}, "later");
    EXPECT_THAT(refusal(maker.read("y")), HasSubstr("'later', which no earlier node computes"));
}

TEST(OnnxImport, RefusesWhatIsSaidTwiceInTwoWays) {
    GraphMaker twice({1, 8, 8});
    auto& pool = twice.node("MaxPool", {"x"}, "y");
    GraphMaker::wholes(pool, "kernel_shape", {2, 2});
    for (const std::int64_t stride : {2, 3})
        GraphMaker::wholes(pool, "strides", {stride, stride});
    EXPECT_THAT(refusal(twice.read("y")), AllOf(HasSubstr("(MaxPool)"), HasSubstr("'strides' twice")));
    for (const std::int64_t pads : {0, 1}) {
        GraphMaker both({1, 8, 8});
        auto& node = both.node("MaxPool", {"x"}, "y");
        GraphMaker::wholes(node, "kernel_shape", {2, 2});
        GraphMaker::wholes(node, "pads", {pads, pads, pads, pads});
        GraphMaker::text(node, "auto_pad", "VALID");
        const auto model = both.read("y");
        EXPECT_EQ(pads == 0, model.ok()) << refusal(model);
    }
    GraphMaker numbers({1, 8, 8});
    numbers.floats("w", {1, 1, 1, 1}).set_raw_data(std::string(4, '\0'));
    numbers.node("Conv", {"x", "w"}, "y");
    EXPECT_THAT(refusal(numbers.read("y")), AllOf(HasSubstr("tensor 'w'"), HasSubstr("twice")));
}

TEST(OnnxImport, RefusesAnOutputOfAnotherShapeThanDeclared) {
    for (const std::int64_t size : {0, 4, 5}) { // 0: open
        GraphMaker maker({1, 8, 8});
        GraphMaker::wholes(maker.node("MaxPool", {"x"}, "y"), "kernel_shape", {2, 2});
        GraphMaker::wholes(*maker.graph().mutable_node(0), "strides", {2, 2});
        auto& output = *maker.graph().add_output();
        output.set_name("y");
        auto& shape = *output.mutable_type()->mutable_tensor_type()->mutable_shape();
        shape.add_dim()->set_dim_param("batch");
        shape.add_dim()->set_dim_value(1);
        for (int i = 0; i < 2; ++i) {
            auto& dim = *shape.add_dim();
            if (size > 0)
                dim.set_dim_value(size);
        }
        const auto model = maker.readAsIs();
        EXPECT_EQ(size != 5, model.ok()) << refusal(model);
        if (!model) {
            EXPECT_THAT(refusal(model), AllOf(HasSubstr("[1, 5, 5]"), HasSubstr("[1, 4, 4]")));
        }
    }
}

TEST(OnnxImport, RefusedOutputsNameTheirNode) {
    GraphMaker input({4});
    EXPECT_THAT(refusal(input.read("x")), AllOf(HasSubstr("value 'x'"), HasSubstr("is the model's input")));
    GraphMaker nothing({4});
    nothing.node("Relu", {"x"}, "z");
    EXPECT_THAT(refusal(nothing.read("y")), AllOf(HasSubstr("value 'y'"), HasSubstr("no node computes it")));
    GraphMaker padded({1, 4, 4});
    padded.list("pads", {0, 0, 1, 1, 0, 0, 1, 1});
    padded.node("Pad", {"x", "pads"}, "y");
    EXPECT_THAT(refusal(padded.read("y")), AllOf(HasSubstr("node 'y_node' (Pad)"), HasSubstr("zeros")));
    GraphMaker shape({1, 4, 4});
    shape.node("Shape", {"x"}, "y");
    EXPECT_THAT(refusal(shape.read("y")),
                AllOf(HasSubstr("node 'y_node' (Shape)"), HasSubstr("does not depend")));
}

} // namespace
} // namespace heteroscope::compute
