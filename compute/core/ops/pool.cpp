// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/pool.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {
namespace {

std::string poolName(PoolMode mode, const char* direction) {
    return std::string(mode == PoolMode::Max ? "maxpool." : "avgpool.") + direction;
}

std::string poolDetail(const PoolParams& params, const Shape4& src) {
    std::string text = shapeText(src) + " k" + extentText(params.kernel) + " s" + extentText(params.stride) +
                       " " + paddingText(params.padding);
    const bool padded = params.padding != Padding2d{};
    if (padded && params.mode == PoolMode::Max && params.padValue == PadValue::Zero)
        text += " pad=zero";
    if (padded && params.mode == PoolMode::Average && !params.countIncludePad)
        text += " pad not counted";
    return text;
}

double area(const PoolParams& params) {
    return static_cast<double>(params.kernel.h) * static_cast<double>(params.kernel.w);
}

} // namespace

Result<Shape4> poolOutputShape(const PoolParams& params, const Shape4& src) {
    if (src.n < 1 || src.c < 1)
        return badInput(
            "input", "found " + std::to_string(src.n) + " images of " + std::to_string(src.c) + " channels",
            "at least one of each");
    const auto plane = windowOutput({params.kernel, params.stride, {1, 1}, params.padding}, {src.h, src.w});
    if (!plane)
        return plane.error();
    const Shape4 dst{src.n, src.c, plane->h, plane->w};
    if (!src.bytes() || !dst.bytes())
        return badInput("input", "the tensor does not fit 63 bits of bytes", {}, "choose a smaller size");
    return dst;
}

OpFacts opFacts(const PoolForward& op) {
    OpFacts facts{poolName(op.params.mode, "forward"), poolDetail(op.params, op.src), OperandSizes{}};
    const auto dst = poolOutputShape(op.params, op.src);
    if (!dst) {
        facts.sizes = dst.error();
        return facts;
    }
    const auto outputs = static_cast<double>(*dst->elements());
    facts.sizes = OperandSizes{{*op.src.elements()}, {*dst->elements()}, {}};
    facts.bytes = operandBytes(*facts.sizes);
    // area - 1 comparisons; or additions and one division
    facts.flops = outputs * (area(op.params) - (op.params.mode == PoolMode::Max ? 1.0 : 0.0));
    return facts;
}

OpFacts opFacts(const PoolBackward& op) {
    OpFacts facts{poolName(op.params.mode, "backward"), poolDetail(op.params, op.src), OperandSizes{}};
    const auto dst = poolOutputShape(op.params, op.src);
    if (!dst) {
        facts.sizes = dst.error();
        return facts;
    }
    const std::int64_t in = *op.src.elements(), out = *dst->elements();
    const bool max = op.params.mode == PoolMode::Max;
    facts.sizes = OperandSizes{{in, out}, {in}, {out}};
    facts.bytes =
        operandBytes(*facts.sizes) - (max ? 0.0 : 4.0 * static_cast<double>(in));   // needs no look at it
    facts.flops = static_cast<double>(out) * (area(op.params) + (max ? 0.0 : 1.0)); // max: and one addition
    return facts;
}

} // namespace heteroscope::compute
