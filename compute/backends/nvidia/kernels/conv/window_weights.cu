// SPDX-License-Identifier: Apache-2.0
// Gradients of the weights of small convolutions. A block takes some rows of some images; a thread all places
// of the window for one channel and a few filters, so that it reads each input element once a row. Blocks
// leave partial sums, which a second kernel adds in order. Limited by fp32 issue and shared-memory reads.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/conv/stage_planes.cuh"
#include "compute/backends/nvidia/kernels/conv/window_conv.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kMostShared = 96 * 1024, kColumns = 4; ///< columns at a time
constexpr int kMostCombinations = 128;
/// Of what blocks leave; more is not worth it, and there are fewer slices than blocks in a grid.
constexpr double kMostPartialBytes = 64 << 20;
constexpr unsigned kMostGrid = 65535;             ///< blocks in y and z
constexpr int kThreads = 256, kMostThreads = 512; ///< more where a multiprocessor has one block alone

struct WeightsProblem {
    int channels, height, width, filters, outHeight, outWidth, batch, top, left;
    int tileChannels, tileFilters; ///< of a block
    int rows, strips, images; ///< of a block: rows of output; strips of an image; images one after the other
    int split;                ///< threads of a combination, each with other rows
    int gradients;            ///< where they begin in shared memory
    int srcRow, srcStride, gradRow, gradStride; ///< in shared memory: rows, channels or filters apart
    int sums;                                   ///< of a slice
    FastDivision overStrips, overCombinations, overChannels;
    PlanePart<1> input, output;
    PlanePart<kColumns> vectors; ///< of the output, where its rows allow it
    const float *src, *dstGrad;
    float* partial;
};

template <int K, int F>
struct WindowSums {
    float of[F][K * K] = {}, bias[F] = {};

    /// One row: every output column with the window below it.
    __device__ void addRow(const float* src, int srcRow, const float* grad, int gradStride, int columns) {
        float in[K][K - 1 + kColumns];
#pragma unroll
        for (int i = 0; i < K; ++i)
#pragma unroll
            for (int j = 0; j < K - 1; ++j)
                in[i][j] = src[i * srcRow + j];
#pragma unroll 1
        for (int x = 0; x < columns; x += kColumns) {
#pragma unroll
            for (int i = 0; i < K; ++i)
#pragma unroll
                for (int j = 0; j < kColumns; ++j)
                    in[i][K - 1 + j] = src[i * srcRow + x + K - 1 + j];
#pragma unroll
            for (int f = 0; f < F; ++f) {
                const float4 four = *reinterpret_cast<const float4*>(grad + f * gradStride + x);
                const float gradients[kColumns] = {four.x, four.y, four.z, four.w};
#pragma unroll
                for (int j = 0; j < kColumns; ++j) {
                    const float gradient = gradients[j];
                    bias[f] += gradient;
#pragma unroll
                    for (int k = 0; k < K * K; ++k)
                        of[f][k] = fmaf(in[k / K][j + k % K], gradient, of[f][k]);
                }
            }
#pragma unroll
            for (int i = 0; i < K; ++i)
#pragma unroll
                for (int j = 0; j < K - 1; ++j)
                    in[i][j] = in[i][kColumns + j];
        }
    }
};

/// Floats that a thread leaves in shared memory; odd: other banks.
template <int K, int F>
constexpr int kSumsLeft = (F * (K * K + 1)) | 1;

/// Sums the threads of a combination in order into the block's slice; each of them ends other sums.
template <int K, int F>
__device__ void leave(const WeightsProblem& p, const WindowSums<K, F>& sums, float* shared, int combination,
                      int part, int combinations, int channel, int filter) {
    constexpr int kWindow = K * K, kEach = kSumsLeft<K, F>;
    float* mine = shared + combination * kEach;
    __syncthreads();
    if (part < p.split) {
        float* left = mine + part * combinations * kEach;
#pragma unroll
        for (int f = 0; f < F; ++f) {
#pragma unroll
            for (int k = 0; k < kWindow; ++k)
                left[f * (kWindow + 1) + k] = sums.of[f][k];
            left[f * (kWindow + 1) + kWindow] = sums.bias[f];
        }
    }
    __syncthreads();
    if (part >= p.split || channel >= p.channels)
        return;
    float* slice = p.partial + std::size_t(blockIdx.x) * p.sums;
#pragma unroll 1
    for (int place = part; place < F * (kWindow + 1); place += p.split) {
        const int f = place / (kWindow + 1), k = place - f * (kWindow + 1);
        if (filter + f >= p.filters)
            return;
        float sum = mine[place];
        for (int s = 1; s < p.split; ++s)
            sum += mine[s * combinations * kEach + place];
        if (k < kWindow)
            slice[((filter + f) * kWindow + k) * p.channels + channel] = sum;
        else if (channel == 0)
            slice[p.filters * p.channels * kWindow + filter + f] = sum;
    }
}

template <int K, int F>
__global__ void __launch_bounds__(kMostThreads) windowWeights(const WeightsProblem p) {
    waitForEarlier();
    extern __shared__ __align__(16) float shared[];
    float* gradient = shared + p.gradients;
    const int combinations = p.tileChannels * (p.tileFilters / F);
    unsigned combination = threadIdx.x, strip = blockIdx.x;
    const int part = int(p.overCombinations.split(combination));
    unsigned channel = combination;
    const int filter = int(p.overChannels.split(channel)) * F;
    const int firstChannel = int(blockIdx.y) * p.tileChannels, firstFilter = int(blockIdx.z) * p.tileFilters;
    const int firstImage = int(p.overStrips.split(strip)) * p.images, firstRow = int(strip) * p.rows;
    const int columns = p.gradRow, rows = min(p.rows, p.outHeight - firstRow);
    WindowSums<K, F> sums;
    const int endImage = firstImage + min(p.images, p.batch - firstImage);
    for (int image = firstImage; image < endImage; ++image) {
        __syncthreads();
        p.input.stage(firstRow - p.top, -p.left,
                      p.src + std::size_t(image * p.channels + firstChannel) * p.height * p.width,
                      p.tileChannels, p.channels - firstChannel, shared);
        const float* gradients =
            p.dstGrad + std::size_t(image * p.filters + firstFilter) * p.outHeight * p.outWidth;
        if (p.outWidth % kColumns == 0)
            p.vectors.stage(firstRow, 0, gradients, p.tileFilters, p.filters - firstFilter, gradient);
        else
            p.output.stage(firstRow, 0, gradients, p.tileFilters, p.filters - firstFilter, gradient);
        waitForCopies();
        if (part < p.split)
#pragma unroll 1
            for (int row = part; row < rows; row += p.split)
                sums.addRow(shared + int(channel) * p.srcStride + row * p.srcRow, p.srcRow,
                            gradient + filter * p.gradStride + row * p.gradRow, p.gradStride, columns);
    }
    leave<K, F>(p, sums, shared, int(combination), part, combinations, firstChannel + int(channel),
                firstFilter + filter);
}

constexpr int kSumColumns = 32, kSumRows = 16;

/// Sums over the slices, in an order that their number decides. A slice holds a filter's places in the
/// window, each with all channels (so that neighbouring threads write neighbours), then the biases.
__global__ void __launch_bounds__(kSumColumns* kSumRows)
    sumSlices(const float* partial, int slices, int count, int channels, int window, int weights,
              float* weightGrad, float* biasGrad) {
    waitForEarlier();
    __shared__ float rows[kSumRows][kSumColumns];
    const int index = int(blockIdx.x) * kSumColumns + int(threadIdx.x);
    float sum = 0;
    if (index < count)
#pragma unroll 4
        for (int s = int(threadIdx.y); s < slices; s += kSumRows)
            sum += partial[std::size_t(s) * count + index];
    rows[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || index >= count)
        return;
    for (int row = 1; row < kSumRows; ++row)
        sum += rows[row][threadIdx.x];
    const int channel = index % channels, k = index / channels % window, filter = index / channels / window;
    if (index < weights)
        weightGrad[(filter * channels + channel) * window + k] = sum;
    else if (biasGrad != nullptr)
        biasGrad[index - weights] = sum;
}

int parts(std::int64_t whole, int part) {
    return static_cast<int>((whole + part - 1) / part);
}

/// An odd number of floats apart: threads with other channels read other banks.
int odd(int floats) {
    return floats | 1;
}

constexpr int filtersOfThread(int kernel) {
    return kernel == 3 ? 4 : 2;
}

/// Of a result: above, not even a row of one filter and one channel has room.
constexpr int kMostColumns = 32768;
/// Of a plane in shared memory: above, a block has no room for it, and below, bytes of all planes fit in int.
constexpr std::int64_t kMostPlane = 1 << 18;

int sharedBytes(const WeightsProblem& p, int kernel) {
    const int f = filtersOfThread(kernel);
    const int staged = p.gradients + p.tileFilters * p.gradStride;
    const int each = kernel == 3 ? kSumsLeft<3, 4> : kSumsLeft<5, 2>;
    const int left = p.split * p.tileChannels * (p.tileFilters / f) * each;
    return std::max(staged, left) * int(sizeof(float));
}

void layOut(WeightsProblem& p, int kernel) {
    const int columns = parts(p.outWidth, kColumns) * kColumns;
    p.srcRow = columns + kernel - 1;
    p.srcStride = odd((p.rows + kernel - 1) * p.srcRow);
    p.gradRow = columns;
    p.gradients = parts(p.tileChannels * p.srcStride, 4) * 4;
    p.gradStride = p.rows * columns + (p.rows * columns % 8 == 0 ? 4 : 0); // read 16 bytes at a time
}

/// Less where a device has less, such as those of compute capability 7.5.
int mostShared(const DeviceLimits& device) {
    return std::min(kMostShared, device.sharedPerBlock);
}

/// Fewer filters, then fewer channels a tile until a row of each has room.
void fitTile(WeightsProblem& p, int kernel, int most) {
    const int f = filtersOfThread(kernel);
    p.rows = p.split = 1;
    for (layOut(p, kernel); sharedBytes(p, kernel) > most && (p.tileFilters > f || p.tileChannels > 1);
         layOut(p, kernel)) {
        if (p.tileFilters > f)
            p.tileFilters = parts(p.tileFilters / f, 2) * f;
        else
            p.tileChannels = parts(p.tileChannels, 2);
    }
}

std::int64_t slicesOf(const WeightsProblem& p) {
    return std::int64_t{parts(p.batch, p.images)} * p.strips;
}

WeightsProblem cut(const ConvGeometry& g, const DeviceLimits& device) {
    WeightsProblem p{};
    p.channels = g.channels, p.height = g.height, p.width = g.width, p.batch = g.batch;
    p.filters = g.filters, p.outHeight = g.outHeight, p.outWidth = g.outWidth, p.top = g.top, p.left = g.left;
    const int f = filtersOfThread(g.kernelH);
    p.tileChannels = std::min(g.channels, 16);
    p.tileFilters = std::min(parts(g.filters, f), kMostCombinations / p.tileChannels) * f;
    fitTile(p, g.kernelH, mostShared(device));
    const int tiles = parts(p.channels, p.tileChannels) * parts(p.filters, p.tileFilters);
    const int wished = static_cast<int>(std::max<std::int64_t>( // not some with twice the work
        1, device.multiprocessors / (std::int64_t{g.batch} * tiles)));
    p.rows = parts(g.outHeight, std::min(g.outHeight, wished));
    while (p.rows > 1 && std::int64_t{p.rows + g.kernelH} * (g.outWidth + kColumns + g.kernelW) > kMostPlane)
        p.rows = parts(p.rows, 2);
    for (layOut(p, g.kernelH); p.rows > 1; layOut(p, g.kernelH)) {
        p.split = 1;
        if (sharedBytes(p, g.kernelH) <= mostShared(device) / 2)
            break;
        p.rows = parts(p.rows, 2);
    }
    p.strips = parts(g.outHeight, p.rows);
    p.images = static_cast<int>(
        std::max<std::int64_t>(1, std::int64_t{g.batch} * p.strips / (4 * device.multiprocessors)));
    const bool alone = slicesOf(p) * tiles <= device.multiprocessors;
    p.split =
        std::clamp((alone ? kMostThreads : kThreads) / (p.tileChannels * (p.tileFilters / f)), 1, p.rows);
    while (p.split > 1 && sharedBytes(p, g.kernelH) > mostShared(device))
        --p.split;
    p.sums = g.filters * g.channels * g.kernelH * g.kernelW + g.filters;
    return p;
}

/// Pairs of a channel and a thread's filters, in a block.
int combinationsOf(const WeightsProblem& p, int kernel) {
    return p.tileChannels * (p.tileFilters / filtersOfThread(kernel));
}

LaunchShape shapeOf(const WeightsProblem& p, int kernel) {
    return {unsigned(slicesOf(p)), unsigned(parts(p.channels, p.tileChannels)),
            unsigned(parts(p.filters, p.tileFilters)), parts(combinationsOf(p, kernel) * p.split, 32) * 32,
            sharedBytes(p, kernel)};
}

template <int K, int F>
cudaError_t start(WeightsProblem p, const DeviceLimits& device, cudaStream_t stream) {
    static_assert(F == filtersOfThread(K));
    if (const cudaError_t code = cudaFuncSetAttribute(
            windowWeights<K, F>, cudaFuncAttributeMaxDynamicSharedMemorySize, mostShared(device));
        code != cudaSuccess)
        return code;
    const LaunchShape shape = shapeOf(p, K);
    const int threads = shape.threads, rows = p.rows + K - 1;
    p.input = {p.height, p.width, rows, p.srcRow, p.srcRow, p.srcStride, threads};
    p.output = {p.outHeight, p.outWidth, p.rows, p.gradRow, p.gradRow, p.gradStride, threads};
    p.vectors = {p.outHeight, p.outWidth, p.rows, p.gradRow, p.gradRow, p.gradStride, threads};
    p.overStrips = FastDivision(p.strips);
    p.overCombinations = FastDivision(combinationsOf(p, K)), p.overChannels = FastDivision(p.tileChannels);
    return startDependent(windowWeights<K, F>, dim3(shape.blocksX, shape.blocksY, shape.blocksZ), threads,
                          shape.sharedBytes, stream, p);
}

} // namespace

std::string_view windowWeightsRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    constexpr std::string_view partial = "the partial sums that its blocks leave are more than 64 MiB";
    const double sums = double(g.filters) * (double(g.channels) * double(g.windowElements()) + 1);
    if (!g.isSmallWindow())
        return kOtherWindow;
    if (sums * sizeof(float) > kMostPartialBytes)
        return partial;
    if (g.outWidth > kMostColumns)
        return "it takes results of at most 32,768 columns";
    const WeightsProblem p = cut(g, device);
    const LaunchShape shape = shapeOf(p, g.kernelH);
    if (sums * double(slicesOf(p)) * sizeof(float) > kMostPartialBytes)
        return partial;
    if (shape.blocksY > kMostGrid || shape.blocksZ > kMostGrid)
        return kMoreThanAGrid;
    return shape.sharedBytes > mostShared(device) ? kNoSharedMemory : std::string_view();
}

/// Fitted to 106 gradients drawn at random on an H100 (root mean square of the logarithm of the ratio 0.14).
/// Then scaled to the ratio of 35 others.
double windowWeightsCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!windowWeightsRefusal(g, device).empty())
        return std::numeric_limits<double>::infinity();
    const double sums = double(g.filters) * (double(g.channels) * double(g.windowElements()) + 1);
    const WeightsProblem p = cut(g, device);
    const LaunchShape shape = shapeOf(p, g.kernelH);
    const double slices = double(slicesOf(p)), partialBytes = sums * slices * sizeof(float);
    const double blocks = slices * shape.blocksY * shape.blocksZ, places = double(g.windowElements());
    const double rows = double(parts(p.rows, p.split)) * p.images, steps = rows * p.gradRow / kColumns;
    const double filters = filtersOfThread(g.kernelH), multiplyAdds = filters * kColumns * (places + 1);
    const double gradients = p.tileFilters * p.rows * p.gradRow / (p.outWidth % kColumns == 0 ? 4.0 : 1.0);
    const double staged =
        (double(p.tileChannels) * (p.rows + g.kernelH - 1) * p.srcRow + gradients) * p.images / shape.threads;
    const double warps =
        shape.threads / 32 / 4.0 * std::ceil(blocks / device.multiprocessors); // of a scheduler
    const double issued = warps * (0.95 * steps * multiplyAdds + 10.7 * rows * places + 47.1 * staged);
    const double waves = std::ceil(blocks / device.multiprocessors / residentBlocks(shape, device));
    const double waited =
        waves * (2640.0 * p.images + 4.15 * steps * multiplyAdds + 48.9 * filters * (places + 1));
    const double adds =
        255 * std::ceil(slices / kSumRows) * std::ceil(sums / kSumColumns / (4.0 * device.multiprocessors));
    return 1.2 *
           (std::max(issued, waited) + adds + 3440 + 2490e-6 * partialBytes + 307 * g.operandMegabytes());
}

LaunchShape windowWeightsShape(const ConvGeometry& g, const DeviceLimits& device) {
    return shapeOf(cut(g, device), g.kernelH);
}

std::size_t windowWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    const WeightsProblem p = cut(g, device);
    return std::size_t(slicesOf(p)) * std::size_t(p.sums) * sizeof(float);
}

cudaError_t windowBackwardWeights(const ConvGeometry& g, const float* src, const float* dstGrad,
                                  float* weightGrad, float* biasGrad, void* workspace,
                                  const DeviceLimits& device, cudaStream_t stream) {
    WeightsProblem p = cut(g, device);
    p.src = src, p.dstGrad = dstGrad, p.partial = static_cast<float*>(workspace);
    const cudaError_t code = g.kernelH == 3 ? start<3, 4>(p, device, stream) : start<5, 2>(p, device, stream);
    if (code != cudaSuccess)
        return code;
    return startDependent(sumSlices, unsigned(parts(p.sums, kSumColumns)), dim3(kSumColumns, kSumRows), 0,
                          stream, p.partial, static_cast<int>(slicesOf(p)), p.sums, p.channels,
                          g.kernelH * g.kernelW, p.sums - p.filters, weightGrad, biasGrad);
}

} // namespace heteroscope::compute::nvidia
