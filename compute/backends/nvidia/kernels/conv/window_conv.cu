// SPDX-License-Identifier: Apache-2.0
// A thread computes 2x2 pixels of four filters; the block's part of the input and its weights lie in shared
// memory. The 2x2 pixels are a window of the pooling that often follows. The gradient of the input is the
// same convolution with the weights flipped. Limited by fp32 issue where there is work for every
// multiprocessor, else by the latency of filling shared memory.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/conv/stage_planes.cuh"
#include "compute/backends/nvidia/kernels/conv/window_conv.h"
#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"
#include "compute/backends/nvidia/kernels/pool/unpool_window.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kFilters = 4; ///< of a thread
constexpr int kMostShared = 96 * 1024;
constexpr int kThreads = 256, kParts = 4;
constexpr unsigned kMostGrid = 65535;             ///< blocks in y
constexpr int kMostThreads = 512, kMostParts = 8; ///< where a multiprocessor has one block alone

struct WindowProblem {
    int channels, height, width, filters, outHeight, outWidth;
    int top, left;                         ///< padding
    int patchesX, patchesY, tilesX, tiles; ///< a block's 2x2 patches; blocks of an image
    int rows, stride, chunk;               ///< of a channel in shared memory; channels there at a time
    int groups;                            ///< of kFilters filters in a block
    int split;                             ///< threads that share the channels of a patch and its filters
    int weightsStride;                     ///< in shared memory: places of a window
    unsigned filterStride, channelStride;  ///< in the weights
    bool flipped;                          ///< windows are read from their end
    FastDivision overTiles, overTilesX, overPatches, overPatchesX, overGroups;
    PlanePart<1> input;
    const float *src, *weights;
    float *dst, *pooled;
    Epilogue epilogue;
};

/// The weights of `count` channels and the block's filters: channel, place in the window, then filter. A warp
/// reads what lies together: a filter's channels or, flipped, a channel's filters.
template <int K>
__device__ void stageWeights(const WindowProblem& p, int firstChannel, int count, int firstFilter,
                             float* weights) {
    const int filters = p.groups * kFilters;
    const int runs = p.flipped ? count : filters, run = (p.flipped ? filters : count) * K * K;
    const unsigned runStride = p.flipped ? p.channelStride : p.filterStride;
    const float* from =
        p.weights + std::size_t(firstFilter) * p.filterStride + std::size_t(firstChannel) * p.channelStride;
#pragma unroll 1
    for (int i = int(threadIdx.x) / 32; i < runs; i += int(blockDim.x) / 32)
#pragma unroll 1
        for (int j = int(threadIdx.x) % 32; j < run; j += 32) {
            const int inRun = j / (K * K), k = j - inRun * K * K;
            const int channel = p.flipped ? i : inRun, filter = p.flipped ? inRun : i;
            float* to =
                weights + (channel * K * K + (p.flipped ? K * K - 1 - k : k)) * p.weightsStride + filter;
            if (firstFilter + filter < p.filters)
                __pipeline_memcpy_async(to, from + std::size_t(i) * runStride + j, sizeof(float));
            else
                *to = 0.0F;
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
};

constexpr int kSums = 4 * kFilters; ///< of a thread

/// Which pixels of a patch the output has; always the first.
struct PatchEdges {
    bool below, right;
    __device__ bool has(int pixel) const { return (pixel < 2 || below) && (pixel % 2 == 0 || right); }
};

/// Writes the sums of one patch of one filter.
__device__ void endPatch(const WindowProblem& p, const float (&sums)[4], int image, int filter, int y, int x,
                         PatchEdges edges) {
    const std::size_t plane = std::size_t(image * p.filters + filter);
    const Epilogue::OfChannel channel = p.epilogue.ofChannel(unsigned(filter));
    const std::size_t first = (plane * p.outHeight + y) * p.outWidth + x;
    float best = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (!edges.has(i))
            continue;
        const std::size_t index = first + unsigned(i / 2 * p.outWidth + i % 2);
        const float value = p.epilogue.of(sums[i], channel, index);
        if (p.dst != nullptr)
            p.dst[index] = value;
        best = i == 0 || beats(value, best) ? value : best;
    }
    if (p.pooled != nullptr && edges.has(3))
        p.pooled[(plane * (p.outHeight / 2) + y / 2) * (p.outWidth / 2) + x / 2] = best;
}

/// The same where the sums are gradients of maxima.
__device__ void unpoolPatch(const WindowProblem& p, const float (&sums)[4], int image, int filter, int y,
                            int x, PatchEdges edges) {
    const Unpooling& u = p.epilogue.unpooling;
    const std::size_t first = cornerOf(u, std::size_t(image * p.filters + filter), y, x);
    PooledWindow windows[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (edges.has(i))
            windows[i].load(u.values + first + (i / 2 * 2 * u.width + i % 2 * 2), u.width);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (!edges.has(i))
            continue;
        float* corner = p.dst + first + (i / 2 * 2 * u.width + i % 2 * 2);
        windows[i].write(sums[i], u.relu, corner, u.width);
        if ((u.height | u.width) % 2 != 0)
            zeroEdges(u, corner, y + i / 2, x + i % 2);
    }
}

/// Adds up the sums of the parts in order; the parts share the filters.
__device__ void endPatches(const WindowProblem& p, const PatchSums& sums, float* shared, int part, int thread,
                           int image, int firstFilter, int y, int x) {
    const int each = p.patchesX * p.patchesY * p.groups;
    float* mine = shared + thread;
    if (part < p.split)
#pragma unroll
        for (int i = 0; i < kSums; ++i)
            mine[(part * kSums + i) * each] = sums.of[i / 4][i / 2 % 2][i % 2];
    __syncthreads();
    if (part >= p.split || y >= p.outHeight || x >= p.outWidth)
        return;
    const PatchEdges edges{y + 1 < p.outHeight, x + 1 < p.outWidth};
#pragma unroll 1
    for (int f = part; f < kFilters && firstFilter + f < p.filters; f += p.split) {
        const float* from = mine + f * 4 * each;
        float four[4] = {from[0], from[each], from[2 * each], from[3 * each]};
#pragma unroll 1
        for (int other = 1; other < p.split; ++other) {
            from += kSums * each;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                four[i] += from[i * each];
        }
        if (p.epilogue.unpooling.values == nullptr)
            endPatch(p, four, image, firstFilter + f, y, x, edges);
        else
            unpoolPatch(p, four, image, firstFilter + f, y, x, edges);
    }
}

template <int K>
__global__ void __launch_bounds__(kMostThreads, 1) windowConv(const WindowProblem p) {
    waitForEarlier();
    extern __shared__ __align__(16) float shared[];
    float* weights = shared + p.chunk * p.rows * p.stride;
    unsigned tile = blockIdx.x, patch = threadIdx.x;
    const int image = int(p.overTiles.split(tile));
    unsigned group = p.overPatches.split(patch);
    const int part = int(p.overGroups.split(group));
    const int thread = int(threadIdx.x) - part * p.patchesX * p.patchesY * p.groups;
    unsigned tileX = tile, px = patch;
    const int tileY = int(p.overTilesX.split(tileX)), py = int(p.overPatchesX.split(px));
    const int top = 2 * tileY * p.patchesY, left = 2 * int(tileX) * p.patchesX;
    const int firstFilter = int(blockIdx.y) * p.groups * kFilters;
    const int plane = p.rows * p.stride, window = K * K * p.weightsStride;
    const float* const patchInput = shared + 2 * py * p.stride + 2 * int(px);
    PatchSums sums;
    for (int c0 = 0; c0 < p.channels; c0 += p.chunk) {
        const int count = min(p.chunk, p.channels - c0);
        p.input.stage(top - p.top, left - p.left,
                      p.src + std::size_t(image * p.channels + c0) * p.height * p.width, count, count,
                      shared);
        stageWeights<K>(p, c0, count, firstFilter, weights);
        waitForCopies();
        if (part < p.split)
#pragma unroll 1
            for (int c = part; c < count; c += p.split)
                sums.add<K>(patchInput + c * plane, p.stride, weights + c * window + int(group) * kFilters,
                            p.weightsStride);
        __syncthreads();
    }
    endPatches(p, sums, shared, part, thread, image, firstFilter + int(group) * kFilters, top + 2 * py,
               left + 2 * int(px));
}

int parts(int whole, int part) {
    return (whole + part - 1) / part;
}

/// Less where a device has less, such as those of compute capability 7.5.
int mostShared(const DeviceLimits& device) {
    return std::min(kMostShared, device.sharedPerBlock);
}

/// Of the filters of a block in shared memory: staged into other banks.
int weightsStride(int groups) {
    const int filters = groups * kFilters;
    return filters % 8 == 0 ? filters + 4 : filters;
}

/// What a block stages of one channel: input and weights.
int bytesOfChannel(const WindowProblem& p, int kernel) {
    return (p.rows * p.stride + kernel * kernel * weightsStride(p.groups)) * int(sizeof(float));
}

/// Tiles of about 64 patches; fewer filters a block where blocks are few.
void cut(WindowProblem& p, int kernel, int batch, const DeviceLimits& device) {
    const int wide = parts(p.outWidth, 2), high = parts(p.outHeight, 2);
    p.tilesX = parts(wide, 16);
    p.patchesX = parts(wide, p.tilesX);
    const int tilesY = parts(high, std::max(1, 64 / p.patchesX));
    p.patchesY = parts(high, tilesY);
    p.tiles = p.tilesX * tilesY;
    const int all = parts(p.filters, kFilters), patches = p.patchesX * p.patchesY;
    p.groups = std::max(1, std::min(all, kThreads / patches));
    while (p.groups > 1 && batch * p.tiles * parts(all, p.groups) < device.multiprocessors * 9 / 10 &&
           patches * p.groups > 32)
        p.groups = parts(p.groups, 2);
    p.rows = 2 * p.patchesY + kernel - 1;
    const int columns = 2 * p.patchesX + kernel - 1;
    const int wished = p.patchesX + p.patchesX % 2; // a row of patches ends where the next begins, among the
    p.stride = columns + (p.patchesX == 16 ? 0 : (32 + wished - columns) % 16); // banks; even, for two floats
    if (columns <= 8)
        p.stride = 8;
    while (p.groups > 1 && bytesOfChannel(p, kernel) > mostShared(device))
        p.groups = parts(p.groups, 2);
    p.groups = parts(all, parts(all, p.groups)); // blocks of about the same size
    const int threads = patches * p.groups;
    const bool alone = batch * p.tiles * parts(all, p.groups) <= device.multiprocessors;
    p.split = std::clamp((alone ? kMostThreads : kThreads) / threads, 1,
                         std::min(alone ? kMostParts : kParts, p.channels));
    p.weightsStride = weightsStride(p.groups);
    const int each = bytesOfChannel(p, kernel);
    p.chunk = std::max(1, std::min(p.channels, mostShared(device) / each));
    p.chunk = parts(p.channels, parts(p.channels, p.chunk)); // chunks of about the same size
}

LaunchShape shapeOf(const WindowProblem& p, int kernel, int batch) {
    const int used = p.patchesX * p.patchesY * p.groups;
    const int staged = (p.rows * p.stride + kernel * kernel * p.weightsStride) * p.chunk;
    return {unsigned(batch * p.tiles), unsigned(parts(p.filters, p.groups * kFilters)), 1,
            parts(used * p.split, 32) * 32, std::max(staged, p.split * kSums * used) * int(sizeof(float))};
}

template <int K>
cudaError_t start(WindowProblem p, int batch, const DeviceLimits& device, cudaStream_t stream) {
    if (const cudaError_t code = cudaFuncSetAttribute(
            windowConv<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, mostShared(device));
        code != cudaSuccess)
        return code;
    const LaunchShape shape = shapeOf(p, K, batch);
    p.input = {p.height, p.width, p.rows, 2 * p.patchesX + K - 1, p.stride, p.rows * p.stride, shape.threads};
    p.overTiles = FastDivision(p.tiles), p.overTilesX = FastDivision(p.tilesX);
    p.overPatches = FastDivision(p.patchesX * p.patchesY), p.overPatchesX = FastDivision(p.patchesX);
    p.overGroups = FastDivision(p.groups);
    return startDependent(windowConv<K>, dim3(shape.blocksX, shape.blocksY), shape.threads, shape.sharedBytes,
                          stream, p);
}

cudaError_t launchWindow(WindowProblem p, int kernel, int batch, const DeviceLimits& device,
                         cudaStream_t stream) {
    cut(p, kernel, batch, device);
    return kernel == 3 ? start<3>(p, batch, device, stream) : start<5>(p, batch, device, stream);
}

WindowProblem forwardProblem(const ConvGeometry& g) {
    WindowProblem p{};
    p.channels = g.channels, p.height = g.height, p.width = g.width;
    p.filters = g.filters, p.outHeight = g.outHeight, p.outWidth = g.outWidth;
    p.top = g.top, p.left = g.left;
    p.filterStride = unsigned(g.channels) * g.window.divisor, p.channelStride = g.window.divisor;
    return p;
}

WindowProblem dataProblem(const ConvGeometry& g) {
    WindowProblem p{};
    p.channels = g.filters, p.height = g.outHeight, p.width = g.outWidth;
    p.filters = g.channels, p.outHeight = g.height, p.outWidth = g.width;
    p.top = g.kernelH - 1 - g.top, p.left = g.kernelW - 1 - g.left;
    p.filterStride = g.window.divisor, p.channelStride = unsigned(g.channels) * g.window.divisor;
    p.flipped = true;
    return p;
}

LaunchShape planned(WindowProblem p, const ConvGeometry& g, const DeviceLimits& device) {
    cut(p, g.kernelH, g.batch, device);
    return shapeOf(p, g.kernelH, g.batch);
}

std::string_view refusalOf(const WindowProblem& problem, const ConvGeometry& g, const DeviceLimits& device) {
    if (!g.isSmallWindow())
        return kOtherWindow;
    WindowProblem p = problem;
    cut(p, g.kernelH, g.batch, device);
    const LaunchShape shape = shapeOf(p, g.kernelH, g.batch);
    if (double(g.batch) * p.tiles > std::numeric_limits<int>::max() || shape.blocksY > kMostGrid)
        return kMoreThanAGrid;
    return shape.sharedBytes > mostShared(device) ? kNoSharedMemory : std::string_view();
}

/// Fitted to 220 convolutions and gradients drawn at random on an H100 (root mean square of the logarithm of
/// the ratio 0.15): what the fullest multiprocessor issues, or where its threads are few their waits. Then
/// scaled, since 67 others took 1.4 times as long and what is fitted of the products is 1.15 times as much.
double expectedCycles(WindowProblem p, const ConvGeometry& g, const DeviceLimits& device) {
    if (!refusalOf(p, g, device).empty())
        return std::numeric_limits<double>::infinity();
    cut(p, g.kernelH, g.batch, device);
    const LaunchShape shape = shapeOf(p, g.kernelH, g.batch);
    const double blocks = double(shape.blocksX) * shape.blocksY, places = double(g.windowElements());
    const double chunks = parts(p.channels, p.chunk), channels = parts(p.chunk, p.split) * chunks;
    const double elements = p.rows * (2.0 * p.patchesX + g.kernelW - 1) + places * p.groups * kFilters;
    const double staged = p.chunk * elements * chunks / shape.threads;
    const double warps =
        shape.threads / 32 / 4.0 * std::ceil(blocks / device.multiprocessors); // of a scheduler
    const double issued = warps * (19.5 * channels * places + 52.4 * staged + 57.9 * p.split);
    const double waves = std::ceil(blocks / device.multiprocessors / residentBlocks(shape, device));
    const double waited = waves * (95.4 * channels * places + 27.4 * chunks + 3345);
    return 1.33 * (std::max(issued, waited) + 2000 + 422 * g.operandMegabytes());
}

} // namespace

std::string_view windowForwardRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    return refusalOf(forwardProblem(g), g, device);
}

std::string_view windowDataRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    return refusalOf(dataProblem(g), g, device);
}

double windowForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(forwardProblem(g), g, device);
}

double windowDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(dataProblem(g), g, device);
}

LaunchShape windowForwardShape(const ConvGeometry& g, const DeviceLimits& device) {
    return planned(forwardProblem(g), g, device);
}

LaunchShape windowDataShape(const ConvGeometry& g, const DeviceLimits& device) {
    return planned(dataProblem(g), g, device);
}

cudaError_t windowForward(const ConvGeometry& g, const Epilogue& epilogue, const float* src,
                          const float* weights, float* dst, float* pooled, const DeviceLimits& device,
                          cudaStream_t stream) {
    WindowProblem p = forwardProblem(g);
    p.src = src, p.weights = weights, p.dst = dst, p.pooled = pooled, p.epilogue = epilogue;
    return launchWindow(p, g.kernelH, g.batch, device, stream);
}

cudaError_t windowBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const float* dstGrad,
                               const float* weights, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream) {
    WindowProblem p = dataProblem(g);
    p.src = dstGrad, p.weights = weights, p.dst = srcGrad, p.epilogue = epilogue;
    return launchWindow(p, g.kernelH, g.batch, device, stream);
}

} // namespace heteroscope::compute::nvidia
