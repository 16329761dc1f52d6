// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

#include <algorithm>

namespace heteroscope::compute {

namespace {

/// Rounding up: the padding after the input that makes the rounded-down formula give one window more, unless
/// that window would start behind the input and the padding before it (PyTorch's rule).
std::int64_t paddingAfter(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t before,
                          std::int64_t after) {
    const std::int64_t room = in + before + after - kernel;
    if (room < 0)
        return after;
    std::int64_t outputs = (room + stride - 1) / stride + 1;
    if ((outputs - 1) * stride >= in + before)
        --outputs;
    return std::max(after, (outputs - 1) * stride + kernel - in - before);
}

PoolParams poolParams(const LayerRequest& request, PoolMode mode) {
    const LayerValues& v = request.values;
    PoolParams params;
    params.mode = mode;
    params.kernel = v.extent("kernel");
    params.stride = v.given("stride") ? v.extent("stride") : params.kernel;
    params.padding = v.padding("padding");
    if (mode == PoolMode::Average)
        params.countIncludePad = v.boolean("count_include_pad");
    return params;
}

Result<LayerLowering> lowerPool(const PoolParams& params, const Shape4& src) {
    const auto dst = poolOutputShape(params, src);
    if (!dst)
        return dst.error();
    LayerLowering layer{*dst};
    const Operand input{OperandKind::Input, 0}, output{OperandKind::Output};
    layer.forward.push_back({PoolForward{params, src}, {input}, {output}});
    layer.backward.push_back({PoolBackward{params, src},
                              {input, {OperandKind::OutputGrad}, output},
                              {{OperandKind::InputGrad, 0}}});
    return layer;
}

/// With what "ceil" adds to the padding.
PoolParams roundedUp(PoolParams params, const Shape4& src) {
    Padding2d& padding = params.padding;
    padding.bottom = paddingAfter(src.h, params.kernel.h, params.stride.h, padding.top, padding.bottom);
    padding.right = paddingAfter(src.w, params.kernel.w, params.stride.w, padding.left, padding.right);
    return params;
}

} // namespace

Result<LayerLowering> lowerMaxPool(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    const PoolParams params = poolParams(request, PoolMode::Max);
    return lowerPool(request.values.boolean("ceil") ? roundedUp(params, src) : params, src);
}

Result<LayerLowering> lowerAveragePool(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    const PoolParams params = poolParams(request, PoolMode::Average);
    if (!request.values.boolean("ceil"))
        return lowerPool(params, src);
    const PoolParams larger = roundedUp(params, src);
    if (larger.padding != params.padding && params.countIncludePad)
        return badInput("ceil",
                        "the last window reaches over the padding, where count_include_pad has no meaning",
                        "false, or count_include_pad false", "choose one of the two");
    return lowerPool(larger, src);
}

Result<LayerLowering> lowerGlobalAveragePool(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    PoolParams params;
    params.mode = PoolMode::Average;
    params.kernel = params.stride = {src.h, src.w};
    return lowerPool(params, src);
}

Result<LayerLowering> lowerAdaptivePool(const LayerRequest& request) {
    const Shape4 src = request.inputs[0];
    const Extent2d output = request.values.extent("output");
    const auto facts = opFacts(AdaptivePoolForward{src, output});
    if (!facts.sizes)
        return facts.sizes.error();
    LayerLowering layer{Shape4{src.n, src.c, output.h, output.w}};
    layer.forward.push_back(
        {AdaptivePoolForward{src, output}, {{OperandKind::Input, 0}}, {{OperandKind::Output}}});
    layer.backward.push_back(
        {AdaptivePoolBackward{src, output}, {{OperandKind::OutputGrad}}, {{OperandKind::InputGrad, 0}}});
    return layer;
}

} // namespace heteroscope::compute
