// SPDX-License-Identifier: Apache-2.0
// Gradients of few weights over many pixels: a thread goes through pixels and keeps the sums of some weights
// in registers; the block, then a second kernel, adds them up in order. Limited by reads that the caches
// answer.
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr std::int64_t kBlocksPerMultiprocessor = 8; ///< wanted
constexpr std::int64_t kLeastPixels = 4 * kThreads;  ///< of a slice
constexpr std::int64_t kMostSlices = 512;

/// What a thread computes: so many filters, channels, and rows and columns of the window.
struct SumsSize {
    int filters, channels, rows, columns;
};

/// Blocks: slices of pixels, then blocks of the window, of channels, of filters, groups.
struct WeightsProblem {
    ConvGeometry g;
    unsigned pixels, perSlice, slices;
    FastDivision overSlices, overWindow, overColumns, overChannels, overFilters;
};

/// What a block computes: its slice of the pixels, and its filters, channels and places in the window.
struct BlockWork {
    unsigned slice, group;
    int firstFilter, firstChannel, firstRow, firstColumn;

    __device__ BlockWork(const WeightsProblem& p, int filters, int channels, int rows, int columns) {
        slice = blockIdx.x;
        unsigned window = p.overSlices.split(slice);
        unsigned channel = p.overWindow.split(window);
        unsigned filter = p.overChannels.split(channel);
        group = p.overFilters.split(filter);
        unsigned column = window;
        firstRow = int(p.overColumns.split(column)) * rows, firstColumn = int(column) * columns;
        firstFilter = int(filter) * filters, firstChannel = int(channel) * channels;
    }
};

template <int F, int C, int R, int S>
struct Sums {
    static constexpr int kCount = F * C * R * S;
    float of[F][C][R][S] = {};

    /// The pixels of a thread.
    __device__ void add(const WeightsProblem& p, const BlockWork& work, const float* src,
                        const float* dstGrad) {
        const ConvGeometry& g = p.g;
        const int plane = int(g.plane.divisor), outPlane = int(g.outPlane.divisor);
        // Those beyond the last read the last one's; their sums are not stored.
        const float *gradients[F], *inputs[C];
#pragma unroll
        for (int f = 0; f < F; ++f) {
            const int inGroup = min(work.firstFilter + f, g.groupFilters - 1);
            gradients[f] = dstGrad + std::size_t(int(work.group) * g.groupFilters + inGroup) * outPlane;
        }
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const int inGroup = min(work.firstChannel + c, g.groupChannels - 1);
            inputs[c] = src + std::size_t(int(work.group) * g.groupChannels + inGroup) * plane;
        }
        const unsigned begin = work.slice * p.perSlice, end = min(p.pixels, begin + p.perSlice);
        for (unsigned pixel = begin + threadIdx.x; pixel < end; pixel += kThreads) {
            unsigned inPlane = pixel;
            const unsigned image = g.outPlane.split(inPlane);
            unsigned x = inPlane;
            const int top = int(g.outRow.split(x)) * g.strideH - g.top + work.firstRow * g.dilationH;
            const int left = int(x) * g.strideW - g.left + work.firstColumn * g.dilationW;
            const std::size_t ofImage = std::size_t(image) * unsigned(g.channels) * unsigned(plane);
            const std::size_t ofGradient =
                std::size_t(image) * unsigned(g.filters) * unsigned(outPlane) + inPlane;
            float gradient[F];
#pragma unroll
            for (int f = 0; f < F; ++f)
                gradient[f] = gradients[f][ofGradient];
            addPixel(g, gradient, inputs, ofImage, top, left);
        }
    }

    /// Of the whole block, the sums of its warps in order; thread i has the i-th.
    __device__ float ofBlock() const {
        __shared__ float ofWarps[kWarps][kCount];
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            float sum = of[i / (C * R * S)][i / (R * S) % C][i / S % R][i % S];
#pragma unroll
            for (int offset = 16; offset > 0; offset /= 2)
                sum += __shfl_xor_sync(~0U, sum, offset);
            if (threadIdx.x % 32 == 0)
                ofWarps[threadIdx.x / 32][i] = sum;
        }
        __syncthreads();
        float sum = 0;
        if (threadIdx.x < kCount)
#pragma unroll
            for (int warp = 0; warp < kWarps; ++warp)
                sum += ofWarps[warp][threadIdx.x];
        return sum;
    }

  private:
    __device__ void addPixel(const ConvGeometry& g, const float (&gradient)[F],
                             const float* const (&inputs)[C], std::size_t ofImage, int top, int left) {
#pragma unroll
        for (int i = 0; i < R; ++i) {
            const int y = top + i * g.dilationH;
#pragma unroll
            for (int j = 0; j < S; ++j) {
                const int x = left + j * g.dilationW;
                const bool inside = unsigned(y) < unsigned(g.height) && unsigned(x) < unsigned(g.width);
#pragma unroll
                for (int c = 0; c < C; ++c) {
                    const float in = inside ? inputs[c][ofImage + unsigned(y * g.width + x)] : 0.0F;
#pragma unroll
                    for (int f = 0; f < F; ++f)
                        of[f][c][i][j] = fmaf(in, gradient[f], of[f][c][i][j]);
                }
            }
        }
    }
};

template <int F, int C, int R, int S>
__global__ void __launch_bounds__(kThreads)
    weightSums(const WeightsProblem p, const float* src, const float* dstGrad, float* partial) {
    const ConvGeometry& g = p.g;
    const BlockWork work(p, F, C, R, S);
    Sums<F, C, R, S> sums;
    sums.add(p, work, src, dstGrad);
    const float sum = sums.ofBlock();
    const int i = int(threadIdx.x);
    const int filter = work.firstFilter + i / (C * R * S), channel = work.firstChannel + i / (R * S) % C;
    const int row = work.firstRow + i / S % R, column = work.firstColumn + i % S;
    if (i >= sums.kCount || filter >= g.groupFilters || channel >= g.groupChannels || row >= g.kernelH ||
        column >= g.kernelW)
        return;
    const std::size_t weight =
        (std::size_t(int(work.group) * g.groupFilters + filter) * unsigned(g.groupChannels) +
         unsigned(channel)) *
            g.window.divisor +
        unsigned(row * g.kernelW + column);
    const std::size_t weights = std::size_t(g.filters) * unsigned(g.groupChannels) * g.window.divisor;
    partial[work.slice * weights + weight] = sum;
}

__global__ void __launch_bounds__(kThreads)
    addSlices(unsigned weights, unsigned slices, const float* partial, float* grad) {
    const unsigned weight = blockIdx.x * kThreads + threadIdx.x;
    if (weight >= weights)
        return;
    float sum = 0;
#pragma unroll 4
    for (unsigned slice = 0; slice < slices; ++slice)
        sum += partial[std::size_t(slice) * weights + weight];
    grad[weight] = sum;
}

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

/// The kernels that are compiled.
constexpr SumsSize kPlaces[] = {{1, 1, 1, 1}, {4, 1, 1, 1}, {1, 4, 1, 1}, {4, 4, 1, 1}};
constexpr SumsSize kSquares[] = {{1, 1, 3, 3}, {2, 1, 3, 3}, {4, 1, 3, 3}};
constexpr SumsSize kFives[] = {{1, 1, 5, 5}, {4, 1, 1, 5}};
constexpr SumsSize kOthers[] = {{1, 1, 2, 4}, {4, 1, 1, 4}};

SumsSize sizeFor(const ConvGeometry& g) {
    const bool filters = g.groupFilters > 1, channels = g.groupChannels > 1;
    if (g.windowElements() == 1)
        return kPlaces[(filters ? 1 : 0) + (channels ? 2 : 0)];
    if (g.kernelH == 3 && g.kernelW == 3)
        return kSquares[g.groupFilters > 2 ? 2 : filters ? 1 : 0];
    return (g.kernelW % 5 == 0 ? kFives : kOthers)[filters ? 1 : 0];
}

struct WeightsCut {
    WeightsProblem problem;
    SumsSize size;
    std::int64_t blocks, weights;
};

WeightsCut cut(const ConvGeometry& g, const DeviceLimits& device) {
    const SumsSize size = sizeFor(g);
    const std::int64_t columns = parts(g.kernelW, size.columns),
                       window = parts(g.kernelH, size.rows) * columns;
    const std::int64_t channels = parts(g.groupChannels, size.channels),
                       filters = parts(g.groupFilters, size.filters);
    const std::int64_t tiles = window * channels * filters * g.groups;
    const std::int64_t wanted = parts(device.multiprocessors * kBlocksPerMultiprocessor, tiles);
    const std::int64_t slices =
        std::clamp<std::int64_t>(std::min(wanted, g.outPixels() / kLeastPixels), 1, kMostSlices);
    WeightsCut c{{g, unsigned(g.outPixels()), unsigned(parts(g.outPixels(), slices)), 1, {}, {}, {}, {}, {}},
                 size,
                 0,
                 0};
    c.problem.slices = unsigned(parts(g.outPixels(), c.problem.perSlice));
    c.problem.overSlices = FastDivision(c.problem.slices), c.problem.overWindow = FastDivision(window);
    c.problem.overColumns = FastDivision(columns), c.problem.overChannels = FastDivision(channels);
    c.problem.overFilters = FastDivision(filters);
    c.blocks = tiles * c.problem.slices;
    c.weights = std::int64_t{g.filters} * g.groupChannels * g.windowElements();
    return c;
}

/// Calls start(F, C, R, S) with the constants of `size`, one of `sizes`.
template <const auto& Sizes, std::size_t I = 0>
bool startOne(const SumsSize& size, const auto& start) {
    constexpr SumsSize one = Sizes[I];
    if (size.filters == one.filters && size.channels == one.channels && size.rows == one.rows &&
        size.columns == one.columns) {
        start(std::integral_constant<int, one.filters>(), std::integral_constant<int, one.channels>(),
              std::integral_constant<int, one.rows>(), std::integral_constant<int, one.columns>());
        return true;
    }
    if constexpr (I + 1 < std::size(Sizes))
        return startOne<Sizes, I + 1>(size, start);
    else
        return false;
}

} // namespace

std::string_view directWeightsRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    return cut(g, device).blocks > std::numeric_limits<int>::max() ? kMoreThanAGrid : std::string_view();
}

double directWeightsCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!directWeightsRefusal(g, device).empty())
        return std::numeric_limits<double>::infinity();
    const WeightsCut c = cut(g, device);
    // Fitted as the other direct kernels; half of the cases are within 9 %.
    const double sums = c.size.filters * c.size.channels * c.size.rows * c.size.columns;
    const double reads = c.size.filters + c.size.channels * c.size.rows * c.size.columns;
    const double blocks = double(c.blocks) / device.multiprocessors * kThreads / 128;
    const double pixels = double(parts(c.problem.perSlice, kThreads)); // of a thread
    // The ratios of 39 others.
    const double places = g.windowElements() > 1 ? 1 : g.strideH * g.strideW > 1 ? 1.2 : 1.4;
    return places * (blocks * (pixels * (1.45 * sums + 11.9 * reads + 16.5) + 15.6 * sums) +
                     90 * pixels * reads + 357 * g.operandMegabytes() + 6800);
}

std::size_t directWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    const WeightsCut c = cut(g, device);
    return c.problem.slices == 1 ? 0 : std::size_t(c.weights) * c.problem.slices * sizeof(float);
}

cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const WeightsCut c = cut(g, o.device);
    float* const partial = c.problem.slices == 1 ? o.dst[0] : static_cast<float*>(o.workspace);
    const auto start = [&](auto filters, auto channels, auto rows, auto columns) {
        weightSums<filters(), channels(), rows(), columns()>
            <<<unsigned(c.blocks), kThreads, 0, o.stream>>>(c.problem, o.src[0], o.src[1], partial);
    };
    if (!startOne<kPlaces>(c.size, start) && !startOne<kSquares>(c.size, start) &&
        !startOne<kFives>(c.size, start) && !startOne<kOthers>(c.size, start))
        return cudaErrorInvalidConfiguration;
    if (c.problem.slices > 1)
        addSlices<<<unsigned(parts(c.weights, kThreads)), kThreads, 0, o.stream>>>(
            unsigned(c.weights), c.problem.slices, partial, o.dst[0]);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
