// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

/// Inference drops nothing: the output is the input.
Result<LayerLowering> lowerDropout(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    LayerLowering layer{src};
    layer.viewsInput = request.mode == NetworkMode::Infer;
    if (layer.viewsInput)
        return layer;
    Dropout op{src.elements().value_or(0), request.values.number("rate"), request.seed, request.number,
               false};
    layer.forward.push_back({op, {{OperandKind::Input, 0}, {OperandKind::Step}}, {{OperandKind::Output}}});
    op.backward = true;
    layer.backward.push_back(
        {op, {{OperandKind::OutputGrad}, {OperandKind::Step}}, {{OperandKind::InputGrad, 0}}});
    return layer;
}

} // namespace heteroscope::compute
