// SPDX-License-Identifier: Apache-2.0
// Backward pooling by tiles where windows do not overlap. The input is divided into cells, one a window, each
// with its window and what lies between it and the next: one thread turns a cell into its gradients, in place
// in shared memory.
#include "compute/backends/nvidia/kernels/pool/pool_tile.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// The rows of a tile: of windows, and of the cells in the plane.
struct CellRows {
    int firstWindow, windows, top, bottom;
};

template <class Shape>
__device__ __forceinline__ CellRows cellRows(const TilePlan& plan, int first) {
    const int windows = min(plan.rows, plan.outHeight - first), end = first + windows;
    return {first, windows, first == 0 ? 0 : first * Shape::strideH(plan) - plan.padTop,
            end == plan.outHeight ? plan.height : end * Shape::strideH(plan) - plan.padTop};
}

/// Where one window and its cell lie; rows counted from the tile's first.
struct Cell {
    TileWindow window, whole;
};

template <class Shape>
__device__ __forceinline__ Cell cellAt(const TilePlan& plan, const CellRows& rows, int row, int column) {
    const int above = (rows.firstWindow + row) * Shape::strideH(plan) - plan.padTop - rows.top;
    const int left = column * Shape::strideW(plan) - plan.padLeft;
    Cell cell{windowIn<Shape>(plan, above, rows.bottom - rows.top, column), {}};
    cell.whole = {max(above, 0),
                  row + 1 == rows.windows ? rows.bottom - rows.top : above + Shape::strideH(plan),
                  max(left, 0), column + 1 == plan.outWidth ? plan.width : left + Shape::strideW(plan)};
    return cell;
}

template <class Shape>
__device__ __forceinline__ void fill(const TilePlan& plan, const TileWindow& area, float* plane,
                                     float value) {
    const int first = area.top * plan.width + area.left, columns = area.right - area.left;
    constexpr int K = Shape::kKernel;
    if (K > 0 && columns == K && area.bottom - area.top == K) {
#pragma unroll
        for (int i = 0; i < K * K; ++i)
            plane[first + i / max(K, 1) * plan.width + i % max(K, 1)] = value;
        return;
    }
    for (int at = first; at < area.bottom * plan.width; at += plan.width) {
        for (int i = 0; i < columns; ++i)
            plane[at + i] = value;
    }
}

/// The gradients of one cell. Adding zero makes a negative zero positive, as a sum that begins with zero
/// does.
template <PoolMode M, class Shape>
__device__ __forceinline__ void turnCell(const TilePlan& plan, const Cell& cell, float gradient,
                                         float* plane) {
    if constexpr (M == PoolMode::Average) {
        fill<Shape>(plan, cell.whole, plane, 0.0F);
        fill<Shape>(plan, cell.window, plane, gradient / divisor<Shape>(plan, cell.window) + 0.0F);
        return;
    }
    const Found<int> maximum = maximumIn<Shape>(plan, cell.window, plane);
    fill<Shape>(plan, cell.whole, plane, 0.0F);
    plane[maximum.place] = zeroPadWins<Shape>(plan, cell.window, maximum.value) ? 0.0F : gradient + 0.0F;
}

/// Writes `count` elements, as aligned 16-byte words where both sides allow it.
__device__ __forceinline__ void writeOut(float* to, const float* shared, int count, int sharedShift) {
    const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) >> 2) & 3;
    if (shift != sharedShift) {
        for (int i = threadIdx.x; i < count; i += kTileBlock)
            __stcs(to + i, shared[i]);
        return;
    }
    for (int i = 4 * static_cast<int>(threadIdx.x) - shift; i < count; i += 4 * kTileBlock) {
        if (i >= 0 && i + 4 <= count) {
            __stcs(reinterpret_cast<float4*>(to + i), *reinterpret_cast<const float4*>(shared + i));
            continue;
        }
        for (int j = max(i, 0); j < min(i + 4, count); ++j)
            __stcs(to + j, shared[j]);
    }
}

template <PoolMode M, class Shape>
__device__ __forceinline__ void cellTile(const TilePlan& plan, std::int64_t tile, float* shared) {
    const TilePlace place = placeOf(plan, tile);
    const CellRows rows = cellRows<Shape>(plan, place.firstRow);
    const int inPlane = (rows.bottom - rows.top) * plan.width, count = place.planes * inPlane;
    const int windows = place.planes * rows.windows * plan.outWidth;
    const std::int64_t plane = static_cast<std::int64_t>(plan.height) * plan.width;
    const std::int64_t outPlane = static_cast<std::int64_t>(plan.outHeight) * plan.outWidth;
    const std::int64_t first = place.firstPlane * plane + static_cast<std::int64_t>(rows.top) * plan.width;
    float* const result = plan.result + first;
    float* cells = shared + (static_cast<int>(reinterpret_cast<std::uintptr_t>(result) >> 2) & 3);
    if constexpr (M == PoolMode::Max)
        cells = stage(shared, plan.src, plan.allPlanes * plane, first, count);
    const float* gradients = stage(
        shared + plan.gradientAt, plan.dstGrad, plan.allPlanes * outPlane,
        place.firstPlane * outPlane + static_cast<std::int64_t>(rows.firstWindow) * plan.outWidth, windows);
    waitForCopies();
    for (int at = threadIdx.x; at < windows; at += kTileBlock) {
        const int in = plan.bands > 1 ? 0 : quotientOf(plan.byOutPlane, at);
        const int rest = at - in * plan.outHeight * plan.outWidth;
        const int row = quotientOf(plan.byOutWidth, rest), column = rest - row * plan.outWidth;
        turnCell<M, Shape>(plan, cellAt<Shape>(plan, rows, row, column), gradients[at], cells + in * inPlane);
    }
    __syncthreads();
    writeOut(result, cells, count, static_cast<int>(cells - shared));
    __syncthreads();
}

template <PoolMode M, class Shape>
__global__ void __launch_bounds__(kTileBlock) poolBackwardCells(const __grid_constant__ TilePlan plan) {
    extern __shared__ float4 shared[];
    for (std::int64_t tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x)
        cellTile<M, Shape>(plan, tile, reinterpret_cast<float*>(shared));
}

void (*cellsKernelFor(const PoolParams& params))(TilePlan) {
    if (params.mode == PoolMode::Average)
        return &poolBackwardCells<PoolMode::Average, TileShape<0, 0>>;
    if (isSquare(params, 2, 2))
        return &poolBackwardCells<PoolMode::Max, TileShape<2, 2>>;
    if (isSquare(params, 3, 3))
        return &poolBackwardCells<PoolMode::Max, TileShape<3, 3>>;
    if (isSquare(params, 4, 4))
        return &poolBackwardCells<PoolMode::Max, TileShape<4, 4>>;
    return &poolBackwardCells<PoolMode::Max, TileShape<0, 0>>;
}

} // namespace

cudaError_t launchTileCells(const PoolParams& params, const TilePlan& plan, cudaStream_t stream) {
    return launchOnTiles(cellsKernelFor(params), plan, stream);
}

} // namespace heteroscope::compute::nvidia
