// SPDX-License-Identifier: Apache-2.0
// A thread computes 2x2 pixels of four filters; the block's part of the input and its weights lie in shared
// memory. The 2x2 pixels are a window of the pooling that often follows. The gradient of the input is the
// same convolution with the weights turned round. Limited by fp32 issue where there is work for every
// multiprocessor, else by the latency of filling shared memory.
#include "compute/backends/nvidia/cuda/pool_compare.cuh"
#include "compute/backends/nvidia/network/stage_planes.cuh"
#include "compute/backends/nvidia/network/window_conv.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kFilters = 4; ///< of a thread
constexpr int kMostShared = 96 * 1024;

struct WindowProblem {
    int channels, height, width, filters, outHeight, outWidth;
    int top, left;                         ///< padding
    int patchesX, patchesY, tilesX, tiles; ///< a block's 2x2 patches; blocks of an image
    int rows, stride, chunk;               ///< of a channel in shared memory; channels there at a time
    int groups;                            ///< of kFilters filters in a block
    int split;                             ///< threads that share the channels of a patch and its filters
    unsigned filterApart, channelApart;    ///< in the weights
    bool turned;                           ///< windows are read from their end
    const float *src, *weights;
    float *dst, *pooled;
    Epilogue epilogue;
};

/// The weights of `filters` filters: place in the window, then filter.
template <int K>
__device__ void stageWeights(const WindowProblem& p, int firstChannel, int count, int firstFilter,
                             float* weights) {
    const int filters = p.groups * kFilters, each = K * K * filters;
    for (int place = int(threadIdx.x); place < each; place += int(blockDim.x)) {
        const int k = place / filters, filter = firstFilter + place - k * filters;
        const float* from = p.weights + std::size_t(filter) * p.filterApart +
                            std::size_t(firstChannel) * p.channelApart + (p.turned ? K * K - 1 - k : k);
        const int copied = filter < p.filters ? count : 0;
#pragma unroll 4
        for (int c = 0; c < copied; ++c)
            __pipeline_memcpy_async(weights + c * each + place, from + std::size_t(c) * p.channelApart,
                                    sizeof(float));
        for (int c = copied; c < count; ++c)
            weights[c * each + place] = 0.0F;
    }
}

struct PatchSums {
    float of[kFilters][2][2] = {};

    template <int K>
    __device__ void add(const float* input, int stride, const float* weights, int filters) {
        float in[K + 1][K + 1];
#pragma unroll
        for (int i = 0; i <= K; ++i)
#pragma unroll
            for (int j = 0; j <= K; j += 2) {
                const float2 two = *reinterpret_cast<const float2*>(input + i * stride + j);
                in[i][j] = two.x;
                in[i][j + 1] = two.y;
            }
#pragma unroll
        for (int k = 0; k < K * K; ++k) {
            const float4 w = *reinterpret_cast<const float4*>(weights + k * filters);
            const float four[kFilters] = {w.x, w.y, w.z, w.w};
#pragma unroll
            for (int f = 0; f < kFilters; ++f)
#pragma unroll
                for (int y = 0; y < 2; ++y)
#pragma unroll
                    for (int x = 0; x < 2; ++x)
                        of[f][y][x] = fmaf(in[k / K + y][k % K + x], four[f], of[f][y][x]);
        }
    }

    /// Adds the sums of the other parts to the first one's, in order. Every thread of the block calls it.
    __device__ void join(float* shared, int part, int split, int thread, int threads) {
        constexpr int kSums = 4 * kFilters;
        if (part > 0 && part < split)
#pragma unroll
            for (int i = 0; i < kSums; ++i)
                shared[((part - 1) * kSums + i) * threads + thread] = of[i / 4][i / 2 % 2][i % 2];
        __syncthreads();
        if (part != 0)
            return;
        for (int other = 0; other + 1 < split; ++other)
#pragma unroll
            for (int i = 0; i < kSums; ++i)
                of[i / 4][i / 2 % 2][i % 2] += shared[(other * kSums + i) * threads + thread];
    }
};

/// Floats of shared memory that joining needs.
__host__ __device__ constexpr int joinFloats(int split, int threads) {
    return (split - 1) * 4 * kFilters * threads;
}

__device__ void writePatch(const WindowProblem& p, const PatchSums& sums, int image, int firstFilter, int y,
                           int x) {
#pragma unroll
    for (int f = 0; f < kFilters; ++f) {
        const int filter = firstFilter + f;
        if (filter >= p.filters)
            return;
        const std::size_t plane = std::size_t(image * p.filters + filter);
        float best = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int row = y + i / 2, column = x + i % 2;
            if (row >= p.outHeight || column >= p.outWidth)
                continue;
            const std::size_t index = (plane * p.outHeight + row) * p.outWidth + column;
            const float value = p.epilogue.of(sums.of[f][i / 2][i % 2], filter, index);
            if (p.dst != nullptr)
                p.dst[index] = value;
            best = i == 0 || beats(value, best) ? value : best;
        }
        if (p.pooled != nullptr && y + 1 < p.outHeight && x + 1 < p.outWidth)
            p.pooled[(plane * (p.outHeight / 2) + y / 2) * (p.outWidth / 2) + x / 2] = best;
    }
}

template <int K>
__global__ void __launch_bounds__(256) windowConv(const WindowProblem p) {
    extern __shared__ __align__(16) float shared[];
    float* weights = shared + p.chunk * p.rows * p.stride;
    const int image = int(blockIdx.x) / p.tiles, tile = int(blockIdx.x) % p.tiles;
    const int patches = p.patchesX * p.patchesY, filters = p.groups * kFilters;
    const int patch = int(threadIdx.x) % patches, part = int(threadIdx.x) / patches / p.groups;
    const int group = int(threadIdx.x) / patches % p.groups;
    const int py = patch / p.patchesX, px = patch % p.patchesX;
    const int tileY = tile / p.tilesX * p.patchesY, tileX = tile % p.tilesX * p.patchesX;
    const int firstFilter = int(blockIdx.y) * filters;
    const PlanePart input{
        p.height,           p.width,  p.rows,           2 * p.patchesX + K - 1, 2 * tileY - p.top,
        2 * tileX - p.left, p.stride, p.rows * p.stride};
    PatchSums sums;
    for (int c0 = 0; c0 < p.channels; c0 += p.chunk) {
        const int count = min(p.chunk, p.channels - c0);
        stagePlanes(input, p.src + std::size_t(image * p.channels + c0) * p.height * p.width, count, count,
                    shared);
        stageWeights<K>(p, c0, count, firstFilter, weights);
        waitForStage();
        if (part < p.split)
            for (int c = part; c < count; c += p.split)
                sums.add<K>(shared + (c * p.rows + 2 * py) * p.stride + 2 * px, p.stride,
                            weights + c * K * K * filters + group * kFilters, filters);
        __syncthreads();
    }
    if (p.split > 1)
        sums.join(shared, part, p.split, int(threadIdx.x) - part * patches * p.groups, patches * p.groups);
    const int y = 2 * (tileY + py), x = 2 * (tileX + px);
    if (part == 0 && y < p.outHeight && x < p.outWidth)
        writePatch(p, sums, image, firstFilter + group * kFilters, y, x);
}

int parts(int whole, int part) {
    return (whole + part - 1) / part;
}

/// Tiles of about 64 patches; fewer filters a block where blocks are few.
void cut(WindowProblem& p, int kernel, int batch, int multiprocessors) {
    const int wide = parts(p.outWidth, 2), high = parts(p.outHeight, 2);
    p.tilesX = parts(wide, 16);
    p.patchesX = parts(wide, p.tilesX);
    const int tilesY = parts(high, std::max(1, 64 / p.patchesX));
    p.patchesY = parts(high, tilesY);
    p.tiles = p.tilesX * tilesY;
    const int all = parts(p.filters, kFilters), patches = p.patchesX * p.patchesY;
    p.groups = std::max(1, std::min(all, 256 / patches));
    while (p.groups > 1 && batch * p.tiles * parts(all, p.groups) < multiprocessors * 9 / 10 &&
           patches * p.groups > 32)
        p.groups = parts(p.groups, 2);
    const int threads = patches * p.groups;
    p.split = std::clamp(256 / threads, 1, std::min(4, p.channels));
    p.rows = 2 * p.patchesY + kernel - 1;
    const int columns = 2 * p.patchesX + kernel - 1;
    p.stride = parts(columns - 8, 16) * 16 + 8; // neighbouring rows of patches lie in other banks
    if (columns <= 8)
        p.stride = 8;
    const int each = (p.rows * p.stride + kernel * kernel * p.groups * kFilters) * int(sizeof(float));
    p.chunk = std::max(1, std::min(p.channels, kMostShared / each));
    p.chunk = parts(p.channels, parts(p.channels, p.chunk)); // chunks of about the same size
}

template <int K>
cudaError_t start(const WindowProblem& p, int batch, cudaStream_t stream) {
    const int filters = p.groups * kFilters;
    const int used = p.patchesX * p.patchesY * p.groups;
    const int staged = (p.rows * p.stride + K * K * filters) * p.chunk;
    const int bytes = std::max(staged, joinFloats(p.split, used)) * int(sizeof(float));
    if (const cudaError_t code =
            cudaFuncSetAttribute(windowConv<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostShared);
        code != cudaSuccess)
        return code;
    const int threads = parts(used * p.split, 32) * 32;
    windowConv<K>
        <<<dim3(unsigned(batch * p.tiles), unsigned(parts(p.filters, filters))), threads, bytes, stream>>>(p);
    return cudaGetLastError();
}

cudaError_t launchWindow(WindowProblem p, int kernel, int batch, int multiprocessors, cudaStream_t stream) {
    cut(p, kernel, batch, multiprocessors);
    return kernel == 3 ? start<3>(p, batch, stream) : start<5>(p, batch, stream);
}

/// Few threads go through many channels one after the other: then slices of a matrix product are faster.
constexpr std::int64_t kFewChannels = 128, kLeastThreads = 2048, kManyThreads = 16384;
constexpr std::int64_t kMostBatch = 64;   ///< more images of small planes would read the weights too often
constexpr std::int64_t kManyFilters = 64; ///< they fill the tiles of a matrix product, which is faster then

bool takes(const ConvParams& p, const Shape4& src, std::int64_t from, std::int64_t to) {
    const bool square = p.kernel.h == p.kernel.w && (p.kernel.h == 3 || p.kernel.h == 5);
    const bool plain = p.stride == Extent2d{1, 1} && p.dilation == Extent2d{1, 1} && p.groups == 1;
    const bool padded =
        std::max({p.padding.top, p.padding.bottom, p.padding.left, p.padding.right}) < p.kernel.h;
    const std::int64_t threads =
        src.n * ((src.h + 1) / 2) * ((src.w + 1) / 2) * ((to + kFilters - 1) / kFilters);
    const bool enough = threads >= (from <= kFewChannels ? kLeastThreads : kManyThreads);
    return square && plain && padded && enough && to < kManyFilters &&
           (from <= kFewChannels || src.n <= kMostBatch);
}

} // namespace

bool takesWindowForward(const ConvParams& params, const Shape4& src) {
    return takes(params, src, src.c, params.filters);
}

bool takesWindowData(const ConvParams& params, const Shape4& src) {
    return takes(params, src, params.filters, src.c);
}

cudaError_t windowForward(const ConvGeometry& g, const Epilogue& epilogue, const float* src,
                          const float* weights, float* dst, float* pooled, int multiprocessors,
                          cudaStream_t stream) {
    WindowProblem p{};
    p.channels = g.channels, p.height = g.height, p.width = g.width;
    p.filters = g.filters, p.outHeight = g.outHeight, p.outWidth = g.outWidth;
    p.top = g.top, p.left = g.left;
    p.filterApart = unsigned(g.channels) * g.window.divisor, p.channelApart = g.window.divisor;
    p.src = src, p.weights = weights, p.dst = dst, p.pooled = pooled, p.epilogue = epilogue;
    return launchWindow(p, g.kernelH, g.batch, multiprocessors, stream);
}

cudaError_t windowBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const float* dstGrad,
                               const float* weights, float* srcGrad, int multiprocessors,
                               cudaStream_t stream) {
    WindowProblem p{};
    p.channels = g.filters, p.height = g.outHeight, p.width = g.outWidth;
    p.filters = g.channels, p.outHeight = g.height, p.outWidth = g.width;
    p.top = g.kernelH - 1 - g.top, p.left = g.kernelW - 1 - g.left;
    p.filterApart = g.window.divisor, p.channelApart = unsigned(g.channels) * g.window.divisor;
    p.turned = true;
    p.src = dstGrad, p.weights = weights, p.dst = srcGrad, p.epilogue = epilogue;
    return launchWindow(p, g.kernelH, g.batch, multiprocessors, stream);
}

} // namespace heteroscope::compute::nvidia
