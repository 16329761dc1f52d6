// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

Result<LayerLowering> lowerActivation(const LayerRequest& request) {
    const ActivationTraits& traits = *findActivation(request.type);
    const Shape4 src = request.inputs[0];
    const std::int64_t elements = src.elements().value_or(0);
    const double slope = traits.kind == ActivationKind::LeakyRelu ? request.values.number("slope") : 0.01;
    LayerLowering layer{src};
    layer.forward.push_back({ActivationForward{traits.kind, elements, slope},
                             {{OperandKind::Input, 0}},
                             {{OperandKind::Output}}});
    layer.backward.push_back(
        {ActivationBackward{traits.kind, elements, slope},
         {traits.derivativeReadsInput ? Operand{OperandKind::Input, 0} : Operand{OperandKind::Output},
          {OperandKind::OutputGrad}},
         {{OperandKind::InputGrad, 0}}});
    return layer;
}

Result<LayerLowering> lowerSoftmax(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    LayerLowering layer{src};
    layer.forward.push_back({SoftmaxForward{src}, {{OperandKind::Input, 0}}, {{OperandKind::Output}}});
    layer.backward.push_back({SoftmaxBackward{src},
                              {{OperandKind::Output}, {OperandKind::OutputGrad}},
                              {{OperandKind::InputGrad, 0}}});
    return layer;
}

} // namespace heteroscope::compute
