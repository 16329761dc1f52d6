// SPDX-License-Identifier: Apache-2.0
// Convolutions with groups of few channels, depthwise ones above all: a thread an element, a block a weight.
// Limited by loads, most of which the first-level cache answers.
#include "compute/backends/nvidia/network/block_sum.cuh"
#include "compute/backends/nvidia/network/conv_kernels.h"

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;

__device__ float valueAt(const ConvGeometry& g, const float* plane, int y, int x) {
    const bool inside = unsigned(y) < unsigned(g.height) && unsigned(x) < unsigned(g.width);
    return inside ? plane[y * g.width + x] : 0.0F;
}

__global__ void __launch_bounds__(kThreads) forward(ConvGeometry g, unsigned elements, const float* src,
                                                    const float* weights, Epilogue epilogue, float* dst) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.outPlane.split(x), y = g.outRow.split(x);
    const unsigned image = plane / unsigned(g.filters), filter = plane % unsigned(g.filters);
    const unsigned first = filter / unsigned(g.groupFilters) * unsigned(g.groupChannels);
    const float* input = src + std::size_t(image * unsigned(g.channels) + first) * g.plane.divisor;
    const float* weight = weights + std::size_t(filter) * unsigned(g.groupChannels) * g.window.divisor;
    const int top = int(y) * g.strideH - g.top, left = int(x) * g.strideW - g.left;
    float sum = 0;
    for (int c = 0; c < g.groupChannels; ++c, input += g.plane.divisor)
        for (int i = 0; i < g.kernelH; ++i)
            for (int j = 0; j < g.kernelW; ++j, ++weight)
                sum = fmaf(valueAt(g, input, top + i * g.dilationH, left + j * g.dilationW), *weight, sum);
    dst[index] = epilogue.of(sum, filter, index);
}

__global__ void __launch_bounds__(kThreads)
    backwardData(ConvGeometry g, unsigned elements, const float* dstGrad, const float* weights,
                 Epilogue epilogue, float* srcGrad) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.plane.split(x), y = g.row.split(x);
    const unsigned image = plane / unsigned(g.channels), channel = plane % unsigned(g.channels);
    const unsigned first = channel / unsigned(g.groupChannels) * unsigned(g.groupFilters);
    const unsigned inGroup = channel % unsigned(g.groupChannels);
    float sum = 0;
    for (unsigned f = first; f < first + unsigned(g.groupFilters); ++f) {
        const float* gradient = dstGrad + std::size_t(image * unsigned(g.filters) + f) * g.outPlane.divisor;
        const float* weight =
            weights + (std::size_t(f) * unsigned(g.groupChannels) + inGroup) * g.window.divisor;
        for (int i = 0; i < g.kernelH; ++i) {
            const int row =
                ConvGeometry::outputOver(int(y) + g.top - i * g.dilationH, g.overStrideH, g.outHeight);
            for (int j = 0; row >= 0 && j < g.kernelW; ++j) {
                const int column =
                    ConvGeometry::outputOver(int(x) + g.left - j * g.dilationW, g.overStrideW, g.outWidth);
                if (column >= 0)
                    sum = fmaf(gradient[row * g.outWidth + column], weight[i * g.kernelW + j], sum);
            }
        }
    }
    srcGrad[index] = epilogue.of(sum, channel, index);
}

__global__ void __launch_bounds__(kSumThreads)
    backwardWeights(ConvGeometry g, unsigned pixels, const float* src, const float* dstGrad, float* grad) {
    unsigned j = blockIdx.x;
    const unsigned pair = g.window.split(j), i = g.windowRow.split(j);
    const unsigned filter = pair / unsigned(g.groupChannels);
    const unsigned channel =
        filter / unsigned(g.groupFilters) * unsigned(g.groupChannels) + pair % unsigned(g.groupChannels);
    const int top = int(i) * g.dilationH - g.top, left = int(j) * g.dilationW - g.left;
    float sum = 0;
    for (unsigned pixel = threadIdx.x; pixel < pixels; pixel += kSumThreads) {
        unsigned x = pixel;
        const unsigned image = g.outPlane.split(x), inPlane = x, y = g.outRow.split(x);
        const float gradient =
            dstGrad[std::size_t(image * g.filters + filter) * g.outPlane.divisor + inPlane];
        const float* plane = src + std::size_t(image * g.channels + channel) * g.plane.divisor;
        sum = fmaf(valueAt(g, plane, top + int(y) * g.strideH, left + int(x) * g.strideW), gradient, sum);
    }
    const Pair whole = blockSum({double(sum), 0.0});
    if (threadIdx.x == 0)
        grad[blockIdx.x] = float(whole.a);
}

unsigned blocksFor(std::int64_t threads) {
    return unsigned((threads + kThreads - 1) / kThreads);
}

} // namespace

cudaError_t directForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const std::int64_t elements = g.outPixels() * g.filters;
    forward<<<blocksFor(elements), kThreads, 0, o.stream>>>(g, unsigned(elements), o.src[0], o.src[1],
                                                            epilogue, o.dst[0]);
    return cudaGetLastError();
}

cudaError_t directBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const std::int64_t elements = g.pixels() * g.channels;
    backwardData<<<blocksFor(elements), kThreads, 0, o.stream>>>(g, unsigned(elements), o.src[0], o.src[1],
                                                                 epilogue, o.dst[0]);
    return cudaGetLastError();
}

cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const std::int64_t weights = g.windowElements() * g.groupChannels * g.filters;
    backwardWeights<<<unsigned(weights), kSumThreads, 0, o.stream>>>(g, unsigned(g.outPixels()), o.src[0],
                                                                     o.src[1], o.dst[0]);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
