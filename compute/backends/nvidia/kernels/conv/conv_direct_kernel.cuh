// SPDX-License-Identifier: Apache-2.0
// The kernel of conv_direct.cu: what a block and a thread of it work at. A thread computes a few rows of one
// column for several channels of the result; the block's weights lie in shared memory, the operand is read
// through the first-level cache.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;

/// "Channels" are the operand's, "filters" the result's.
struct DirectProblem {
    PhasedAxis y, x;
    int channels, height, width;
    int filters, resultHeight, resultWidth;
    int groupChannels, groupFilters, batch;
    unsigned filterStride, channelStride; ///< in the weights
    int kernelW;
    unsigned window; ///< weights of a channel and a filter
    /// Of a window of one place: only rows and columns that these divide are there, see dataProblem().
    FastDivision everyRow, everyColumn;
    // The cut, see cut().
    int staged;     ///< channels whose weights lie in shared memory at a time
    unsigned items; ///< columns of as many rows as a thread has
    FastDivision overColumns, overRows, overPhases, overPhasesX, overItemBlocks, overGroupChunks;

    std::int64_t groups() const { return channels / groupChannels; }
};

/// What a block works at.
struct BlockWork {
    int group, firstFilter;
    unsigned firstItem;
    AxisPhase phaseY, phaseX;
    CorrelationAxis y, x;

    /// Phases follow each other in the grid: what they write lies between what the others do.
    __device__ BlockWork(const DirectProblem& p, int filters) {
        unsigned phase = blockIdx.x;
        unsigned items = p.overPhases.split(phase);
        unsigned chunk = p.overItemBlocks.split(items);
        firstItem = items * blockDim.x;
        group = int(p.overGroupChunks.split(chunk));
        firstFilter = int(chunk) * filters;
        phaseY = p.y.at(int(p.overPhasesX.split(phase)));
        phaseX = p.x.at(int(phase));
        y = phaseY.axis, x = phaseX.axis;
    }
};

template <int Filters>
__device__ void loadWeights(const float* from, float (&w)[Filters]) {
    if constexpr (Filters % 4 == 0) {
#pragma unroll
        for (int f = 0; f < Filters; f += 4) {
            const float4 four = *reinterpret_cast<const float4*>(from + f);
            w[f] = four.x, w[f + 1] = four.y, w[f + 2] = four.z, w[f + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int f = 0; f < Filters; ++f)
            w[f] = from[f];
    }
}

/// Where weights of the block's filters lie: of the first tap of a channel, and the strides to the
/// next channel, the next row of taps and the next column of taps.
struct WeightsAt {
    const float* first;
    std::ptrdiff_t channelStride;
    int rowStride, columnStride;
};

/// Whether a block's weights go to shared memory; those of a single filter are read where they are, by all
/// threads at once.
template <int Filters>
constexpr bool kStaged = Filters > 1;

/// Of `count` channels: channel, tap's column, tap's row, then filter; zeros beyond the group's last filter.
template <int Filters>
__device__ void stageWeights(const DirectProblem& p, const BlockWork& work, const float* weights, int count,
                             float* shared) {
    const unsigned taps = unsigned(work.y.taps * work.x.taps), all = unsigned(count) * taps * Filters;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned i = thread; i < all; i += threads) {
        const unsigned filter = i % Filters, place = i / Filters;
        const unsigned channel = place / taps, tap = place % taps;
        const int column = int(tap / unsigned(work.y.taps)), row = int(tap % unsigned(work.y.taps));
        const int inWindow =
            (work.y.firstTap + row * work.y.tapStep) * p.kernelW + work.x.firstTap + column * work.x.tapStep;
        const bool there = work.firstFilter + int(filter) < p.groupFilters;
        shared[i] = there ? weights[std::size_t(filter) * p.filterStride +
                                    std::size_t(channel) * p.channelStride + inWindow]
                          : 0.0F;
    }
}

/// Whether all columns of a window are read before they are added: not where that takes too many registers.
template <int Filters, int Taps>
constexpr bool kUnrollsColumns = Filters <= 2 && Taps > 1 && Taps <= 5;

/// What a thread works at: `Rows` rows of a column of the result, counted in outputs of the axes.
template <int Filters, int Rows>
struct ThreadWork {
    unsigned image;
    int column, row;
    int left, top; ///< of the first tap in the operand
    bool active;
    float sums[Rows][Filters] = {};

    __device__ ThreadWork(const DirectProblem& p, const BlockWork& work) {
        const unsigned item = work.firstItem + threadIdx.x;
        unsigned inRow = item;
        unsigned rows = p.overColumns.split(inRow);
        image = p.overRows.split(rows);
        column = int(inRow), row = int(rows) * Rows;
        active = item < p.items && column < work.x.outputs && row < work.y.outputs;
        left = column * work.x.stride + work.x.offset;
        top = row * work.y.stride + work.y.offset;
    }

    /// Adds a plane of the operand; `weights` of its channel. Taps and Stride as correlate() says.
    template <int Taps, int Stride>
    __device__ void add(const DirectProblem& p, const BlockWork& work, const float* plane,
                        WeightsAt weights) {
        const auto at = [&](int y, int x, bool inside) {
            return inside && unsigned(y) < unsigned(p.height) ? plane[y * p.width + x] : 0.0F;
        };
        constexpr int kColumns = kUnrollsColumns<Filters, Taps> ? Taps : 1; // whose reads wait together
#pragma unroll kColumns
        for (int j = 0; j < work.x.taps; ++j, weights.first += weights.columnStride) {
            const int x = left + j * work.x.dilation;
            const bool inside = unsigned(x) < unsigned(p.width);
            if constexpr (Taps > 0 && Stride > 0) {
                constexpr int kRead = (Rows - 1) * Stride + Taps;
                float in[kRead];
#pragma unroll
                for (int i = 0; i < kRead; ++i)
                    in[i] = at(top + i, x, inside);
#pragma unroll
                for (int i = 0; i < Taps; ++i) {
                    float ofTap[Rows];
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        ofTap[r] = in[r * Stride + i];
                    multiplyAdd(ofTap, weights.first + i * weights.rowStride);
                }
            } else if constexpr (Taps > 0) {
                float in[Taps][Rows];
#pragma unroll
                for (int i = 0; i < Taps; ++i)
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        in[i][r] = at(top + r * work.y.stride + i * work.y.dilation, x, inside);
#pragma unroll
                for (int i = 0; i < Taps; ++i)
                    multiplyAdd(in[i], weights.first + i * weights.rowStride);
            } else {
#pragma unroll 2
                for (int i = 0; i < work.y.taps; ++i) {
                    float in[Rows];
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        in[r] = at(top + r * work.y.stride + i * work.y.dilation, x, inside);
                    multiplyAdd(in, weights.first + i * weights.rowStride);
                }
            }
        }
    }

    /// The same of `count` planes, every blockDim.y-th, where the window is a single place.
    __device__ void addPlaces(const DirectProblem& p, const BlockWork& work, const float* planes, int count,
                              const WeightsAt& weights) {
        const int planeStride = p.height * p.width;
        int offsets[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            unsigned restY = unsigned(top + r * work.y.stride), restX = unsigned(left);
            const unsigned y = p.everyRow.split(restY), x = p.everyColumn.split(restX);
            const bool inside = (restX | restY) == 0 && x < unsigned(p.width) && y < unsigned(p.height);
            offsets[r] = inside ? int(y) * p.width + int(x) : -1;
        }
        planes += std::ptrdiff_t(threadIdx.y) * planeStride;
#pragma unroll 4
        for (int c = int(threadIdx.y); c < count; c += int(blockDim.y)) {
            float in[Rows];
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                in[r] = offsets[r] >= 0 ? planes[offsets[r]] : 0.0F;
            multiplyAdd(in, weights.first + c * weights.channelStride);
            planes += std::ptrdiff_t(blockDim.y) * planeStride;
        }
    }

    /// Threads of one place of the result share the channels; the first one adds their sums in order.
    __device__ void addParts(float* shared) {
        constexpr int kSums = Rows * Filters;
        const int sumStride = int(blockDim.x);
        float* const mine = shared + threadIdx.x;
#pragma unroll
        for (int i = 0; i < kSums; ++i)
            mine[(int(threadIdx.y) * kSums + i) * sumStride] = sums[i / Filters][i % Filters];
        __syncthreads();
        for (int other = 1; threadIdx.y == 0 && other < int(blockDim.y); ++other)
#pragma unroll
            for (int i = 0; i < kSums; ++i)
                sums[i / Filters][i % Filters] += mine[(other * kSums + i) * sumStride];
    }

    __device__ void store(const DirectProblem& p, const BlockWork& work, const Epilogue& epilogue,
                          float* dst) const {
        const unsigned plane = unsigned(p.resultHeight) * unsigned(p.resultWidth);
        const unsigned filter = unsigned(work.group * p.groupFilters + work.firstFilter);
        const unsigned first = image * unsigned(p.filters) + filter;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int f = 0; f < Filters; ++f)
                if (row + r < work.y.outputs && work.firstFilter + f < p.groupFilters) {
                    const std::size_t index =
                        std::size_t(first + f) * plane +
                        unsigned((work.y.first + (row + r) * work.y.step) * p.resultWidth + work.x.first +
                                 column * work.x.step);
                    dst[index] = epilogue.of(sums[r][f], filter + f, index);
                }
    }

  private:
    __device__ void multiplyAdd(const float* in, const float* staged) {
        float w[Filters];
        loadWeights(staged, w);
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int f = 0; f < Filters; ++f)
                sums[r][f] = fmaf(in[r], w[f], sums[r][f]);
    }
};

/// Taps: rows of the window where known when compiled; 1: one place is the whole window, or all that a phase
/// has of it; 0: any. Stride: of the rows, whose taps lie together in the operand; 0: of any stride and
/// dilation.
template <int Filters, int Rows, int Taps, int Stride>
__global__ void __launch_bounds__(kThreads)
    correlate(const DirectProblem p, const float* src, const float* weights, Epilogue epilogue, float* dst) {
    extern __shared__ __align__(16) float shared[];
    const BlockWork work(p, Filters);
    ThreadWork<Filters, Rows> thread(p, work);
    const int plane = p.height * p.width, taps = work.y.taps * work.x.taps;
    const float* const input =
        src +
        std::size_t(thread.image * unsigned(p.channels) + unsigned(work.group * p.groupChannels)) * plane;
    weights += std::size_t(work.group) * p.groupChannels * p.groupFilters * p.window +
               std::size_t(work.firstFilter) * p.filterStride;
    const auto addPlanes = [&](const float* planes, int count, WeightsAt at) {
        if constexpr (Taps == 1) {
            if (thread.active && taps == 1)
                thread.addPlaces(p, work, planes, count, at);
        } else if (thread.active) {
            planes += std::ptrdiff_t(threadIdx.y) * plane;
            at.first += std::ptrdiff_t(threadIdx.y) * at.channelStride;
            for (int c = int(threadIdx.y); c < count; c += int(blockDim.y)) {
                thread.template add<Taps, Stride>(p, work, planes, at);
                planes += std::ptrdiff_t(blockDim.y) * plane;
                at.first += std::ptrdiff_t(blockDim.y) * at.channelStride;
            }
        }
    };
    if constexpr (kStaged<Filters>) {
        for (int first = 0; first < p.groupChannels; first += p.staged) {
            const int count = min(p.staged, p.groupChannels - first);
            stageWeights<Filters>(p, work, weights + std::size_t(first) * p.channelStride, count, shared);
            __syncthreads();
            addPlanes(input + std::ptrdiff_t(first) * plane, count,
                      {shared, taps * Filters, Filters, work.y.taps * Filters});
            __syncthreads();
        }
    } else {
        addPlanes(input, p.groupChannels,
                  {weights + work.y.firstTap * p.kernelW + work.x.firstTap, std::ptrdiff_t(p.channelStride),
                   work.y.tapStep * p.kernelW, work.x.tapStep});
    }
    if (blockDim.y > 1)
        thread.addParts(shared);
    if (thread.active && threadIdx.y == 0)
        thread.store(p, work, epilogue, dst);
}

} // namespace
} // namespace heteroscope::compute::nvidia
