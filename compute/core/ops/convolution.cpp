// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/convolution.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {
namespace {

std::string detail(const ConvParams& params, const Shape4& src) {
    std::string text = shapeText(src) + " f" + std::to_string(params.filters) + " k" +
                       extentText(params.kernel) + " s" + extentText(params.stride) + " " +
                       paddingText(params.padding);
    if (params.dilation != Extent2d{})
        text += " d" + extentText(params.dilation);
    if (params.groups != 1)
        text += " g" + std::to_string(params.groups);
    return text;
}

Status checkChannels(const ConvParams& params, const Shape4& src) {
    if (src.n < 1 || src.c < 1)
        return badInput(
            "input", "found " + std::to_string(src.n) + " images of " + std::to_string(src.c) + " channels",
            "at least one of each");
    if (params.filters < 1)
        return badInput("filters", "found " + std::to_string(params.filters), "whole numbers from 1");
    if (params.groups < 1 || src.c % params.groups != 0 || params.filters % params.groups != 0)
        return badInput("groups",
                        "found " + std::to_string(params.groups) + " for " + std::to_string(src.c) +
                            " channels and " + std::to_string(params.filters) + " filters",
                        "a number that divides both");
    return {};
}

/// Each output is a sum of so many products; the same multiply-adds in both backward directions.
double multiplyAdds(const ConvParams& params, const Shape4& src, const Shape4& dst) {
    const std::int64_t channelsOfGroup = src.c / params.groups;
    return static_cast<double>(*dst.elements()) * static_cast<double>(channelsOfGroup) *
           static_cast<double>(params.kernel.h) * static_cast<double>(params.kernel.w);
}

using Sizes = std::vector<std::optional<std::int64_t>>;

} // namespace

Result<Shape4> convOutputShape(const ConvParams& params, const Shape4& src) {
    if (const Status status = checkChannels(params, src); !status)
        return status.error();
    const auto plane =
        windowOutput({params.kernel, params.stride, params.dilation, params.padding, false}, {src.h, src.w});
    if (!plane)
        return plane.error();
    const Shape4 dst{src.n, params.filters, plane->h, plane->w};
    if (!src.bytes() || !dst.bytes() || !convWeightElements(params, src))
        return badInput("input", "a tensor does not fit 63 bits of bytes", {}, "choose a smaller size");
    return dst;
}

std::optional<std::int64_t> convWeightElements(const ConvParams& params, const Shape4& src) {
    if (params.groups < 1)
        return std::nullopt;
    return checkedProduct({params.filters, src.c / params.groups, params.kernel.h, params.kernel.w});
}

OpFacts opFacts(const ConvForward& op) {
    const auto dst = convOutputShape(op.params, op.src);
    if (!dst)
        return impossible("conv2d.forward", detail(op.params, op.src), dst.error());
    Sizes src{op.src.elements(), convWeightElements(op.params, op.src)};
    double flops = 2.0 * multiplyAdds(op.params, op.src, *dst);
    if (op.params.bias) {
        src.emplace_back(op.params.filters);
        flops += static_cast<double>(*dst->elements());
    }
    return plainFacts("conv2d.forward", detail(op.params, op.src), src, {dst->elements()}, flops);
}

OpFacts opFacts(const ConvBackwardData& op) {
    const auto dst = convOutputShape(op.params, op.src);
    if (!dst)
        return impossible("conv2d.backward.data", detail(op.params, op.src), dst.error());
    return plainFacts("conv2d.backward.data", detail(op.params, op.src),
                      {dst->elements(), convWeightElements(op.params, op.src)}, {op.src.elements()},
                      2.0 * multiplyAdds(op.params, op.src, *dst));
}

OpFacts opFacts(const ConvBackwardWeights& op) {
    const auto dst = convOutputShape(op.params, op.src);
    if (!dst)
        return impossible("conv2d.backward.weights", detail(op.params, op.src), dst.error());
    Sizes grads{convWeightElements(op.params, op.src)};
    double flops = 2.0 * multiplyAdds(op.params, op.src, *dst);
    if (op.params.bias) {
        grads.emplace_back(op.params.filters);
        flops += static_cast<double>(*dst->elements());
    }
    return plainFacts("conv2d.backward.weights", detail(op.params, op.src),
                      {op.src.elements(), dst->elements()}, grads, flops);
}

} // namespace heteroscope::compute
