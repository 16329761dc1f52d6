// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/window_extent.h"

#include "compute/core/ops/op_facts.h"

namespace heteroscope::compute {
namespace {

struct Axis {
    std::string name; ///< "height" or "width"
    std::int64_t in, kernel, stride, dilation, before, after;
    bool paddingBelowKernel;
};

Status checkAxis(const Axis& axis) {
    if (axis.in < 1)
        return badInput("input", axis.name + " " + std::to_string(axis.in) + " is empty",
                        "whole numbers from 1");
    const std::pair<const char*, std::int64_t> positive[] = {
        {"kernel", axis.kernel}, {"stride", axis.stride}, {"dilation", axis.dilation}};
    for (const auto& [name, value] : positive)
        if (value < 1)
            return badInput(name, "found " + std::to_string(value) + " along the " + axis.name,
                            "whole numbers from 1");
    for (const std::int64_t padding : {axis.before, axis.after}) {
        if (padding < 0 || (axis.paddingBelowKernel && padding >= axis.kernel))
            return badInput("padding", "found " + std::to_string(padding) + " along the " + axis.name,
                            axis.paddingBelowKernel
                                ? "0 to " + std::to_string(axis.kernel - 1) + " (less than the kernel)"
                                : "whole numbers from 0");
    }
    return {};
}

Result<std::int64_t> outputExtent(const Axis& axis) {
    if (const Status status = checkAxis(axis); !status)
        return status.error();
    const auto padding = checkedAdd(axis.before, axis.after);
    const auto padded = padding ? checkedAdd(axis.in, *padding) : std::nullopt;
    if (!padded)
        return badInput("padding", "the padded " + axis.name + " does not fit 63 bits");
    const auto reach = checkedMul(axis.dilation, axis.kernel - 1);
    if (!reach || *reach >= *padded)
        return badInput("kernel",
                        "a window of " + (reach ? std::to_string(*reach + 1) : "over 63 bits") +
                            " is larger than the padded " + axis.name + " of " + std::to_string(*padded),
                        axis.dilation == 1 ? "1 to " + std::to_string(*padded) : std::string());
    return (*padded - *reach - 1) / axis.stride + 1;
}

} // namespace

Result<Extent2d> windowOutput(const WindowParams& window, const Extent2d& plane) {
    const auto h = outputExtent({"height", plane.h, window.kernel.h, window.stride.h, window.dilation.h,
                                 window.padding.top, window.padding.bottom, window.paddingBelowKernel});
    if (!h)
        return h.error();
    const auto w = outputExtent({"width", plane.w, window.kernel.w, window.stride.w, window.dilation.w,
                                 window.padding.left, window.padding.right, window.paddingBelowKernel});
    if (!w)
        return w.error();
    return Extent2d{*h, *w};
}

std::string paddingText(const Padding2d& padding) {
    if (padding.top == padding.bottom && padding.left == padding.right) {
        if (padding.top == padding.left)
            return "p" + std::to_string(padding.top);
        return "p" + std::to_string(padding.top) + "x" + std::to_string(padding.left);
    }
    return "p" + std::to_string(padding.top) + "," + std::to_string(padding.bottom) + "," +
           std::to_string(padding.left) + "," + std::to_string(padding.right);
}

std::string extentText(const Extent2d& extent) {
    return std::to_string(extent.h) + "x" + std::to_string(extent.w);
}

std::optional<std::int64_t> tensorElements(const Shape4& shape) {
    return elementsOf({shape.n, shape.c, shape.h, shape.w});
}

std::string shapeText(const Shape4& shape) {
    return std::to_string(shape.n) + "x" + std::to_string(shape.c) + "x" + std::to_string(shape.h) + "x" +
           std::to_string(shape.w);
}

} // namespace heteroscope::compute
