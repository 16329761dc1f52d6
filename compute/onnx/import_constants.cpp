// SPDX-License-Identifier: Apache-2.0
// Operators on constants and shapes: what exporters write around a reshape.
#include "compute/onnx/importer.h"

#include <utility>

namespace heteroscope::compute {
namespace {

/// The channels go last for a layer normalisation over them, and come back.
Status transposeImage(Importer& importer, const NodeView& node, Activation image,
                      const std::vector<std::int64_t>& order) {
    const std::vector<std::int64_t> asked =
        image.channelsLast ? std::vector<std::int64_t>{0, 3, 1, 2} : std::vector<std::int64_t>{0, 2, 3, 1};
    if (image.row || !(image.padding == Padding2d{}) || order != asked)
        return node.refuse(
            "it changes the order " + listText(order) + " of the output of a layer",
            "[0, 2, 3, 1] of an image before a LayerNormalization, and [0, 3, 1, 2] behind it");
    image.channelsLast = !image.channelsLast;
    return importer.setOutput(node, std::move(image));
}

} // namespace

Status importIdentity(Importer& importer, NodeView& node) {
    if (const Status status = node.finish(); !status)
        return status;
    auto value = importer.value(node, 0);
    if (!value)
        return value.error();
    return importer.setOutput(node, std::move(*value));
}

Status importConstant(Importer& importer, NodeView& node) {
    if (node.has("value_int") || node.has("value_ints")) {
        const Wholes wholes{node.has("value_int") ? std::vector{node.whole("value_int", 0)}
                                                  : node.wholes("value_ints", {})};
        if (const Status status = node.finish(); !status)
            return status;
        return importer.setOutput(node, wholes);
    }
    const onnx::TensorProto* tensor = node.tensor("value");
    if (const Status status = node.finish(); !status)
        return status;
    if (tensor == nullptr)
        return node.refuse("it has no value", "the attribute value, value_int or value_ints");
    return importer.setOutput(node, Constant{tensor});
}

Status importTranspose(Importer& importer, NodeView& node) {
    const std::vector<std::int64_t> order = node.wholes("perm", {1, 0});
    if (const Status status = node.finish(); !status)
        return status;
    const auto value = importer.value(node, 0);
    if (!value)
        return value.error();
    if (const auto* image = std::get_if<Activation>(&*value))
        return transposeImage(importer, node, *image, order);
    const auto* constant = std::get_if<Constant>(&*value);
    if (constant == nullptr || constant->tensor->dims_size() != 2 || order != std::vector<std::int64_t>{1, 0})
        return node.refuse("it changes the order " + listText(order) + " of what it reads",
                           "[1, 0] of a matrix of weights");
    return importer.setOutput(node, Constant{constant->tensor, !constant->transposed});
}

Status importShape(Importer& importer, NodeView& node) {
    const auto input = importer.activation(node, 0);
    if (!input)
        return input.error();
    const Shape4& s = input->shape;
    Wholes sizes{input->row ? std::vector{kBatchMark, s.c} : std::vector{kBatchMark, s.c, s.h, s.w}};
    const auto rank = static_cast<std::int64_t>(sizes.values.size());
    std::int64_t start = node.whole("start", 0), end = node.whole("end", rank);
    if (const Status status = node.finish(); !status)
        return status;
    start += start < 0 ? rank : 0;
    end += end < 0 ? rank : 0;
    if (start < 0 || end > rank || start >= end)
        return node.refuse("it takes the sizes from " + std::to_string(start) + " to " + std::to_string(end),
                           "some of 0 to " + std::to_string(rank));
    sizes.values = {sizes.values.begin() + start, sizes.values.begin() + end};
    return importer.setOutput(node, sizes);
}

Status importGather(Importer& importer, NodeView& node) {
    node.mustBe("axis", 0);
    if (const Status status = node.finish(); !status)
        return status;
    const auto numbers = importer.wholes(node, 0);
    const auto indices = importer.wholes(node, 1);
    if (!numbers)
        return numbers.error();
    if (!indices)
        return indices.error();
    const auto count = static_cast<std::int64_t>(numbers->size());
    Wholes picked;
    for (const std::int64_t index : *indices) {
        const std::int64_t place = index < 0 ? index + count : index;
        if (place < 0 || place >= count)
            return node.refuse("it picks number " + std::to_string(index) + " of " + std::to_string(count));
        picked.values.push_back((*numbers)[static_cast<std::size_t>(place)]);
    }
    return importer.setOutput(node, picked);
}

Status importCast(Importer& importer, NodeView& node) {
    const std::int64_t to = node.whole("to", onnx::TensorProto::INT64);
    node.ignore("saturate"); // of types with 8 bits
    if (const Status status = node.finish(); !status)
        return status;
    if (to != onnx::TensorProto::INT64 && to != onnx::TensorProto::INT32)
        return node.refuse("it changes the type of its input to number " + std::to_string(to),
                           "whole numbers of shapes; layers compute in float32");
    auto numbers = importer.wholes(node, 0);
    if (!numbers)
        return numbers.error();
    return importer.setOutput(node, Wholes{std::move(*numbers)});
}

} // namespace heteroscope::compute
