// SPDX-License-Identifier: Apache-2.0
// What the kernels of networks refuse.
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

std::string convRefusal(const ConvParams& p, const Shape4& src) {
    const std::int64_t extents[] = {p.kernel.h,
                                    p.kernel.w,
                                    p.dilation.h * p.kernel.h,
                                    p.stride.h,
                                    p.stride.w,
                                    p.dilation.w * p.kernel.w,
                                    src.h + p.padding.top + p.padding.bottom,
                                    src.w + p.padding.left + p.padding.right};
    if (*std::max_element(std::begin(extents), std::end(extents)) > kMost / 4)
        return "our convolution takes windows, strides and padded planes of at most " +
               std::to_string(kMost / 4) + " rows or columns";
    return {};
}

struct Refusal {
    std::string operator()(const ConvForward& op) const { return convRefusal(op.params, op.src); }
    std::string operator()(const ConvBackwardData& op) const { return convRefusal(op.params, op.src); }
    std::string operator()(const ConvBackwardWeights& op) const { return convRefusal(op.params, op.src); }
    template <class Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

} // namespace

std::string networkRefusal(const Op& op) {
    const auto sizes = operandElements(op);
    if (!sizes)
        return sizes.error().sentence();
    for (const auto* side : {&sizes->src, &sizes->dst})
        for (const std::int64_t elements : *side)
            if (elements > kMost)
                return "our kernels of networks take tensors of at most " + std::to_string(kMost) +
                       " elements, here " + std::to_string(elements);
    return std::visit(Refusal{}, op);
}

} // namespace heteroscope::compute::nvidia
