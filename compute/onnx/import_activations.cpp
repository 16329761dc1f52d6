// SPDX-License-Identifier: Apache-2.0
// Operators that change each number by itself, softmax and dropout.
#include "compute/core/ops/activation.h"
#include "compute/onnx/importer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace heteroscope::compute {
namespace {

Status addPlain(Importer& importer, NodeView& node, const char* type, Json values = Json::object()) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    if (const Status status = node.finish(); !status)
        return status;
    return importer.addLayer(node, {type, std::move(values), {*input}});
}

/// A number that older sets have as an attribute and newer ones as an input.
Result<double> scalar(const Importer& importer, NodeView& node, const char* key, std::size_t input,
                      double otherwise) {
    const double attribute = node.number(key, otherwise);
    if (!node.hasInput(input))
        return attribute;
    const auto given = importer.floats(node, input);
    if (!given)
        return given.error();
    if (given->values.size() != 1)
        return node.refuse(std::string(key) + " has " + std::to_string(given->values.size()) + " numbers",
                           "one");
    return asWritten(given->values.front());
}

bool isFalse(const GraphValue& value) {
    const auto* constant = std::get_if<Constant>(&value);
    if (constant == nullptr)
        return false;
    const onnx::TensorProto& tensor = *constant->tensor;
    if (tensor.int32_data_size() == 1)
        return tensor.int32_data(0) == 0;
    return tensor.raw_data() == std::string(1, '\0');
}

} // namespace

Status importPlainActivation(Importer& importer, NodeView& node) {
    const auto* const traits =
        std::find_if(std::begin(kActivations), std::end(kActivations),
                     [&](const ActivationTraits& known) { return known.onnxOperator == node.type(); });
    return addPlain(importer, node, traits->name);
}

Status importGelu(Importer& importer, NodeView& node) {
    if (const std::string approximate = node.text("approximate", "none"); approximate != "none")
        return node.refuse("approximate is '" + approximate + "'", "none: with the error function");
    return addPlain(importer, node, "gelu");
}

/// The slope of its layer is that of MobileNetV3 and PyTorch.
Status importHardSigmoid(Importer& importer, NodeView& node) {
    constexpr double kSlope = 1.0 / 6.0, kRounding = 1e-6;
    const double alpha = node.number("alpha", 0.2), beta = node.number("beta", 0.5);
    const bool fits = std::abs(alpha - kSlope) <= kRounding && std::abs(beta - 0.5) <= kRounding;
    if (!fits) // NaN neither
        return node.refuse("alpha is " + std::to_string(alpha) + " and beta " + std::to_string(beta),
                           "1/6 and 1/2");
    return addPlain(importer, node, "hard_sigmoid");
}

Status importLeakyRelu(Importer& importer, NodeView& node) {
    const Json values = {{"slope", node.number("alpha", 0.01)}};
    return addPlain(importer, node, "leaky_relu", values);
}

Status importClip(Importer& importer, NodeView& node) {
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto low = scalar(importer, node, "min", 1, -kMost);
    const auto high = scalar(importer, node, "max", 2, kMost);
    if (!low)
        return low.error();
    if (!high)
        return high.error();
    if (*low == 0.0 && (*high == 6.0 || *high >= kMost))
        return addPlain(importer, node, *high == 6.0 ? "relu6" : "relu");
    return node.refuse("it clips to [" + std::to_string(*low) + ", " + std::to_string(*high) + "]",
                       "[0, 6], or [0, infinity]");
}

Status importSoftmax(Importer& importer, NodeView& node) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    const std::int64_t rank = input->row ? 2 : 4;
    const bool old = node.opset() < 13; // all dimensions from the axis on are one
    std::int64_t axis = node.whole("axis", old ? 1 : -1);
    axis += axis < 0 ? rank : 0;
    if (axis != 1)
        return node.refuseAttribute("axis", std::to_string(axis), "1: the channels or features");
    if (old && input->shape.h * input->shape.w != 1)
        return node.refuse("before set 13 it goes over the whole image", "a softmax over the channels");
    return addPlain(importer, node, "softmax");
}

Status importDropout(Importer& importer, NodeView& node) {
    node.ignore("seed");
    const auto rate = scalar(importer, node, "ratio", 1, 0.5);
    if (!rate)
        return rate.error();
    if (node.outputs() > 1 && importer.isRead(node.output(1)))
        return node.refuse("its second output, the mask, is read", "the first output only");
    if (node.hasInput(2)) {
        const auto training = importer.value(node, 2);
        if (!training)
            return training.error();
        if (!isFalse(*training))
            return node.refuse("it drops elements during inference, too", "training_mode false",
                               "export the model for inference");
    }
    const Json values = {{"rate", *rate}};
    return addPlain(importer, node, "dropout", values);
}

} // namespace heteroscope::compute
