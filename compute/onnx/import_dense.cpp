// SPDX-License-Identifier: Apache-2.0
// Operators with weights that are no window's: matrix products and normalisation.
#include "compute/onnx/importer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscope::compute {
namespace {

Result<Activation> rowInput(Importer& importer, const NodeView& node) {
    auto input = importer.activation(node, 0);
    if (input && !input->row)
        return node.refuse("its input has four dimensions", "[batch, features]", "put a Flatten before it");
    return input;
}

/// The weights of a product as a dense layer has them: (units, inputs).
Result<NpyArray> denseWeights(Importer& importer, const NodeView& node, bool transposed) {
    const auto found = importer.value(node, 1);
    if (!found)
        return found.error();
    const auto* constant = std::get_if<Constant>(&*found);
    if (constant == nullptr)
        return node.refuse("its second input depends on the model's input", "weights that the file fixes");
    if (constant->tensor->dims_size() != 2)
        return node.refuse(
            "its weights have " + std::to_string(constant->tensor->dims_size()) + " dimensions", "two");
    Constant weights = *constant;
    weights.transposed = weights.transposed == transposed;
    return readFloats(weights, importer.file());
}

void scale(NpyArray& array, double factor) {
    for (float& value : array.values)
        value = static_cast<float>(static_cast<double>(value) * factor);
}

/// One number a unit, from all the forms that ONNX spreads over the batch.
Result<NpyArray> gemmBias(Importer& importer, const NodeView& node, std::int64_t units) {
    auto bias = importer.floats(node, 2);
    if (!bias)
        return bias;
    const auto& shape = bias->shape;
    if (bias->values.size() == 1 && units > 1)
        bias->values.assign(static_cast<std::size_t>(units), bias->values.front());
    if (static_cast<std::int64_t>(bias->values.size()) != units || shape.size() > 2 ||
        (shape.size() == 2 && shape[0] != 1))
        return node.refuse("its bias has the shape " + listText(shape),
                           "one number, or one for each of the " + std::to_string(units) + " units");
    bias->shape = {units};
    return bias;
}

} // namespace

Status importGemm(Importer& importer, NodeView& node) {
    const auto input = rowInput(importer, node);
    if (!input)
        return input.error();
    node.mustBe("transA", 0);
    const bool transposed = node.whole("transB", 0) != 0;
    const double alpha = node.number("alpha", 1.0), beta = node.number("beta", 1.0);
    if (const Status status = node.finish(); !status)
        return status;
    auto weights = denseWeights(importer, node, transposed);
    if (!weights)
        return weights.error();
    if (alpha != 1.0)
        scale(*weights, alpha);
    const std::int64_t units = weights->shape[0];
    LayerRequested layer{"dense", {{"units", units}, {"bias", node.hasInput(2)}}, {*input}};
    layer.nameHint = node.input(1);
    layer.tensors.emplace_back("weight", std::move(*weights));
    if (node.hasInput(2)) {
        auto bias = gemmBias(importer, node, units);
        if (!bias)
            return bias.error();
        if (beta != 1.0)
            scale(*bias, beta);
        layer.tensors.emplace_back("bias", std::move(*bias));
    }
    return importer.addLayer(node, std::move(layer));
}

Status importMatMul(Importer& importer, NodeView& node) {
    const auto input = rowInput(importer, node);
    if (!input)
        return input.error();
    if (const Status status = node.finish(); !status)
        return status;
    auto weights = denseWeights(importer, node, false);
    if (!weights)
        return weights.error();
    LayerRequested layer{"dense", {{"units", weights->shape[0]}, {"bias", false}}, {*input}};
    layer.nameHint = node.input(1);
    layer.tensors.emplace_back("weight", std::move(*weights));
    return importer.addLayer(node, std::move(layer));
}

Status importBatchNormalization(Importer& importer, NodeView& node) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    node.mustBe("training_mode", 0);
    node.mustBe("spatial", 1);
    const double epsilon = node.number("epsilon", 1e-5);
    const double kept = node.number("momentum", 0.9);
    const double taken = std::round((1.0 - kept) * 1e7) / 1e7; // seven digits, as float32 has them
    if (const Status status = node.finish(); !status)
        return status;
    // Before set 14, which has the attribute, more outputs than one are the request for training.
    for (std::size_t i = 1; i < node.outputs(); ++i)
        if (importer.isRead(node.output(i)) || (node.opset() < 14 && !node.output(i).empty()))
            return node.refuse("it has output " + std::to_string(i + 1) +
                                   ", which asks for the statistics of the batch, as in training",
                               "the first output only", "export the model for inference");
    LayerRequested layer{
        "batchnorm", {{"epsilon", epsilon}, {"momentum", std::clamp(taken, 0.0, 1.0)}}, {*input}};
    constexpr const char* kNames[] = {"weight", "bias", "running_mean", "running_var"};
    for (std::size_t i = 0; i < 4; ++i) {
        auto tensor = importer.floats(node, i + 1);
        if (!tensor)
            return tensor.error();
        layer.tensors.emplace_back(kNames[i], std::move(*tensor));
    }
    layer.nameHint = node.input(1);
    return importer.addLayer(node, std::move(layer));
}

/// Over the channels, height and width of an image, over the features of a row, or, between two Transposes,
/// over the channels of each pixel.
Status importLayerNormalization(Importer& importer, NodeView& node) {
    const auto any = importer.laidOutActivation(node, 0);
    const auto input = any && any->channelsLast ? any : importer.activation(node, 0);
    if (!input)
        return input.error();
    node.mustBe("stash_type", 1);
    const double epsilon = node.number("epsilon", 1e-5);
    std::int64_t axis = node.whole("axis", -1);
    if (const Status status = node.finish(); !status)
        return status;
    axis += axis < 0 ? (input->row ? 2 : 4) : 0;
    const std::int64_t wanted = input->channelsLast ? 3 : 1;
    if (axis != wanted)
        return node.refuseAttribute(
            "axis", std::to_string(axis),
            input->channelsLast ? "3 or -1: the channels, which lie last"
                                : "1: all of a sample; or -1 between a Transpose [0, 2, 3, 1] and one "
                                  "[0, 3, 1, 2]: the channels of each pixel");
    for (std::size_t i = 1; i < node.outputs(); ++i)
        if (importer.isRead(node.output(i)))
            return node.refuse("its output " + std::to_string(i + 1) + ", statistics, is read",
                               "the first output only");
    const Shape4& s = input->shape;
    const bool image = !input->row && !input->channelsLast;
    const std::vector<std::int64_t> sizes =
        image ? std::vector<std::int64_t>{s.c, s.h, s.w} : std::vector<std::int64_t>{s.c};
    LayerRequested layer{
        "layernorm", {{"over", input->channelsLast ? "channels" : "sample"}, {"epsilon", epsilon}}, {*input}};
    constexpr const char* kNames[] = {"weight", "bias"};
    for (std::size_t i = 0; i < 2; ++i) {
        NpyArray tensor{sizes, {}};
        if (i == 0 || node.hasInput(2)) {
            auto given = importer.floats(node, i + 1);
            if (!given)
                return given.error();
            if (given->shape != sizes)
                return node.refuse(std::string(kNames[i]) + " has the shape " + listText(given->shape),
                                   listText(sizes));
            tensor = std::move(*given);
        } else {
            tensor.values.assign(static_cast<std::size_t>(s.c * (image ? s.h * s.w : 1)), 0.0F);
        }
        if (s.h * s.w == 1)
            tensor.shape = {s.c};
        layer.tensors.emplace_back(kNames[i], std::move(tensor));
    }
    layer.nameHint = node.input(1);
    auto output = importer.makeLayer(node, std::move(layer));
    if (!output)
        return output.error();
    output->channelsLast = input->channelsLast;
    return importer.setOutput(node, std::move(*output));
}

} // namespace heteroscope::compute
