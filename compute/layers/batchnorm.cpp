// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

#include <utility>

namespace heteroscope::compute {

namespace {

LayerLowering lowerForInference(LayerLowering layer, const Shape4& src, double epsilon) {
    layer.forward.push_back({BatchNormInfer{src, epsilon},
                             {{OperandKind::Input, 0},
                              {OperandKind::Parameter, 0},
                              {OperandKind::Parameter, 1},
                              {OperandKind::State, 0},
                              {OperandKind::State, 1}},
                             {{OperandKind::Output}}});
    return layer;
}

} // namespace

Result<LayerLowering> lowerBatchNorm(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    const double epsilon = request.values.number("epsilon");
    LayerLowering layer{src};
    layer.parameters = {{"weight", {src.c}, InitialValue::One}, {"bias", {src.c}}};
    layer.states = {{"running_mean", {src.c}, 0.0F}, {"running_var", {src.c}, 1.0F}};
    if (request.mode == NetworkMode::Infer)
        return lowerForInference(std::move(layer), src, epsilon);
    const BatchNormTrain train{src, epsilon, request.values.number("momentum")};
    if (const auto facts = opFacts(train); !facts.sizes)
        return facts.sizes.error();
    const Operand gamma{OperandKind::Parameter, 0}, mean{OperandKind::State, 0},
        variance{OperandKind::State, 1};
    const Operand savedMean{OperandKind::Saved, 0}, savedScale{OperandKind::Saved, 1};
    layer.saved = {src.c, src.c};
    layer.forward.push_back({train,
                             {{OperandKind::Input, 0}, gamma, {OperandKind::Parameter, 1}, mean, variance},
                             {{OperandKind::Output}, savedMean, savedScale, mean, variance}});
    layer.backward.push_back(
        {BatchNormBackward{src},
         {{OperandKind::Input, 0}, {OperandKind::OutputGrad}, gamma, savedMean, savedScale},
         {{OperandKind::InputGrad, 0}, {OperandKind::ParameterGrad, 0}, {OperandKind::ParameterGrad, 1}}});
    return layer;
}

} // namespace heteroscope::compute
