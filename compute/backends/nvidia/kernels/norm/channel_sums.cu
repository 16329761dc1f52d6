// SPDX-License-Identifier: Apache-2.0
// Gradients of biases, and biases added after a library's product.
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"
#include "compute/backends/nvidia/kernels/norm/channel_walk.cuh"

namespace heteroscope::compute::nvidia {
namespace {

__global__ void __launch_bounds__(kSumThreads)
    partialSums(ChannelWalk walk, const float* src, Pair* partial) {
    walk.eachChannel([&](unsigned channel) {
        Pair sum;
        walk.each(channel, [&](unsigned i) { sum.a += double(src[i]); });
        sum = blockSum(sum);
        if (threadIdx.x == 0)
            partial[channel * walk.slices + blockIdx.x] = sum;
    });
}

__global__ void __launch_bounds__(kSumThreads)
    wholeSums(const Pair* partial, unsigned channels, unsigned slices, float* sums) {
    const unsigned channel = blockIdx.x * kSumThreads + threadIdx.x;
    if (channel >= channels)
        return;
    double sum = 0;
    for (unsigned slice = 0; slice < slices; ++slice)
        sum += partial[channel * slices + slice].a;
    sums[channel] = float(sum);
}

/// Rows of `columns` values: a thread a column, so that neighbours read neighbours.
__global__ void __launch_bounds__(kSumThreads)
    columnSums(const float* values, unsigned rows, unsigned columns, float* sums) {
    const unsigned column = blockIdx.x * kSumThreads + threadIdx.x;
    if (column >= columns)
        return;
    double sum = 0;
    for (unsigned row = 0; row < rows; ++row)
        sum += double(values[row * columns + column]);
    sums[column] = float(sum);
}

struct AddBias {
    const float* bias;
    FastDivision plane, channels;
    unsigned elements;

    __device__ void operator()(unsigned first, const float (&x)[1][4], float (&y)[1][4]) const {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            unsigned channel = plane.quotient(min(first + i, elements - 1));
            channels.split(channel);
            y[0][i] = x[0][i] + bias[channel];
        }
    }
};

unsigned blocksFor(std::int64_t threads) {
    return static_cast<unsigned>((threads + kSumThreads - 1) / kSumThreads);
}

} // namespace

std::size_t channelSumsWorkspace(const Shape4& shape, const DeviceLimits& device) {
    return shape.h * shape.w == 1 ? 0 : ChannelWalk(shape, device).partialBytes();
}

cudaError_t launchChannelSums(const Shape4& shape, const float* values, float* sums, void* workspace,
                              const DeviceLimits& device, cudaStream_t stream) {
    if (shape.h * shape.w == 1) {
        columnSums<<<blocksFor(shape.c), kSumThreads, 0, stream>>>(values, unsigned(shape.n),
                                                                   unsigned(shape.c), sums);
        return cudaGetLastError();
    }
    const ChannelWalk walk(shape, device);
    auto* partial = static_cast<Pair*>(workspace);
    partialSums<<<walk.grid(), kSumThreads, 0, stream>>>(walk, values, partial);
    wholeSums<<<blocksFor(shape.c), kSumThreads, 0, stream>>>(partial, walk.channels, walk.slices, sums);
    return cudaGetLastError();
}

cudaError_t launchAddBias(const Shape4& shape, const float* bias, float* values, cudaStream_t stream) {
    const std::int64_t elements = shape.elements().value_or(0);
    return launchMap<1, 1>(
        {{values}, {values}}, elements,
        AddBias{bias, FastDivision(shape.h * shape.w), FastDivision(shape.c), unsigned(elements)}, stream);
}

} // namespace heteroscope::compute::nvidia
