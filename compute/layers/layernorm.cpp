// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

/// PyTorch's LayerNorm of (c, h, w), or that of ConvNeXt over the channels of each pixel.
Result<LayerLowering> lowerLayerNorm(const LayerRequest& request) {
    const Shape4 input = request.inputs[0];
    const bool whole = request.values.text("over") == "sample";
    const Shape4 src = whole ? Shape4{input.n, input.c * input.h * input.w, 1, 1} : input;
    std::vector<std::int64_t> dims{input.c};
    if (whole && input.h * input.w > 1)
        dims = {input.c, input.h, input.w};
    LayerLowering layer{input};
    layer.parameters = {{"weight", dims, InitialValue::One}, {"bias", dims}};
    const std::int64_t pixels = src.n * src.h * src.w;
    layer.saved = {pixels, pixels};
    const Operand gamma{OperandKind::Parameter, 0}, mean{OperandKind::Saved, 0}, scale{OperandKind::Saved, 1};
    layer.forward.push_back({LayerNormForward{src, request.values.number("epsilon")},
                             {{OperandKind::Input, 0}, gamma, {OperandKind::Parameter, 1}},
                             {{OperandKind::Output}, mean, scale}});
    layer.backward.push_back(
        {LayerNormBackward{src},
         {{OperandKind::Input, 0}, {OperandKind::OutputGrad}, gamma, mean, scale},
         {{OperandKind::InputGrad, 0}, {OperandKind::ParameterGrad, 0}, {OperandKind::ParameterGrad, 1}}});
    return layer;
}

} // namespace heteroscope::compute
