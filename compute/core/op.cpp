// SPDX-License-Identifier: Apache-2.0
// Shapes, sizes, names and costs of operations.
#include "compute/core/op.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace heteroscope::compute {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

std::string number(std::int64_t value) {
    return std::to_string(value);
}

std::string pairText(const Extent2d& extent) {
    return number(extent.h) + "x" + number(extent.w);
}

struct AxisGeometry {
    std::string name; ///< "height" or "width"
    std::int64_t in, kernel, stride, before, after;
};

std::string axisText(const AxisGeometry& axis) {
    return axis.name + " " + number(axis.in);
}

Status checkAxis(const AxisGeometry& axis) {
    if (axis.in < 1)
        return badInput("input", axisText(axis) + " is empty", "whole numbers from 1");
    if (axis.kernel < 1)
        return badInput("kernel", "found " + number(axis.kernel) + " along the " + axis.name,
                        "whole numbers from 1");
    if (axis.stride < 1)
        return badInput("stride", "found " + number(axis.stride) + " along the " + axis.name,
                        "whole numbers from 1");
    for (const std::int64_t padding : {axis.before, axis.after}) {
        if (padding < 0 || padding >= axis.kernel)
            return badInput("padding", "found " + number(padding) + " along the " + axis.name,
                            "0 to " + number(axis.kernel - 1) + " (less than the kernel)");
    }
    return {};
}

Result<std::int64_t> outputExtent(const AxisGeometry& axis) {
    if (const Status status = checkAxis(axis); !status)
        return status.error();
    const auto padding = checkedAdd(axis.before, axis.after);
    const auto padded = padding ? checkedAdd(axis.in, *padding) : std::nullopt;
    if (!padded)
        return badInput("padding", "the padded " + axis.name + " does not fit 63 bits");
    if (axis.kernel > *padded)
        return badInput("kernel",
                        "a window of " + number(axis.kernel) + " is larger than the padded " + axis.name +
                            " of " + number(*padded),
                        "1 to " + number(*padded));
    return (*padded - axis.kernel) / axis.stride + 1;
}

std::string poolName(PoolMode mode, const char* direction) {
    return std::string(mode == PoolMode::Max ? "maxpool." : "avgpool.") + direction;
}

std::string paddingText(const Padding2d& padding) {
    if (padding.top == padding.bottom && padding.left == padding.right) {
        if (padding.top == padding.left)
            return "p" + number(padding.top);
        return "p" + number(padding.top) + "x" + number(padding.left);
    }
    return "p" + number(padding.top) + "," + number(padding.bottom) + "," + number(padding.left) + "," +
           number(padding.right);
}

std::string poolDetail(const PoolParams& params, const Shape4& src) {
    std::string text = number(src.n) + "x" + number(src.c) + "x" + number(src.h) + "x" + number(src.w) +
                       " k" + pairText(params.kernel) + " s" + pairText(params.stride) + " " +
                       paddingText(params.padding);
    const bool padded = params.padding != Padding2d{};
    if (padded && params.mode == PoolMode::Max && params.padValue == PadValue::Zero)
        text += " pad=zero";
    if (padded && params.mode == PoolMode::Average && !params.countIncludePad)
        text += " pad not counted";
    return text;
}

struct PoolElements {
    std::int64_t src, dst;
};

Result<PoolElements> poolElements(const PoolParams& params, const Shape4& src) {
    const auto dst = poolOutputShape(params, src);
    if (!dst)
        return dst.error();
    return PoolElements{*src.elements(), *dst->elements()};
}

/// What a pooling op costs; zeros for an impossible shape.
struct PoolCost {
    double srcBytes = 0, dstBytes = 0, outputs = 0, area = 0;
};

PoolCost poolCost(const PoolParams& params, const Shape4& src) {
    const auto elements = poolElements(params, src);
    if (!elements)
        return {};
    return {4.0 * static_cast<double>(elements->src), 4.0 * static_cast<double>(elements->dst),
            static_cast<double>(elements->dst),
            static_cast<double>(params.kernel.h) * static_cast<double>(params.kernel.w)};
}

Result<OperandSizes> gemmElements(const Gemm& op) {
    if (op.m < 1 || op.n < 1 || op.k < 1)
        return badInput("matmul",
                        "found m = " + number(op.m) + ", n = " + number(op.n) + ", k = " + number(op.k),
                        "whole numbers from 1");
    // In bytes, so that callers may multiply by the element size.
    const auto a = checkedProduct({op.m, op.k, 4});
    const auto b = checkedProduct({op.k, op.n, 4});
    const auto c = checkedProduct({op.m, op.n, 4});
    if (!a || !b || !c)
        return badInput("matmul", "a matrix does not fit 63 bits of bytes", {}, "choose smaller m, n and k");
    return OperandSizes{{*a / 4, *b / 4}, {*c / 4}};
}

} // namespace

Result<Shape4> poolOutputShape(const PoolParams& params, const Shape4& src) {
    if (src.n < 1 || src.c < 1)
        return badInput("input", "found " + number(src.n) + " images of " + number(src.c) + " channels",
                        "at least one of each");
    const auto h = outputExtent(
        {"height", src.h, params.kernel.h, params.stride.h, params.padding.top, params.padding.bottom});
    if (!h)
        return h.error();
    const auto w = outputExtent(
        {"width", src.w, params.kernel.w, params.stride.w, params.padding.left, params.padding.right});
    if (!w)
        return w.error();
    const Shape4 dst{src.n, src.c, *h, *w};
    if (!src.bytes() || !dst.bytes())
        return badInput("input", "the tensor does not fit 63 bits of bytes", {}, "choose a smaller size");
    return dst;
}

std::string opName(const Op& op) {
    return std::visit(Overloaded{[](const PoolForward& o) { return poolName(o.params.mode, "forward"); },
                                 [](const PoolBackward& o) { return poolName(o.params.mode, "backward"); },
                                 [](const Gemm&) { return std::string("gemm"); }},
                      op);
}

std::string opDetail(const Op& op) {
    return std::visit(
        Overloaded{[](const PoolForward& o) { return poolDetail(o.params, o.src); },
                   [](const PoolBackward& o) { return poolDetail(o.params, o.src); },
                   [](const Gemm& o) { return "m" + number(o.m) + " n" + number(o.n) + " k" + number(o.k); }},
        op);
}

Result<OperandSizes> operandElements(const Op& op) {
    using R = Result<OperandSizes>;
    return std::visit(Overloaded{[](const PoolForward& o) -> R {
                                     const auto pool = poolElements(o.params, o.src);
                                     if (!pool)
                                         return pool.error();
                                     return OperandSizes{{pool->src}, {pool->dst}, {}};
                                 },
                                 [](const PoolBackward& o) -> R {
                                     const auto pool = poolElements(o.params, o.src);
                                     if (!pool)
                                         return pool.error();
                                     return OperandSizes{{pool->src, pool->dst}, {pool->src}, {pool->dst}};
                                 },
                                 [](const Gemm& o) -> R { return gemmElements(o); }},
                      op);
}

double opMinimumBytes(const Op& op) {
    return std::visit(Overloaded{[](const PoolForward& o) {
                                     const PoolCost cost = poolCost(o.params, o.src);
                                     return cost.srcBytes + cost.dstBytes;
                                 },
                                 [](const PoolBackward& o) { // average needs no look at the input
                                     const PoolCost cost = poolCost(o.params, o.src);
                                     const double reads = o.params.mode == PoolMode::Max ? cost.srcBytes : 0;
                                     return reads + cost.dstBytes + cost.srcBytes;
                                 },
                                 [](const Gemm& o) {
                                     const double m = static_cast<double>(o.m), n = static_cast<double>(o.n),
                                                  k = static_cast<double>(o.k);
                                     return 4.0 * (m * k + k * n + m * n);
                                 }},
                      op);
}

double opFlops(const Op& op) {
    return std::visit(Overloaded{[](const PoolForward& o) { // area - 1 comparisons; or additions, one divide
                                     const PoolCost cost = poolCost(o.params, o.src);
                                     const bool max = o.params.mode == PoolMode::Max;
                                     return cost.outputs * (cost.area - (max ? 1.0 : 0.0));
                                 },
                                 [](const PoolBackward& o) { // max: comparisons and one addition
                                     const PoolCost cost = poolCost(o.params, o.src);
                                     const bool max = o.params.mode == PoolMode::Max;
                                     return cost.outputs * (cost.area + (max ? 0.0 : 1.0));
                                 },
                                 [](const Gemm& o) {
                                     return 2.0 * static_cast<double>(o.m) * static_cast<double>(o.n) *
                                            static_cast<double>(o.k);
                                 }},
                      op);
}

} // namespace heteroscope::compute
