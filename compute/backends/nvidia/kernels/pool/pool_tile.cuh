// SPDX-License-Identifier: Apache-2.0
// What both directions of pooling by tiles share: the plan, copies to shared memory, windows there.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"

#include <algorithm>
#include <cstdint>
#include <cuda_pipeline.h>
#include <optional>

namespace heteroscope::compute::nvidia {

inline constexpr int kTileBlock = 256; ///< threads a block
inline constexpr std::int64_t kTileBlocks = 1 << 22;

/// Division of numbers below 2^16 by a number below 2^16, as a multiplication.
struct ShortDivisor {
    unsigned value = 1, inverse = 0; ///< inverse: 2^32 / value, rounded up; 0 for 1
    ShortDivisor() = default;
    __host__ __device__ explicit ShortDivisor(std::int64_t by)
        : value(static_cast<unsigned>(by)), inverse(by == 1 ? 0U : 0xFFFFFFFFU / value + 1) {}
    __device__ __forceinline__ int quotient(int number) const {
        return inverse == 0 ? number : static_cast<int>(__umulhi(static_cast<unsigned>(number), inverse));
    }
};

struct TilePlan {
    const float* src = nullptr;
    const float* dstGrad = nullptr; ///< backward only
    float* result = nullptr;        ///< dst or srcGrad
    std::int64_t allPlanes = 0, tiles = 0;
    int height = 0, width = 0, outHeight = 0, outWidth = 0;
    int kernelH = 0, kernelW = 0, strideH = 0, strideW = 0, padTop = 0, padLeft = 0;
    int planes = 1, rows = 0,
        bands = 1;                    ///< of a tile (rows of the result); several planes only with one band
    int gradientAt = 0, targetAt = 0; ///< backward: where they begin in shared memory, in floats
    int sharedFloats = 0;
    ShortDivisor byWidth, byPlane, byOutWidth, byOutPlane, byStrideH, byStrideW;
    bool zeroPad = false, countPad = true;
};

/// What the rows of a tile are: rows of dst going forward, of srcGrad going backward, or going backward again
/// rows of dst with all that is nearer to them than to the next (for windows that do not overlap).
enum class TileKind { Forward, Backward, Cells };

/// Nothing where a tile of useful size does not fit.
std::optional<TilePlan> planTiles(const PoolParams& params, const Shape4& src, TileKind kind);

inline bool overlaps(const PoolParams& params) {
    return params.kernel.h > params.stride.h || params.kernel.w > params.stride.w;
}

cudaError_t launchTileCells(const PoolParams& params, const Shape4& src, const float* srcData,
                            const float* dstGrad, float* srcGrad, cudaStream_t stream);

/// A window's size, known at compile time (K > 0) or not.
template <int K, int S>
struct TileShape {
    static constexpr int kKernel = K;
    __device__ static int kernelH(const TilePlan& plan) { return K > 0 ? K : plan.kernelH; }
    __device__ static int kernelW(const TilePlan& plan) { return K > 0 ? K : plan.kernelW; }
    __device__ static int strideH(const TilePlan& plan) { return K > 0 ? S : plan.strideH; }
    __device__ static int strideW(const TilePlan& plan) { return K > 0 ? S : plan.strideW; }
    __device__ static int byStrideH(const TilePlan& plan, int number) {
        return K > 0 ? number / (S > 0 ? S : 1) : plan.byStrideH.quotient(number);
    }
    __device__ static int byStrideW(const TilePlan& plan, int number) {
        return K > 0 ? number / (S > 0 ? S : 1) : plan.byStrideW.quotient(number);
    }
};

/// Which tile: planes from firstPlane on, rows from firstRow on.
struct TilePlace {
    std::int64_t firstPlane;
    int firstRow, planes;
};

__device__ __forceinline__ TilePlace placeOf(const TilePlan& plan, std::int64_t tile) {
    TilePlace place{tile, 0, plan.planes};
    if (plan.bands > 1) {
        place.firstPlane = tile / plan.bands;
        place.firstRow = static_cast<int>(tile - place.firstPlane * plan.bands) * plan.rows;
    } else {
        place.firstPlane = tile * plan.planes;
        place.planes =
            static_cast<int>(min(static_cast<std::int64_t>(plan.planes), plan.allPlanes - place.firstPlane));
    }
    return place;
}

/// Begins to copy elements first .. first + count - 1 of a tensor to shared memory, as aligned 16-byte words;
/// gives where the first will be.
__device__ __forceinline__ float* stage(float* shared, const float* tensor, std::int64_t elements,
                                        std::int64_t first, int count) {
    const float* at = tensor + first;
    const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) >> 2) & 3;
    at -= shift;
    for (int i = 4 * static_cast<int>(threadIdx.x); i < shift + count; i += 4 * kTileBlock) {
        if (at + i >= tensor && at + i + 4 <= tensor + elements) {
            __pipeline_memcpy_async(shared + i, at + i, 16);
            continue;
        }
        for (int j = i; j < i + 4; ++j) {
            if (at + j >= tensor && at + j < tensor + elements)
                shared[j] = at[j];
        }
    }
    return shared + shift;
}

__device__ __forceinline__ void waitForStaged() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/// A window's part inside the rows that are in shared memory: half-open.
struct TileWindow {
    int top, bottom, left, right;
    __device__ __forceinline__ int elements() const { return (bottom - top) * (right - left); }
};

/// `top`: of the whole window, counted from the first row in shared memory, of which there are `rows`.
template <class Shape>
__device__ __forceinline__ TileWindow windowIn(const TilePlan& plan, int top, int rows, int column) {
    const int left = column * Shape::strideW(plan) - plan.padLeft;
    return {max(top, 0), min(top + Shape::kernelH(plan), rows), max(left, 0),
            min(left + Shape::kernelW(plan), plan.width)};
}

template <class Shape>
__device__ __forceinline__ bool isWhole(const TilePlan& plan, const TileWindow& window) {
    return window.elements() == Shape::kernelH(plan) * Shape::kernelW(plan);
}

/// The maximum and its place, counted from `plane`.
template <class Shape>
__device__ __forceinline__ Found<int> maximumIn(const TilePlan& plan, const TileWindow& window,
                                                const float* plane) {
    const int first = window.top * plan.width + window.left;
    Found<int> best{plane[first], first};
    const auto look = [&](int at) {
        if (const float value = plane[at]; beats(value, best.value))
            best = {value, at};
    };
    if (Shape::kKernel > 0 && isWhole<Shape>(plan, window)) {
#pragma unroll
        for (int i = 1; i < Shape::kKernel * Shape::kKernel; ++i)
            look(first + i / max(Shape::kKernel, 1) * plan.width + i % max(Shape::kKernel, 1));
        return best;
    }
    const int columns = window.right - window.left;
    for (int at = first; at < window.bottom * plan.width; at += plan.width) {
#pragma unroll 4
        for (int i = 0; i < columns; ++i)
            look(at + i);
    }
    return best;
}

/// Rows are summed apart, so that the rounding errors of a large window stay small.
template <class Shape>
__device__ __forceinline__ float sumIn(const TilePlan& plan, const TileWindow& window, const float* plane) {
    float sum = 0.0F;
    const int columns = window.right - window.left;
    for (int row = window.top; row < window.bottom; ++row) {
        float rowSum = 0.0F;
#pragma unroll 4
        for (int i = 0; i < columns; ++i)
            rowSum += plane[row * plan.width + window.left + i];
        sum += rowSum;
    }
    return sum;
}

template <class Shape>
__device__ __forceinline__ bool zeroPadWins(const TilePlan& plan, const TileWindow& window, float maximum) {
    return plan.zeroPad && maximum < 0.0F && !isWhole<Shape>(plan, window);
}

template <class Shape>
__device__ __forceinline__ float divisor(const TilePlan& plan, const TileWindow& window) {
    return static_cast<float>(plan.countPad ? Shape::kernelH(plan) * Shape::kernelW(plan)
                                            : window.elements());
}

/// Launches on as many blocks as there are tiles, within bounds.
inline cudaError_t launchOnTiles(void (*kernel)(TilePlan), const TilePlan& plan, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>(std::min(plan.tiles, kTileBlocks));
    kernel<<<blocks, kTileBlock, plan.sharedFloats * sizeof(float), stream>>>(plan);
    return cudaGetLastError();
}

inline bool isSquare(const PoolParams& params, int kernel, int stride) {
    return params.kernel == Extent2d{kernel, kernel} && params.stride == Extent2d{stride, stride};
}

} // namespace heteroscope::compute::nvidia
