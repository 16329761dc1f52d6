// SPDX-License-Identifier: Apache-2.0
// Which of our kernels convolves, and the gradient of the bias.
#include "compute/backends/nvidia/network/channel_sums.h"
#include "compute/backends/nvidia/network/conv_kernels.h"
#include "compute/backends/nvidia/network/window_conv.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

/// Below that many weights of a group for one place of the window most of a tile would be empty.
constexpr std::int64_t kFewWeights = 64;

bool isDirect(const ConvParams& params, const Shape4& src) {
    return params.groups > 1 && src.c / params.groups * (params.filters / params.groups) < kFewWeights;
}

Shape4 outputOf(const ConvBackwardWeights& op) {
    const auto shape = convOutputShape(op.params, op.src);
    return shape ? *shape : Shape4{};
}

} // namespace

ConvGeometry::ConvGeometry(const ConvParams& p, const Shape4& src) {
    const auto out = convOutputShape(p, src);
    const Shape4 dst = out ? *out : Shape4{};
    const auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
    batch = narrow(src.n), channels = narrow(src.c), height = narrow(src.h), width = narrow(src.w);
    filters = narrow(p.filters), outHeight = narrow(dst.h), outWidth = narrow(dst.w);
    kernelH = narrow(p.kernel.h), kernelW = narrow(p.kernel.w);
    strideH = narrow(p.stride.h), strideW = narrow(p.stride.w);
    dilationH = narrow(p.dilation.h), dilationW = narrow(p.dilation.w);
    top = narrow(p.padding.top), left = narrow(p.padding.left);
    groups = narrow(p.groups);
    groupChannels = channels / groups, groupFilters = filters / groups;
    outPlane = FastDivision(dst.h * dst.w), outRow = FastDivision(dst.w);
    plane = FastDivision(src.h * src.w), row = FastDivision(src.w);
    window = FastDivision(p.kernel.h * p.kernel.w), windowRow = FastDivision(p.kernel.w);
    overStrideH = FastDivision(p.stride.h), overStrideW = FastDivision(p.stride.w);
}

std::string convKernelName(const Op& op) {
    return std::visit(
        []<class T>(const T& one) -> std::string {
            if constexpr (requires { one.params.groups; }) {
                const bool window = std::is_same_v<T, ConvForward> ? takesWindowForward(one.params, one.src)
                                    : std::is_same_v<T, ConvBackwardData>
                                        ? takesWindowData(one.params, one.src)
                                        : takesWindowWeights(one.params, one.src);
                return window ? "window" : isDirect(one.params, one.src) ? "direct" : "implicit-gemm";
            } else {
                return {};
            }
        },
        op);
}

bool fusesPooling(const ConvForward& op) {
    return takesWindowForward(op.params, op.src);
}

std::size_t workspaceOf(const ConvForward& op, const DeviceLimits& device) {
    if (isDirect(op.params, op.src) || takesWindowForward(op.params, op.src))
        return 0;
    return gemmForwardWorkspace({op.params, op.src}, device);
}

std::size_t workspaceOf(const ConvBackwardData& op, const DeviceLimits& device) {
    if (isDirect(op.params, op.src) || takesWindowData(op.params, op.src))
        return 0;
    return gemmDataWorkspace({op.params, op.src}, device);
}

std::size_t workspaceOf(const ConvBackwardWeights& op, const DeviceLimits& device) {
    if (takesWindowWeights(op.params, op.src))
        return windowWeightsWorkspace({op.params, op.src}, device);
    const std::size_t bias = op.params.bias ? channelSumsWorkspace(outputOf(op), device) : 0;
    if (isDirect(op.params, op.src))
        return bias;
    return std::max(bias, gemmWeightsWorkspace({op.params, op.src}, device));
}

cudaError_t convForward(const ConvForward& op, const Epilogue& epilogue, float* pooled,
                        const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    if (takesWindowForward(op.params, op.src))
        return windowForward(g, epilogue, o.src[0], o.src[1], o.dst[0], pooled, o.device, o.stream);
    return isDirect(op.params, op.src) ? directForward(g, epilogue, o) : gemmForward(g, epilogue, o);
}

cudaError_t convBackwardData(const ConvBackwardData& op, const Epilogue& epilogue, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    if (takesWindowData(op.params, op.src))
        return windowBackwardData(g, epilogue, o.src[0], o.src[1], o.dst[0], o.device, o.stream);
    return isDirect(op.params, op.src) ? directBackwardData(g, epilogue, o)
                                       : gemmBackwardData(g, epilogue, o);
}

cudaError_t launch(const ConvForward& op, const KernelOperands& o) {
    Epilogue epilogue;
    epilogue.bias = op.params.bias ? o.src[2] : nullptr;
    return convForward(op, epilogue, nullptr, o);
}

cudaError_t launch(const ConvBackwardData& op, const KernelOperands& o) {
    return convBackwardData(op, {}, o);
}

cudaError_t launch(const ConvBackwardWeights& op, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    if (takesWindowWeights(op.params, op.src))
        return windowBackwardWeights(g, o.src[0], o.src[1], o.dst[0], op.params.bias ? o.dst[1] : nullptr,
                                     o.workspace, o.device, o.stream);
    const cudaError_t code =
        isDirect(op.params, op.src) ? directBackwardWeights(g, o) : gemmBackwardWeights(g, o);
    if (code != cudaSuccess || !op.params.bias)
        return code;
    return launchChannelSums(outputOf(op), o.src[1], o.dst[1], o.workspace, o.device, o.stream);
}

} // namespace heteroscope::compute::nvidia
