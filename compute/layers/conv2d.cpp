// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

namespace heteroscope::compute {

namespace {

constexpr Operand kSrc{OperandKind::Input, 0}, kDst{OperandKind::Output}, kDstGrad{OperandKind::OutputGrad};
constexpr Operand kWeight{OperandKind::Parameter, 0}, kBias{OperandKind::Parameter, 1};
constexpr Operand kWeightGrad{OperandKind::ParameterGrad, 0}, kBiasGrad{OperandKind::ParameterGrad, 1};

} // namespace

Result<LayerLowering> lowerConv2d(const LayerRequest& request) {
    const LayerValues& v = request.values;
    const ConvParams params{v.whole("filters"),   v.extent("kernel"),   v.extent("stride"),
                            v.padding("padding"), v.extent("dilation"), v.whole("groups"),
                            v.boolean("bias")};
    const Shape4 src = request.inputs[0];
    const auto dst = convOutputShape(params, src);
    if (!dst)
        return dst.error();
    LayerLowering layer{*dst};
    const std::int64_t channels = src.c / params.groups;
    const std::int64_t area = params.kernel.h * params.kernel.w;
    layer.parameters.push_back({"weight",
                                {params.filters, channels, params.kernel.h, params.kernel.w},
                                InitialValue::Weights,
                                channels * area,
                                params.filters / params.groups * area});
    layer.forward.push_back({ConvForward{params, src}, {kSrc, kWeight}, {kDst}});
    layer.backward.push_back( // first: the layers before wait for it
        {ConvBackwardData{params, src}, {kDstGrad, kWeight}, {{OperandKind::InputGrad, 0}}});
    layer.backward.push_back({ConvBackwardWeights{params, src}, {kSrc, kDstGrad}, {kWeightGrad}});
    if (params.bias) {
        layer.parameters.push_back({"bias", {params.filters}});
        layer.forward.back().src.push_back(kBias);
        layer.backward.back().dst.push_back(kBiasGrad);
    }
    layer.multiplyAdds = static_cast<double>(*dst->elements()) * static_cast<double>(channels * area);
    return layer;
}

} // namespace heteroscope::compute
