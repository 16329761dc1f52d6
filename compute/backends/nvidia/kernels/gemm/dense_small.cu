// SPDX-License-Identifier: Apache-2.0
// Forward a block computes four units for four images; backward a thread a column for a few rows. Limited by
// the latency of loads, most of which the second-level cache answers.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/gemm/dense_small.h"
#include "compute/backends/nvidia/kernels/pool/unpool_window.cuh"

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kMostBatch = 64, kMostInputs = 4096, kMostUnits = 1024;
constexpr int kImages = 4, kUnits = 4; ///< forward: of a block
constexpr int kForwardThreads = 256;
constexpr int kColumns = 128, kRows = 4; ///< backward: columns and rows of a block
constexpr int kParts = 4;                ///< of the units, which the threads of a column share

/// What a warp adds up of its share of the inputs: kImages x kUnits sums.
struct ForwardSums {
    float of[kImages][kUnits] = {};

    template <class Value>
    __device__ void add(const float* const (&image)[kImages], const float* const (&weight)[kUnits], int at);
    __device__ void addOne(float x, float w, float& sum) { sum = fmaf(x, w, sum); }
    __device__ void addOne(const float4& x, const float4& w, float& sum) {
        sum = fmaf(x.x, w.x, fmaf(x.y, w.y, fmaf(x.z, w.z, fmaf(x.w, w.w, sum))));
    }
};

template <class Value>
__device__ void ForwardSums::add(const float* const (&image)[kImages], const float* const (&weight)[kUnits],
                                 int at) {
    Value x[kImages], w[kUnits];
#pragma unroll
    for (int i = 0; i < kImages; ++i)
        x[i] = *reinterpret_cast<const Value*>(image[i] + at);
#pragma unroll
    for (int u = 0; u < kUnits; ++u)
        w[u] = *reinterpret_cast<const Value*>(weight[u] + at);
#pragma unroll
    for (int i = 0; i < kImages; ++i)
#pragma unroll
        for (int u = 0; u < kUnits; ++u)
            addOne(x[i], w[u], of[i][u]);
}

/// The warps of a block share out the inputs.
__global__ void __launch_bounds__(kForwardThreads)
    forward(int batch, int inputs, int units, Epilogue epilogue, const float* src, const float* weights,
            float* dst) {
    waitForEarlier();
    __shared__ float ofWarps[kForwardThreads / 32][kImages * kUnits];
    const int firstUnit = int(blockIdx.x) * kUnits, firstImage = int(blockIdx.y) * kImages;
    const float *image[kImages], *weight[kUnits];
#pragma unroll
    for (int i = 0; i < kImages; ++i)
        image[i] = src + std::size_t(min(firstImage + i, batch - 1)) * inputs;
#pragma unroll
    for (int u = 0; u < kUnits; ++u)
        weight[u] = weights + std::size_t(min(firstUnit + u, units - 1)) * inputs;
    ForwardSums sums;
    if (inputs % 4 == 0)
        for (int at = int(threadIdx.x) * 4; at < inputs; at += kForwardThreads * 4)
            sums.add<float4>(image, weight, at);
    else
        for (int at = int(threadIdx.x); at < inputs; at += kForwardThreads)
            sums.add<float>(image, weight, at);
#pragma unroll
    for (int i = 0; i < kImages * kUnits; ++i) {
        float sum = sums.of[i / kUnits][i % kUnits];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(~0U, sum, offset);
        if (threadIdx.x % 32 == 0)
            ofWarps[threadIdx.x / 32][i] = sum;
    }
    __syncthreads();
    const int mine = int(threadIdx.x), row = firstImage + mine / kUnits, unit = firstUnit + mine % kUnits;
    if (mine >= kImages * kUnits || row >= batch || unit >= units)
        return;
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < kForwardThreads / 32; ++warp)
        sum += ofWarps[warp][mine];
    const std::size_t index = std::size_t(row) * units + unit;
    dst[index] = epilogue.of(sum, unsigned(unit), index);
}

/// `index`: of the maximum among all.
__device__ void unpoolOne(const Unpooling& u, float gradient, unsigned index, float* srcGrad) {
    const unsigned high = unsigned(u.height) / 2, wide = unsigned(u.width) / 2;
    const int x = int(index % wide), y = int(index / wide % high);
    const std::size_t corner = cornerOf(u, index / wide / high, y, x);
    PooledWindow window;
    window.load(u.values + corner, u.width);
    window.write(gradient, u.relu, srcGrad + corner, u.width);
    zeroEdges(u, srcGrad + corner, y, x);
}

__global__ void __launch_bounds__(kColumns* kParts)
    backwardData(int batch, int inputs, int units, Epilogue epilogue, const float* dstGrad,
                 const float* weights, float* srcGrad) {
    waitForEarlier();
    extern __shared__ float gradients[]; // units x kRows
    __shared__ float ofParts[kParts][kRows][kColumns];
    const int column = int(blockIdx.x) * kColumns + int(threadIdx.x), first = int(blockIdx.y) * kRows;
    const int part = int(threadIdx.y), thread = part * kColumns + int(threadIdx.x);
    for (int i = thread; i < units * kRows; i += kColumns * kParts) {
        const int row = first + i % kRows;
        gradients[i] = row < batch ? dstGrad[std::size_t(row) * units + i / kRows] : 0.0F;
    }
    __syncthreads();
    float sums[kRows] = {};
    const float* weight = weights + min(column, inputs - 1);
#pragma unroll 8
    for (int u = part; u < units; u += kParts) {
        const float value = weight[std::size_t(u) * inputs];
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            sums[r] = fmaf(gradients[u * kRows + r], value, sums[r]);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
        ofParts[part][r][threadIdx.x] = sums[r];
    __syncthreads();
    static_assert(kParts == kRows); // each part ends one row
    float sum = 0;
#pragma unroll
    for (int other = 0; other < kParts; ++other)
        sum += ofParts[other][part][threadIdx.x];
    const std::size_t index = std::size_t(first + part) * inputs + column;
    if (first + part >= batch || column >= inputs)
        return;
    if (epilogue.unpooling.values == nullptr)
        srcGrad[index] = epilogue.of(sum, 0, index);
    else
        unpoolOne(epilogue.unpooling, sum, unsigned(index), srcGrad);
}

__global__ void __launch_bounds__(kColumns)
    backwardWeights(int batch, int inputs, int units, const float* src, const float* dstGrad,
                    float* weightGrad, float* biasGrad) {
    waitForEarlier();
    __shared__ float gradients[kMostBatch * kRows];
    const int column = int(blockIdx.x) * kColumns + int(threadIdx.x), first = int(blockIdx.y) * kRows;
    for (int i = int(threadIdx.x); i < batch * kRows; i += kColumns) {
        const int unit = first + i % kRows;
        gradients[i] = unit < units ? dstGrad[std::size_t(i / kRows) * units + unit] : 0.0F;
    }
    __syncthreads();
    if (biasGrad != nullptr && blockIdx.x == 0 && threadIdx.x < kRows && first + int(threadIdx.x) < units) {
        float sum = 0;
        for (int n = 0; n < batch; ++n)
            sum += gradients[n * kRows + int(threadIdx.x)];
        biasGrad[first + int(threadIdx.x)] = sum;
    }
    if (column >= inputs)
        return;
    float sums[kRows] = {};
#pragma unroll 8
    for (int n = 0; n < batch; ++n) {
        const float value = src[std::size_t(n) * inputs + column];
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            sums[r] = fmaf(gradients[n * kRows + r], value, sums[r]);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
        if (first + r < units)
            weightGrad[std::size_t(first + r) * inputs + column] = sums[r];
}

unsigned parts(std::int64_t whole, std::int64_t part) {
    return static_cast<unsigned>((whole + part - 1) / part);
}

} // namespace

std::string smallDenseRefusal(const DenseParams& params, std::int64_t batch) {
    if (batch <= kMostBatch && params.inputs <= kMostInputs && params.units <= kMostUnits)
        return {};
    return "it takes batches of at most " + std::to_string(kMostBatch) + ", " + std::to_string(kMostInputs) +
           " inputs and " + std::to_string(kMostUnits) + " units";
}

cudaError_t smallForward(const DenseParams& params, std::int64_t batch, const Epilogue& epilogue,
                         const float* src, const float* weights, float* dst, cudaStream_t stream) {
    const dim3 grid(parts(params.units, kUnits), parts(batch, kImages));
    return startDependent(forward, grid, kForwardThreads, 0, stream, int(batch), int(params.inputs),
                          int(params.units), epilogue, src, weights, dst);
}

cudaError_t smallBackwardData(const DenseParams& params, std::int64_t batch, const Epilogue& epilogue,
                              const float* dstGrad, const float* weights, float* srcGrad,
                              cudaStream_t stream) {
    const dim3 grid(parts(params.inputs, kColumns), parts(batch, kRows));
    const std::size_t bytes = std::size_t(params.units) * kRows * sizeof(float);
    return startDependent(backwardData, grid, dim3(kColumns, kParts), bytes, stream, int(batch),
                          int(params.inputs), int(params.units), epilogue, dstGrad, weights, srcGrad);
}

cudaError_t smallBackwardWeights(const DenseParams& params, std::int64_t batch, const float* src,
                                 const float* dstGrad, float* weightGrad, float* biasGrad,
                                 cudaStream_t stream) {
    const dim3 grid(parts(params.inputs, kColumns), parts(params.units, kRows));
    return startDependent(backwardWeights, grid, kColumns, 0, stream, int(batch), int(params.inputs),
                          int(params.units), src, dstGrad, weightGrad, biasGrad);
}

} // namespace heteroscope::compute::nvidia
