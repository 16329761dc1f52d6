// SPDX-License-Identifier: Apache-2.0
// Which of our kernels convolves, and the gradient of the bias.
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_packed.h"
#include "compute/backends/nvidia/kernels/conv/conv_pointwise.h"
#include "compute/backends/nvidia/kernels/conv/conv_scaling.h"
#include "compute/backends/nvidia/kernels/conv/conv_winograd.h"
#include "compute/backends/nvidia/kernels/conv/window_conv.h"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"

#include <algorithm>
#include <array>

namespace heteroscope::compute::nvidia {
namespace {

/// In the order of ConvKernel.
constexpr std::array<std::string_view, 9> kNames{"window",      "implicit-gemm", "gemm-col2im",
                                                 "direct",      "gemm-kn2row",   "pointwise",
                                                 "packed-gemm", "scaling",       "winograd"};

std::vector<ConvCandidate> sorted(std::vector<ConvCandidate> candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const ConvCandidate& a, const ConvCandidate& b) { return a.cycles < b.cycles; });
    return candidates;
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
    groups = narrow(p.groups), bias = p.bias;
    groupChannels = channels / groups, groupFilters = filters / groups;
    outPlane = FastDivision(dst.h * dst.w), outRow = FastDivision(dst.w);
    plane = FastDivision(src.h * src.w), row = FastDivision(src.w);
    window = FastDivision(p.kernel.h * p.kernel.w), windowRow = FastDivision(p.kernel.w);
    overStrideH = FastDivision(p.stride.h), overStrideW = FastDivision(p.stride.w);
}

std::string_view convKernelName(ConvKernel kernel) {
    return kNames[static_cast<std::size_t>(kernel)];
}

bool transforms(ConvKernel kernel) {
    return kernel == ConvKernel::Winograd;
}

std::optional<ConvKernel> convKernelFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name)
            return static_cast<ConvKernel>(i);
    return std::nullopt;
}

std::vector<ConvCandidate> convCandidates(const ConvForward& op, const DeviceLimits& device) {
    const ConvGeometry g(op.params, op.src);
    return sorted({{ConvKernel::Window, windowForwardCycles(g, device), windowForwardRefusal(g, device)},
                   {ConvKernel::ImplicitGemm, gemmForwardCycles(g, device), gemmForwardRefusal(g)},
                   {ConvKernel::Places, placesForwardCycles(g, device), placesForwardRefusal(g)},
                   {ConvKernel::Pointwise, pointwiseForwardCycles(g, device), pointwiseRefusal(g)},
                   {ConvKernel::Packed, packedForwardCycles(g, device), packedForwardRefusal(g)},
                   {ConvKernel::Scaling, scalingForwardCycles(g, device), scalingForwardRefusal(g)},
                   {ConvKernel::Winograd, winogradForwardCycles(g, device), winogradForwardRefusal(g)},
                   {ConvKernel::Direct, directForwardCycles(g, device), directForwardRefusal(g, device)}});
}

std::vector<ConvCandidate> convCandidates(const ConvBackwardData& op, const DeviceLimits& device) {
    const ConvGeometry g(op.params, op.src);
    return sorted({{ConvKernel::Window, windowDataCycles(g, device), windowDataRefusal(g, device)},
                   {ConvKernel::ImplicitGemm, gemmDataCycles(g, device), gemmDataRefusal(g)},
                   {ConvKernel::Columns, columnsDataCycles(g, device), columnsDataRefusal(g)},
                   {ConvKernel::Pointwise, pointwiseDataCycles(g, device), pointwiseRefusal(g)},
                   {ConvKernel::Packed, packedDataCycles(g, device), packedDataRefusal(g)},
                   {ConvKernel::Scaling, scalingDataCycles(g, device), scalingDataRefusal(g)},
                   {ConvKernel::Winograd, winogradDataCycles(g, device), winogradDataRefusal(g)},
                   {ConvKernel::Direct, directDataCycles(g, device), directDataRefusal(g, device)}});
}

std::vector<ConvCandidate> convCandidates(const ConvBackwardWeights& op, const DeviceLimits& device) {
    const ConvGeometry g(op.params, op.src);
    return sorted({{ConvKernel::Window, windowWeightsCycles(g, device), windowWeightsRefusal(g, device)},
                   {ConvKernel::ImplicitGemm, gemmWeightsCycles(g, device), gemmWeightsRefusal(g)},
                   {ConvKernel::Places, placesWeightsCycles(g, device), placesWeightsRefusal(g)},
                   {ConvKernel::Direct, directWeightsCycles(g, device), directWeightsRefusal(g, device)}});
}

std::size_t convWorkspace(const ConvForward& op, ConvKernel kernel, const DeviceLimits& device) {
    return kernel == ConvKernel::ImplicitGemm ? gemmForwardWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Places     ? placesForwardWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Packed     ? packedForwardWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Winograd   ? winogradForwardWorkspace({op.params, op.src}, device)
                                              : 0;
}

std::size_t convWorkspace(const ConvBackwardData& op, ConvKernel kernel, const DeviceLimits& device) {
    return kernel == ConvKernel::ImplicitGemm ? gemmDataWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Columns    ? columnsDataWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Packed     ? packedDataWorkspace({op.params, op.src}, device)
           : kernel == ConvKernel::Winograd   ? winogradDataWorkspace({op.params, op.src}, device)
                                              : 0;
}

std::size_t convWorkspace(const ConvBackwardWeights& op, ConvKernel kernel, const DeviceLimits& device) {
    const ConvGeometry g(op.params, op.src);
    if (kernel == ConvKernel::Window)
        return windowWeightsWorkspace(g, device);
    return std::max(op.params.bias ? channelSumsWorkspace(outputOf(op), device) : 0,
                    kernel == ConvKernel::Direct   ? directWeightsWorkspace(g, device)
                    : kernel == ConvKernel::Places ? placesWeightsWorkspace(g, device)
                                                   : gemmWeightsWorkspace(g, device));
}

cudaError_t convForward(const ConvForward& op, ConvKernel kernel, const Epilogue& epilogue, float* pooled,
                        const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    switch (kernel) {
    case ConvKernel::Window:
        return windowForward(g, epilogue, o.src[0], o.src[1], o.dst[0], pooled, o.device, o.stream);
    case ConvKernel::Direct:
        return directForward(g, epilogue, o);
    case ConvKernel::ImplicitGemm:
        return gemmForward(g, epilogue, o);
    case ConvKernel::Places:
        return placesForward(g, epilogue, o);
    case ConvKernel::Pointwise:
        return pointwiseForward(g, epilogue, o);
    case ConvKernel::Packed:
        return packedForward(g, epilogue, o);
    case ConvKernel::Scaling:
        return scalingForward(g, epilogue, o);
    case ConvKernel::Winograd:
        return winogradForward(g, epilogue, o);
    case ConvKernel::Columns:
        break;
    }
    return cudaErrorNotSupported;
}

cudaError_t convBackwardData(const ConvBackwardData& op, ConvKernel kernel, const Epilogue& epilogue,
                             const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    switch (kernel) {
    case ConvKernel::Window:
        return windowBackwardData(g, epilogue, o.src[0], o.src[1], o.dst[0], o.device, o.stream);
    case ConvKernel::Direct:
        return directBackwardData(g, epilogue, o);
    case ConvKernel::Columns:
        return columnsBackwardData(g, epilogue, o);
    case ConvKernel::ImplicitGemm:
        return gemmBackwardData(g, epilogue, o);
    case ConvKernel::Pointwise:
        return pointwiseBackwardData(g, epilogue, o);
    case ConvKernel::Packed:
        return packedBackwardData(g, epilogue, o);
    case ConvKernel::Scaling:
        return scalingBackwardData(g, epilogue, o);
    case ConvKernel::Winograd:
        return winogradBackwardData(g, epilogue, o);
    case ConvKernel::Places:
        break;
    }
    return cudaErrorNotSupported;
}

cudaError_t convBackwardWeights(const ConvBackwardWeights& op, ConvKernel kernel, const KernelOperands& o) {
    const ConvGeometry g(op.params, op.src);
    if (kernel == ConvKernel::Window)
        return windowBackwardWeights(g, o.src[0], o.src[1], o.dst[0], op.params.bias ? o.dst[1] : nullptr,
                                     o.workspace, o.device, o.stream);
    const cudaError_t code = kernel == ConvKernel::Direct   ? directBackwardWeights(g, o)
                             : kernel == ConvKernel::Places ? placesBackwardWeights(g, o)
                                                            : gemmBackwardWeights(g, o);
    if (code != cudaSuccess || !g.bias || kernel == ConvKernel::ImplicitGemm)
        return code;
    return launchChannelSums(outputOf(op), o.src[1], o.dst[1], o.workspace, o.device, o.stream);
}

} // namespace heteroscope::compute::nvidia
