// SPDX-License-Identifier: Apache-2.0
// Tiles of the input and the windows that reach them, for any window.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_any.cuh"

namespace heteroscope::compute::nvidia {

template <class Index>
struct AnyTilePlan {
    AnyPlan<Index> pool;
    int width, height, planes; ///< of a tile; several planes only where it holds whole ones
    std::int64_t across, down, tiles;
};

/// One tile and the windows that reach it.
template <class Index>
struct AnyTile {
    std::int64_t firstPlane;
    Index top, left;
    int planes, height, width;
    Index firstRow, firstColumn; ///< of the windows, in dst
    std::int64_t rows, columns;  ///< of windows

    __device__ __forceinline__ int elements() const { return planes * height * width; }
};

/// The first window that reaches `at` or beyond, along one axis.
template <class Index>
__device__ __forceinline__ Index firstWindow(Index at, Index kernel, Index stride, Index pad) {
    const Index room =
        at + pad - kernel + 1; // where such a window begins at the earliest, counted from the padding
    return room <= 0 ? Index{0} : (room + stride - 1) / stride;
}

template <class Index>
__device__ __forceinline__ Index lastWindow(Index at, Index stride, Index pad, Index count) {
    return min((at + pad) / stride, count - 1);
}

template <class Index>
__device__ __forceinline__ AnyTile<Index> tileAt(const AnyTilePlan<Index>& plan, std::int64_t at) {
    const AnyPlan<Index>& pool = plan.pool;
    const Divided across = divide(at, plan.across), down = divide(across.quotient, plan.down);
    AnyTile<Index> tile;
    tile.firstPlane = down.quotient * plan.planes;
    tile.top = static_cast<Index>(down.remainder * plan.height);
    tile.left = static_cast<Index>(across.remainder * plan.width);
    tile.planes =
        static_cast<int>(min(static_cast<std::int64_t>(plan.planes), pool.planes - tile.firstPlane));
    tile.height = static_cast<int>(min(static_cast<Index>(plan.height), pool.height - tile.top));
    tile.width = static_cast<int>(min(static_cast<Index>(plan.width), pool.width - tile.left));
    tile.firstRow = firstWindow(tile.top, pool.kernelH, pool.strideH, pool.padTop);
    tile.firstColumn = firstWindow(tile.left, pool.kernelW, pool.strideW, pool.padLeft);
    const Index lastRow = lastWindow(tile.top + tile.height - 1, pool.strideH, pool.padTop, pool.outHeight);
    const Index lastColumn =
        lastWindow(tile.left + tile.width - 1, pool.strideW, pool.padLeft, pool.outWidth);
    tile.rows = max(lastRow - tile.firstRow + 1, Index{0});
    tile.columns = max(lastColumn - tile.firstColumn + 1, Index{0});
    return tile;
}

/// Once the size of a tile is known.
template <class Index>
void countTiles(AnyTilePlan<Index>& plan) {
    const AnyPlan<Index>& pool = plan.pool;
    plan.across = (pool.width + std::int64_t{plan.width} - 1) / plan.width;
    plan.down = (pool.height + std::int64_t{plan.height} - 1) / plan.height;
    plan.tiles = plan.across * plan.down * ((pool.planes + plan.planes - 1) / plan.planes);
}

} // namespace heteroscope::compute::nvidia
