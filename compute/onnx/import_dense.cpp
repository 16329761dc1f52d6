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

} // namespace heteroscope::compute
