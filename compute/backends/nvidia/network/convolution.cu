// SPDX-License-Identifier: Apache-2.0
// Which of our kernels convolves, and the gradient of the bias.
#include "compute/backends/nvidia/network/channel_sums.h"
#include "compute/backends/nvidia/network/conv_direct.h"
#include "compute/backends/nvidia/network/conv_kernels.h"
#include "compute/backends/nvidia/network/window_conv.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace heteroscope::compute::nvidia {
namespace {

enum class ConvKernel { Window, Direct, ImplicitGemm, Columns };

struct Candidate {
    ConvKernel kernel;
    double cycles; ///< expected; infinite where it cannot
};

/// The first of the fastest.
ConvKernel fastest(std::initializer_list<Candidate> candidates) {
    return std::min_element(candidates.begin(), candidates.end(),
                            [](const Candidate& a, const Candidate& b) { return a.cycles < b.cycles; })
        ->kernel;
}

ConvKernel kernelFor(const ConvForward& op, const DeviceLimits& device) {
    if (takesWindowForward(op.params, op.src))
        return ConvKernel::Window;
    const ConvGeometry g(op.params, op.src);
    return fastest({{ConvKernel::ImplicitGemm, gemmForwardCycles(g, device)},
                    {ConvKernel::Direct, directForwardCycles(g, device)}});
}

ConvKernel kernelFor(const ConvBackwardData& op, const DeviceLimits& device) {
    if (takesWindowData(op.params, op.src))
        return ConvKernel::Window;
    const ConvGeometry g(op.params, op.src);
    return fastest({{ConvKernel::ImplicitGemm, gemmDataCycles(g, device)},
                    {ConvKernel::Columns, columnsDataCycles(g, device)},
                    {ConvKernel::Direct, directDataCycles(g, device)}});
}

ConvKernel kernelFor(const ConvBackwardWeights& op, const DeviceLimits& device) {
    if (takesWindowWeights(op.params, op.src))
        return ConvKernel::Window;
    const ConvGeometry g(op.params, op.src);
    return fastest({{ConvKernel::ImplicitGemm, gemmWeightsCycles(g, device)},
                    {ConvKernel::Direct, directWeightsCycles(g, device)}});
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

std::string convKernelName(const Op& op, const DeviceLimits& device) {
    return std::visit(
        [&]<class T>(const T& one) -> std::string {
            if constexpr (requires { one.params.groups; }) {
                switch (kernelFor(one, device)) {
                case ConvKernel::Window:
                    return "window";
                case ConvKernel::Direct:
                    return "direct";
                case ConvKernel::ImplicitGemm:
                    return "implicit-gemm";
                case ConvKernel::Columns:
                    return "gemm-col2im";
                }
            }
            return {};
        },
        op);
}

bool convHasKernel(const Op& op) {
    DeviceLimits device;
    device.multiprocessors = 1;
    const auto* forward = std::get_if<ConvForward>(&op);
    const auto* data = std::get_if<ConvBackwardData>(&op);
    if (forward != nullptr)
        return takesWindowForward(forward->params, forward->src) ||
               std::isfinite(std::min(gemmForwardCycles({forward->params, forward->src}, device),
                                      directForwardCycles({forward->params, forward->src}, device)));
    if (data != nullptr)
        return takesWindowData(data->params, data->src) ||
               std::isfinite(std::min({gemmDataCycles({data->params, data->src}, device),
                                       columnsDataCycles({data->params, data->src}, device),
                                       directDataCycles({data->params, data->src}, device)}));
    const auto* weights = std::get_if<ConvBackwardWeights>(&op);
    return weights == nullptr || takesWindowWeights(weights->params, weights->src) ||
           std::isfinite(std::min(gemmWeightsCycles({weights->params, weights->src}, device),
                                  directWeightsCycles({weights->params, weights->src}, device)));
}

bool fusesPooling(const ConvForward& op) {
    return takesWindowForward(op.params, op.src);
}

std::size_t workspaceOf(const ConvForward& op, const DeviceLimits& device) {
    return kernelFor(op, device) == ConvKernel::ImplicitGemm
               ? gemmForwardWorkspace({op.params, op.src}, device)
               : 0;
}

std::size_t workspaceOf(const ConvBackwardData& op, const DeviceLimits& device) {
    const ConvKernel kernel = kernelFor(op, device);
    return kernel == ConvKernel::ImplicitGemm ? gemmDataWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Columns    ? columnsDataWorkspace({op.params, op.src}, device)
                                              : 0;
}

std::size_t workspaceOf(const ConvBackwardWeights& op, const DeviceLimits& device) {
    const ConvGeometry g(op.params, op.src);
    const ConvKernel kernel = kernelFor(op, device);
    if (kernel == ConvKernel::Window)
        return windowWeightsWorkspace(g, device);
    return std::max(op.params.bias ? channelSumsWorkspace(outputOf(op), device) : 0,
                    kernel == ConvKernel::Direct ? directWeightsWorkspace(g, device)
                                                 : gemmWeightsWorkspace(g, device));
}

cudaError_t convForward(const ConvForward& op, const Epilogue& epilogue, float* pooled,
                        const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    switch (kernelFor(op, o.device)) {
    case ConvKernel::Window:
        return windowForward(g, epilogue, o.src[0], o.src[1], o.dst[0], pooled, o.device, o.stream);
    case ConvKernel::Direct:
        return directForward(g, epilogue, o);
    case ConvKernel::ImplicitGemm:
    case ConvKernel::Columns:
        break;
    }
    return gemmForward(g, epilogue, o);
}

cudaError_t convBackwardData(const ConvBackwardData& op, const Epilogue& epilogue, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    switch (kernelFor(op, o.device)) {
    case ConvKernel::Window:
        return windowBackwardData(g, epilogue, o.src[0], o.src[1], o.dst[0], o.device, o.stream);
    case ConvKernel::Direct:
        return directBackwardData(g, epilogue, o);
    case ConvKernel::Columns:
        return columnsBackwardData(g, epilogue, o);
    case ConvKernel::ImplicitGemm:
        break;
    }
    return gemmBackwardData(g, epilogue, o);
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
    const ConvKernel kernel = kernelFor(op, o.device);
    if (kernel == ConvKernel::Window)
        return windowBackwardWeights(g, o.src[0], o.src[1], o.dst[0], op.params.bias ? o.dst[1] : nullptr,
                                     o.workspace, o.device, o.stream);
    const cudaError_t code =
        kernel == ConvKernel::Direct ? directBackwardWeights(g, o) : gemmBackwardWeights(g, o);
    if (code != cudaSuccess || !op.params.bias)
        return code;
    return launchChannelSums(outputOf(op), o.src[1], o.dst[1], o.workspace, o.device, o.stream);
}

} // namespace heteroscope::compute::nvidia
