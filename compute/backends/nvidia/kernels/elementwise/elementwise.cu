// SPDX-License-Identifier: Apache-2.0
// Dropout, sums, copies of channels and sums of squares. Limited by device memory; dropout computes ten
// rounds of Philox for four elements, which hide behind it.
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"
#include "compute/core/ops/dropout_mask.h"

namespace heteroscope::compute::nvidia {
namespace {

struct Drop {
    const float* step;
    double scale;
    std::uint64_t seed;
    std::uint32_t stream, threshold;

    /// `first` is a multiple of 4: one block of words is exactly the thread's elements.
    __device__ void operator()(unsigned first, const float (&x)[1][4], float (&y)[1][4]) const {
        const Philox4 words = dropoutWords(seed, stream, __float_as_uint(*step), first / 4);
        const std::uint32_t four[] = {words.x, words.y, words.z, words.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = dropoutKeeps(four[i], threshold)
                          ? static_cast<float>(static_cast<double>(x[0][i]) * scale)
                          : 0.0F;
    }
};

struct Sum {
    __device__ void operator()(unsigned, const float (&x)[2][4], float (&y)[1][4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = x[0][i] + x[1][i];
    }
};

/// Elements are float or float4; lengths count them. An image is `length` of them in a row.
template <class Element>
__global__ void copyRows(const Element* src, Element* dst, unsigned elements, FastDivision length,
                         unsigned srcStride, unsigned dstStride) {
    unsigned inImage = blockIdx.x * kMapThreads + threadIdx.x;
    if (inImage >= elements)
        return;
    const unsigned image = length.split(inImage);
    dst[std::size_t(image) * dstStride + inImage] = src[std::size_t(image) * srcStride + inImage];
}

template <class Element>
cudaError_t launchCopy(const CopyChannels& op, const float* src, float* dst, cudaStream_t stream) {
    constexpr std::int64_t kWidth = sizeof(Element) / sizeof(float);
    const std::int64_t plane = op.src.h * op.src.w, length = op.channels * plane / kWidth;
    const std::int64_t elements = op.src.n * length;
    copyRows<<<unsigned((elements + kMapThreads - 1) / kMapThreads), kMapThreads, 0, stream>>>(
        reinterpret_cast<const Element*>(src), reinterpret_cast<Element*>(dst), unsigned(elements),
        FastDivision(length), unsigned(op.src.c * plane / kWidth), unsigned(op.dstChannels * plane / kWidth));
    return cudaGetLastError();
}

__global__ void __launch_bounds__(kSumThreads)
    squares(const float* values, unsigned elements, Pair* partial) {
    Pair sum;
    for (unsigned i = blockIdx.x * kSumThreads + threadIdx.x; i < elements; i += gridDim.x * kSumThreads) {
        const double value = values[i];
        sum.a += value * value;
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kSumThreads) lastSum(const Pair* partial, int count, float* result) {
    const Pair sum = blockSumOf(partial, count);
    if (threadIdx.x == 0)
        *result = float(sum.a);
}

int squareBlocks(const SumOfSquares& op, const DeviceLimits& device) {
    const std::int64_t enough = (op.elements + kSumThreads * 8 - 1) / (kSumThreads * 8);
    return static_cast<int>(std::min<std::int64_t>(enough, device.multiprocessors * 8));
}

} // namespace

cudaError_t launch(const Dropout& op, const KernelOperands& o) {
    return launchMap<1, 1>(
        {{o.src[0]}, {o.dst[0]}}, op.elements,
        Drop{o.src[1], 1.0 / (1.0 - op.rate), op.seed, op.stream, dropoutThreshold(op.rate)}, o.stream);
}

cudaError_t launch(const Add& op, const KernelOperands& o) {
    return launchMap<2, 1>({{o.src[0], o.src[1]}, {o.dst[0]}}, op.elements, Sum{}, o.stream);
}

cudaError_t launch(const CopyChannels& op, const KernelOperands& o) {
    const std::int64_t plane = op.src.h * op.src.w;
    const float* src = o.src[0] + op.srcChannel * plane;
    float* dst = o.dst[0] + op.dstChannel * plane;
    const auto vectors = [](std::int64_t elements) { return elements % 4 == 0; };
    const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    if (vectors(op.channels * plane) && vectors(op.src.c * plane) && vectors(op.dstChannels * plane) &&
        aligned(src) && aligned(dst))
        return launchCopy<float4>(op, src, dst, o.stream);
    return launchCopy<float>(op, src, dst, o.stream);
}

std::size_t workspaceOf(const SumOfSquares& op, const DeviceLimits& device) {
    return std::size_t(squareBlocks(op, device)) * sizeof(Pair);
}

cudaError_t launch(const SumOfSquares& op, const KernelOperands& o) {
    const int blocks = squareBlocks(op, o.device);
    auto* partial = static_cast<Pair*>(o.workspace);
    squares<<<blocks, kSumThreads, 0, o.stream>>>(o.src[0], unsigned(op.elements), partial);
    lastSum<<<1, kSumThreads, 0, o.stream>>>(partial, blocks, o.dst[0]);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
