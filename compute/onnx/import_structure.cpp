// SPDX-License-Identifier: Apache-2.0
// Operators that join outputs or change their shape.
#include "compute/base/checked_math.h"
#include "compute/onnx/importer.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute {
namespace {

std::string shapeOf(const Activation& activation) {
    return activation.row ? std::to_string(activation.shape.c) : imageText(activation.shape);
}

Result<std::vector<Activation>> allInputs(const Importer& importer, const NodeView& node) {
    std::vector<Activation> inputs;
    for (std::size_t i = 0; i < node.inputs(); ++i) {
        const auto input = importer.activation(node, i);
        if (!input)
            return input.error();
        if (!inputs.empty() && inputs.front().row != input->row)
            return node.refuse("one input has two dimensions, another four", "inputs of one kind");
        inputs.push_back(*input);
    }
    return inputs;
}

Status concatWholes(Importer& importer, const NodeView& node) {
    Wholes joined;
    for (std::size_t i = 0; i < node.inputs(); ++i) {
        const auto part = importer.wholes(node, i);
        if (!part)
            return part.error();
        joined.values.insert(joined.values.end(), part->begin(), part->end());
        if (joined.values.size() > 64)
            return node.refuse("it joins more numbers than a shape has", "at most 64");
    }
    return importer.setOutput(node, joined);
}

Status flatten(Importer& importer, NodeView& node, Activation input) {
    if (input.row)
        return importer.setOutput(node, std::move(input));
    return importer.addLayer(node, {"flatten", Json::object(), {std::move(input)}});
}

/// The sizes of one image that a Reshape asks for; nothing where the batch would not stay the batch.
std::optional<std::vector<std::int64_t>> imageSizes(const std::vector<std::int64_t>& asked,
                                                    const Activation& input, std::int64_t fileBatch,
                                                    bool zeroCopies) {
    if (asked.size() < 2 || asked.size() > 8)
        return std::nullopt;
    const std::vector<std::int64_t> source =
        input.row ? std::vector<std::int64_t>{input.shape.c}
                  : std::vector<std::int64_t>{input.shape.c, input.shape.h, input.shape.w};
    const bool batch = asked[0] == kBatchMark || asked[0] == -1 || (asked[0] == 0 && zeroCopies) ||
                       (fileBatch > 0 && asked[0] == fileBatch);
    std::vector<std::int64_t> sizes(asked.begin() + 1, asked.end());
    std::int64_t known = 1;
    std::int64_t* open = nullptr;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0 && zeroCopies && i < source.size())
            sizes[i] = source[i];
        if (sizes[i] == -1 && open == nullptr && asked[0] != -1)
            open = &sizes[i];
        else if (sizes[i] < 1)
            return std::nullopt;
        else
            known = checkedMul(known, sizes[i]).value_or(0);
        if (known == 0)
            return std::nullopt;
    }
    const std::int64_t all = input.shape.elements().value_or(0);
    if (open != nullptr)
        *open = all / known;
    const std::int64_t together = open == nullptr ? known : known * *open;
    if (!batch || together != all)
        return std::nullopt;
    return sizes;
}

/// Axes of a Squeeze or Unsqueeze, counted from the front of `rank` dimensions.
Result<std::vector<std::int64_t>> axesOf(const Importer& importer, NodeView& node, std::int64_t rank) {
    std::vector<std::int64_t> axes = node.wholes("axes", {});
    if (node.hasInput(1)) {
        auto given = importer.wholes(node, 1);
        if (!given)
            return given;
        axes = std::move(*given);
    }
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? rank : 0;
    std::sort(axes.begin(), axes.end());
    return axes;
}

} // namespace

Status importAdd(Importer& importer, NodeView& node) {
    if (const Status status = node.finish(); !status)
        return status;
    if (node.inputs() == 2)
        for (const std::size_t constant : {std::size_t{1}, std::size_t{0}})
            if (!importer.isActivation(node, constant) && importer.isActivation(node, 1 - constant)) {
                auto bias = importer.floats(node, constant);
                if (!bias)
                    return bias.error();
                return importer.addBias(node, 1 - constant, std::move(*bias));
            }
    auto inputs = allInputs(importer, node);
    if (!inputs)
        return inputs.error();
    if (inputs->size() == 1)
        return importer.setOutput(node, inputs->front());
    return importer.addLayer(node, {"add", Json::object(), std::move(*inputs)});
}

/// SiLU is x sigmoid(x), and hard swish in old sets x hard_sigmoid(x): products of layers, too.
Status importMul(Importer& importer, NodeView& node) {
    if (const Status status = node.finish(); !status)
        return status;
    for (std::size_t i = 0; i < node.inputs(); ++i)
        if (const auto input = importer.value(node, i); input && !std::holds_alternative<Activation>(*input))
            return node.refuse(
                "it multiplies by a constant", "the product of two outputs of layers",
                "part of a GELU or hard swish? Export again with an operator set that has them: "
                "20, or 14");
    auto inputs = allInputs(importer, node);
    if (!inputs)
        return inputs.error();
    return importer.addLayer(node, {"mul", Json::object(), std::move(*inputs)});
}

Status importConcat(Importer& importer, NodeView& node) {
    std::int64_t axis = node.whole("axis", 1);
    if (const Status status = node.finish(); !status)
        return status;
    if (!importer.isActivation(node, 0))
        return concatWholes(importer, node);
    auto inputs = allInputs(importer, node);
    if (!inputs)
        return inputs.error();
    axis += axis < 0 ? (inputs->front().row ? 2 : 4) : 0;
    if (axis != 1)
        return node.refuseAttribute("axis", std::to_string(axis), "1: the channels or features");
    if (inputs->size() == 1)
        return importer.setOutput(node, inputs->front());
    return importer.addLayer(node, {"concat", Json::object(), std::move(*inputs)});
}

Status importFlatten(Importer& importer, NodeView& node) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    std::int64_t axis = node.whole("axis", 1);
    if (const Status status = node.finish(); !status)
        return status;
    axis += axis < 0 ? (input->row ? 2 : 4) : 0;
    if (axis != 1)
        return node.refuseAttribute("axis", std::to_string(axis), "1: all but the batch");
    return flatten(importer, node, *input);
}

Status importReshape(Importer& importer, NodeView& node) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    const bool zeroCopies = node.whole("allowzero", 0) == 0;
    if (const Status status = node.finish(); !status)
        return status;
    const auto asked = importer.wholes(node, 1);
    if (!asked)
        return asked.error();
    const auto sizes = imageSizes(*asked, *input, importer.fileBatch(), zeroCopies);
    const Shape4& s = input->shape;
    if (sizes && sizes->size() == 1)
        return flatten(importer, node, *input);
    if (sizes && *sizes == std::vector<std::int64_t>{s.c, s.h, s.w}) {
        Activation image = *input;
        image.row = false;
        return importer.setOutput(node, image);
    }
    std::vector<std::int64_t> shown = *asked;
    std::replace(shown.begin(), shown.end(), kBatchMark, std::int64_t{-1});
    return node.refuse("it makes " + listText(shown) + " of a batch of " + shapeOf(*input),
                       "what keeps the batch and makes each image a row: [batch, " +
                           std::to_string(s.elements().value_or(0)) + "], [batch, -1] or [0, -1]");
}

Status importSqueeze(Importer& importer, NodeView& node) {
    const bool adds = node.type() == "Unsqueeze";
    if (!importer.isActivation(node, 0)) { // a number becomes a list of one, or back
        node.ignore("axes");
        if (const Status status = node.finish(); !status)
            return status;
        auto numbers = importer.wholes(node, 0);
        if (!numbers)
            return numbers.error();
        return importer.setOutput(node, Wholes{std::move(*numbers)});
    }
    auto input = importer.activation(node, 0);
    auto axes = axesOf(importer, node, 4);
    if (!axes)
        return axes.error();
    if (const Status status = node.finish(); !status)
        return status;
    if (*axes != std::vector<std::int64_t>{2, 3} || input->row != adds || input->shape.h != 1 ||
        input->shape.w != 1)
        return node.refuse("it changes the axes " + listText(*axes) + " of a batch of " + shapeOf(*input),
                           "[2, 3] of [batch, channels, 1, 1] and back");
    if (!adds)
        return flatten(importer, node, std::move(*input));
    input->row = false;
    return importer.setOutput(node, std::move(*input));
}

} // namespace heteroscope::compute
