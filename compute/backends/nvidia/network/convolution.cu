// SPDX-License-Identifier: Apache-2.0
// Which of our kernels convolves, and the gradient of the bias.
#include "compute/backends/nvidia/network/channel_sums.h"
#include "compute/backends/nvidia/network/conv_kernels.h"

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

const char* convKernelName(const ConvParams& params, const Shape4& src) {
    return isDirect(params, src) ? "direct" : "implicit-gemm";
}

std::size_t workspaceOf(const ConvForward& op, int multiprocessors) {
    return isDirect(op.params, op.src) ? 0 : gemmForwardWorkspace({op.params, op.src}, multiprocessors);
}

std::size_t workspaceOf(const ConvBackwardData& op, int multiprocessors) {
    return isDirect(op.params, op.src) ? 0 : gemmDataWorkspace({op.params, op.src}, multiprocessors);
}

std::size_t workspaceOf(const ConvBackwardWeights& op, int multiprocessors) {
    const std::size_t bias = op.params.bias ? channelSumsWorkspace(outputOf(op), multiprocessors) : 0;
    if (isDirect(op.params, op.src))
        return bias;
    return std::max(bias, gemmWeightsWorkspace({op.params, op.src}, multiprocessors));
}

cudaError_t launch(const ConvForward& op, const KernelOperands& o) {
    const float* bias = op.params.bias ? o.src[2] : nullptr;
    const ConvGeometry g(op.params, op.src);
    return isDirect(op.params, op.src) ? directForward(g, bias, o) : gemmForward(g, bias, o);
}

cudaError_t launch(const ConvBackwardData& op, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    return isDirect(op.params, op.src) ? directBackwardData(g, o) : gemmBackwardData(g, o);
}

cudaError_t launch(const ConvBackwardWeights& op, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    const cudaError_t code =
        isDirect(op.params, op.src) ? directBackwardWeights(g, o) : gemmBackwardWeights(g, o);
    if (code != cudaSuccess || !op.params.bias)
        return code;
    return launchChannelSums(outputOf(op), o.src[1], o.dst[1], o.workspace, o.multiprocessors, o.stream);
}

} // namespace heteroscope::compute::nvidia
