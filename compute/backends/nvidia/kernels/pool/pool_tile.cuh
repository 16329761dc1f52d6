// SPDX-License-Identifier: Apache-2.0
// What both directions of pooling by tiles share: copies to shared memory, windows there.
#pragma once

#include "compute/backends/nvidia/kernels/common/wait_for_copies.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"

#include <algorithm>
#include <cstdint>
#include <cuda_pipeline.h>

namespace heteroscope::compute::nvidia {

cudaError_t launchTileCells(const PoolParams& params, const TilePlan& plan, cudaStream_t stream);

inline __device__ int quotientOf(const FastDivision& division, int number) {
    return static_cast<int>(division.quotient(static_cast<unsigned>(number)));
}

/// A window's size, known at compile time (K > 0) or not.
template <int K, int S>
struct TileShape {
    static constexpr int kKernel = K;
    __device__ static int kernelH(const TilePlan& plan) { return K > 0 ? K : plan.kernelH; }
    __device__ static int kernelW(const TilePlan& plan) { return K > 0 ? K : plan.kernelW; }
    __device__ static int strideH(const TilePlan& plan) { return K > 0 ? S : plan.strideH; }
    __device__ static int strideW(const TilePlan& plan) { return K > 0 ? S : plan.strideW; }
    __device__ static int byStrideH(const TilePlan& plan, int number) {
        return K > 0 ? number / (S > 0 ? S : 1) : quotientOf(plan.byStrideH, number);
    }
    __device__ static int byStrideW(const TilePlan& plan, int number) {
        return K > 0 ? number / (S > 0 ? S : 1) : quotientOf(plan.byStrideW, number);
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
