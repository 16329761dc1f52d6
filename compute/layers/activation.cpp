// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

namespace {

Result<LayerLowering> lowerActivation(const LayerRequest& request, ActivationKind kind, double slope = 0.01) {
    const Shape4 src = request.inputs[0];
    const std::int64_t elements = src.elements().value_or(0);
    LayerLowering layer{src};
    layer.forward.push_back(
        {ActivationForward{kind, elements, slope}, {{OperandKind::Input, 0}}, {{OperandKind::Output}}});
    layer.backward.push_back(
        {ActivationBackward{kind, elements, slope},
         {derivativeReadsInput(kind) ? Operand{OperandKind::Input, 0} : Operand{OperandKind::Output},
          {OperandKind::OutputGrad}},
         {{OperandKind::InputGrad, 0}}});
    return layer;
}

} // namespace

Result<LayerLowering> lowerRelu(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::Relu);
}

Result<LayerLowering> lowerRelu6(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::Relu6);
}

Result<LayerLowering> lowerLeakyRelu(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::LeakyRelu, request.values.number("slope"));
}

Result<LayerLowering> lowerSigmoid(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::Sigmoid);
}

Result<LayerLowering> lowerTanh(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::Tanh);
}

Result<LayerLowering> lowerGelu(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::Gelu);
}

Result<LayerLowering> lowerHardSwish(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::HardSwish);
}

Result<LayerLowering> lowerHardSigmoid(const LayerRequest& request) {
    return lowerActivation(request, ActivationKind::HardSigmoid);
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
