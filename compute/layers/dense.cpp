// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

Result<LayerLowering> lowerDense(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    const auto inputs = checkedProduct({src.c, src.h, src.w});
    const DenseParams params{inputs.value_or(0), request.values.whole("units"),
                             request.values.boolean("bias")};
    const auto facts = opFacts(DenseForward{params, src.n});
    if (!facts.sizes)
        return facts.sizes.error();
    LayerLowering layer{Shape4{src.n, params.units, 1, 1}};
    layer.parameters.push_back(
        {"weight", {params.units, params.inputs}, InitialValue::Weights, params.inputs, params.units});
    const Operand weight{OperandKind::Parameter, 0}, dstGrad{OperandKind::OutputGrad};
    layer.forward.push_back(
        {DenseForward{params, src.n}, {{OperandKind::Input, 0}, weight}, {{OperandKind::Output}}});
    layer.backward.push_back( // first: the layers before wait for it
        {DenseBackwardData{params, src.n}, {dstGrad, weight}, {{OperandKind::InputGrad, 0}}});
    layer.backward.push_back({DenseBackwardWeights{params, src.n},
                              {{OperandKind::Input, 0}, dstGrad},
                              {{OperandKind::ParameterGrad, 0}}});
    if (params.bias) {
        layer.parameters.push_back({"bias", {params.units}});
        layer.forward.back().src.push_back({OperandKind::Parameter, 1});
        layer.backward.back().dst.push_back({OperandKind::ParameterGrad, 1});
    }
    layer.multiplyAdds =
        static_cast<double>(src.n) * static_cast<double>(params.inputs) * static_cast<double>(params.units);
    return layer;
}

} // namespace heteroscope::compute
