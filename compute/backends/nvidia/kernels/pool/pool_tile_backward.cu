// SPDX-License-Identifier: Apache-2.0
// Backward pooling by tiles: first the maximum of each window that reaches the tile, then each element
// collects from the windows that cover it, in order.
#include "compute/backends/nvidia/kernels/pool/pool_tile.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// The rows of a tile and of all that it needs.
struct TileRows {
    int first, count;         ///< of srcGrad, in the plane
    int firstWindow, windows; ///< of dst
    int top, bottom;          ///< of src: what these windows cover
};

template <class Shape>
__device__ __forceinline__ int firstWindowRow(const TilePlan& plan, int row) {
    return Shape::byStrideH(plan, max(row + plan.padTop - Shape::kernelH(plan) + Shape::strideH(plan), 0));
}

template <class Shape>
__device__ __forceinline__ int endWindowRow(const TilePlan& plan, int row) {
    return min(Shape::byStrideH(plan, row + plan.padTop) + 1, plan.outHeight);
}

template <class Shape>
__device__ __forceinline__ TileRows rowsOf(const TilePlan& plan, int first) {
    TileRows rows{first, min(plan.rows, plan.height - first), 0, plan.outHeight, 0, plan.height};
    if (plan.bands == 1)
        return rows;
    rows.firstWindow = firstWindowRow<Shape>(plan, first);
    rows.windows = max(endWindowRow<Shape>(plan, first + rows.count - 1) - rows.firstWindow, 0);
    rows.top = max(rows.firstWindow * Shape::strideH(plan) - plan.padTop, 0);
    const int last = rows.firstWindow + rows.windows - 1;
    rows.bottom =
        max(min(last * Shape::strideH(plan) - plan.padTop + Shape::kernelH(plan), plan.height), rows.top);
    return rows;
}

/// Turns the gradient of window `at` into what it gives, and finds the element of the tile that gets it (-1:
/// none).
template <PoolMode M, class Shape>
__device__ __forceinline__ void findTarget(const TilePlan& plan, const TileRows& rows, int at,
                                           const float* src, float* gradients, int* targets) {
    const int in = plan.bands > 1 ? 0 : quotientOf(plan.byOutPlane, at);
    const int rest = at - in * plan.outHeight * plan.outWidth;
    const int row = quotientOf(plan.byOutWidth, rest), column = rest - row * plan.outWidth;
    const int above = (rows.firstWindow + row) * Shape::strideH(plan) - plan.padTop - rows.top;
    const TileWindow window = windowIn<Shape>(plan, above, rows.bottom - rows.top, column);
    if constexpr (M == PoolMode::Average) {
        gradients[at] = gradients[at] / divisor<Shape>(plan, window);
        return;
    }
    const int inPlane = (rows.bottom - rows.top) * plan.width;
    const Found<int> maximum = maximumIn<Shape>(plan, window, src + in * inPlane);
    const int place = maximum.place - (rows.first - rows.top) * plan.width, size = rows.count * plan.width;
    const bool here = place >= 0 && place < size && !zeroPadWins<Shape>(plan, window, maximum.value);
    targets[at] = here ? in * size + place : -1;
}

template <PoolMode M, class Shape>
__device__ __forceinline__ float collect(const TilePlan& plan, const TileRows& rows, int at,
                                         const float* gradients, const int* targets) {
    const int in = plan.bands > 1 ? 0 : quotientOf(plan.byPlane, at);
    const int rest = at - in * plan.height * plan.width;
    const int row = quotientOf(plan.byWidth, rest), column = rest - row * plan.width;
    const int from =
        Shape::byStrideW(plan, max(column + plan.padLeft - Shape::kernelW(plan) + Shape::strideW(plan), 0));
    const int end = min(Shape::byStrideW(plan, column + plan.padLeft) + 1, plan.outWidth);
    const int fromRow = firstWindowRow<Shape>(plan, rows.first + row) - rows.firstWindow;
    const int endRow = endWindowRow<Shape>(plan, rows.first + row) - rows.firstWindow;
    float sum = 0.0F;
    for (int r = fromRow; r < endRow; ++r) {
        const int line = (in * plan.outHeight + r) * plan.outWidth;
        for (int window = line + from; window < line + end; ++window) {
            if (M == PoolMode::Average || targets[window] == at)
                sum += gradients[window];
        }
    }
    return sum;
}

template <PoolMode M, class Shape>
__device__ __forceinline__ void backwardTile(const TilePlan& plan, std::int64_t tile, float* shared) {
    const TilePlace place = placeOf(plan, tile);
    const TileRows rows = rowsOf<Shape>(plan, place.firstRow);
    const std::int64_t plane = static_cast<std::int64_t>(plan.height) * plan.width;
    const std::int64_t outPlane = static_cast<std::int64_t>(plan.outHeight) * plan.outWidth;
    const int windows = place.planes * rows.windows * plan.outWidth;
    const float* src = nullptr;
    if constexpr (M == PoolMode::Max)
        src = stage(shared, plan.src, plan.allPlanes * plane,
                    place.firstPlane * plane + static_cast<std::int64_t>(rows.top) * plan.width,
                    place.planes * (rows.bottom - rows.top) * plan.width);
    float* gradients = stage(
        shared + plan.gradientAt, plan.dstGrad, plan.allPlanes * outPlane,
        place.firstPlane * outPlane + static_cast<std::int64_t>(rows.firstWindow) * plan.outWidth, windows);
    int* targets = reinterpret_cast<int*>(shared + plan.targetAt);
    waitForCopies();
    for (int at = threadIdx.x; at < windows; at += kTileBlock)
        findTarget<M, Shape>(plan, rows, at, src, gradients, targets);
    __syncthreads();
    float* result =
        plan.result + place.firstPlane * plane + static_cast<std::int64_t>(rows.first) * plan.width;
    for (int at = threadIdx.x; at < place.planes * rows.count * plan.width; at += kTileBlock)
        __stcs(result + at, collect<M, Shape>(plan, rows, at, gradients, targets));
    __syncthreads();
}

template <PoolMode M, class Shape>
__global__ void __launch_bounds__(kTileBlock) poolBackwardTiles(const __grid_constant__ TilePlan plan) {
    extern __shared__ float4 shared[];
    for (std::int64_t tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x)
        backwardTile<M, Shape>(plan, tile, reinterpret_cast<float*>(shared));
}

void (*backwardKernelFor(const PoolParams& params))(TilePlan) {
    if (params.mode == PoolMode::Average)
        return &poolBackwardTiles<PoolMode::Average, TileShape<0, 0>>;
    if (isSquare(params, 3, 2))
        return &poolBackwardTiles<PoolMode::Max, TileShape<3, 2>>;
    if (isSquare(params, 3, 1))
        return &poolBackwardTiles<PoolMode::Max, TileShape<3, 1>>;
    return &poolBackwardTiles<PoolMode::Max, TileShape<0, 0>>;
}

} // namespace

cudaError_t launchTileBackward(const PoolParams& params, TilePlan plan, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    plan.src = srcData;
    plan.dstGrad = dstGrad;
    plan.result = srcGrad;
    return tileKind(params, true) == TileKind::Cells ? launchTileCells(params, plan, stream)
                                                     : launchOnTiles(backwardKernelFor(params), plan, stream);
}

cudaError_t launchTileBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    return launchTileBackward(params, planTiles(params, src, tileKind(params, true)).value(), srcData,
                              dstGrad, srcGrad, stream);
}

} // namespace heteroscope::compute::nvidia
