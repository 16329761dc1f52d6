// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

#include <string>

namespace heteroscope::compute {

namespace {

std::string shapeOf(const Shape4& shape) {
    return std::to_string(shape.c) + "x" + std::to_string(shape.h) + "x" + std::to_string(shape.w);
}

} // namespace

Result<LayerLowering> lowerFlatten(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    LayerLowering layer{Shape4{src.n, src.c * src.h * src.w, 1, 1}};
    layer.viewsInput = true;
    return layer;
}

Result<LayerLowering> lowerAdd(const LayerRequest& request) {
    const Shape4 first = request.inputs[0];
    LayerLowering layer{first};
    layer.passesGradient = true;
    for (std::size_t i = 1; i < request.inputs.size(); ++i) {
        if (!(request.inputs[i] == first))
            return badInput("inputs",
                            "the first has the shape " + shapeOf(first) + ", number " +
                                std::to_string(i + 1) + " has " + shapeOf(request.inputs[i]),
                            "inputs of one shape");
        const Operand sum = i == 1 ? Operand{OperandKind::Input, 0} : Operand{OperandKind::Output};
        layer.forward.push_back(
            {Add{first.elements().value_or(0)}, {sum, {OperandKind::Input, i}}, {{OperandKind::Output}}});
    }
    return layer;
}

Result<LayerLowering> lowerMul(const LayerRequest& request) {
    const Shape4 a = request.inputs[0], b = request.inputs[1];
    const std::optional<Shape4> dst = broadcastShape(a, b);
    if (!dst)
        return badInput("inputs", "the first has the shape " + shapeOf(a) + ", the second " + shapeOf(b),
                        "channels, heights and widths that are the same, or 1 in one of the two",
                        "a factor for each channel has the shape " + std::to_string(a.c) +
                            "x1x1, as global average pooling gives it");
    LayerLowering layer{*dst};
    layer.forward.push_back(
        {Multiply{a, b}, {{OperandKind::Input, 0}, {OperandKind::Input, 1}}, {{OperandKind::Output}}});
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        layer.backward.push_back({MultiplyBackward{request.inputs[i], request.inputs[1 - i]},
                                  {{OperandKind::OutputGrad}, {OperandKind::Input, 1 - i}},
                                  {{OperandKind::InputGrad, i}}});
    return layer;
}

Result<LayerLowering> lowerConcat(const LayerRequest& request) {
    Shape4 dst = request.inputs[0];
    dst.c = 0;
    for (const Shape4& input : request.inputs) {
        if (input.h != dst.h || input.w != dst.w)
            return badInput("inputs",
                            "one has the shape " + shapeOf(request.inputs[0]) + ", another " + shapeOf(input),
                            "inputs of one height and width");
        dst.c += input.c;
    }
    LayerLowering layer{dst};
    std::int64_t channel = 0;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const Shape4 src = request.inputs[i];
        layer.forward.push_back({CopyChannels{src, dst.c, 0, channel, src.c},
                                 {{OperandKind::Input, i}},
                                 {{OperandKind::Output}}});
        layer.backward.push_back({CopyChannels{dst, src.c, channel, 0, src.c},
                                  {{OperandKind::OutputGrad}},
                                  {{OperandKind::InputGrad, i}}});
        channel += src.c;
    }
    return layer;
}

} // namespace heteroscope::compute
