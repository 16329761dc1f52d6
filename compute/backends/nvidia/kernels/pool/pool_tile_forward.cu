// SPDX-License-Identifier: Apache-2.0
// Forward pooling by tiles: the outputs of a tile lie in one piece as well and are written as such.
#include "compute/backends/nvidia/kernels/pool/pool_tile.cuh"

namespace heteroscope::compute::nvidia {
namespace {

template <PoolMode M, class Shape>
__device__ __forceinline__ float pooled(const TilePlan& plan, const TileWindow& window, const float* plane) {
    if constexpr (M == PoolMode::Average)
        return sumIn<Shape>(plan, window, plane) / divisor<Shape>(plan, window);
    const float maximum = maximumIn<Shape>(plan, window, plane).value;
    return zeroPadWins<Shape>(plan, window, maximum) ? 0.0F : maximum;
}

template <PoolMode M, class Shape>
__device__ __forceinline__ void forwardTile(const TilePlan& plan, std::int64_t tile, float* shared) {
    const TilePlace place = placeOf(plan, tile);
    const int outRows = min(plan.rows, plan.outHeight - place.firstRow), first = place.firstRow;
    const int above =
        first * Shape::strideH(plan) - plan.padTop; // of the first window; negative in the padding
    const int top = plan.bands > 1 ? max(above, 0) : 0;
    const int bottom =
        plan.bands > 1 ? min(above + (outRows - 1) * Shape::strideH(plan) + Shape::kernelH(plan), plan.height)
                       : plan.height;
    const int planeSize = (bottom - top) * plan.width;
    const std::int64_t plane = static_cast<std::int64_t>(plan.height) * plan.width;
    const float* src = stage(shared, plan.src, plan.allPlanes * plane,
                             place.firstPlane * plane + static_cast<std::int64_t>(top) * plan.width,
                             place.planes * planeSize);
    float* dst = plan.result + (place.firstPlane * plan.outHeight + first) * plan.outWidth;
    waitForCopies();
    for (int at = threadIdx.x; at < place.planes * outRows * plan.outWidth; at += kTileBlock) {
        const int in = plan.bands > 1 ? 0 : quotientOf(plan.byOutPlane, at);
        const int rest = at - in * plan.outHeight * plan.outWidth;
        const int row = quotientOf(plan.byOutWidth, rest), column = rest - row * plan.outWidth;
        const TileWindow window =
            windowIn<Shape>(plan, above - top + row * Shape::strideH(plan), bottom - top, column);
        __stcs(dst + at, pooled<M, Shape>(plan, window, src + in * planeSize));
    }
    __syncthreads();
}

template <PoolMode M, class Shape>
__global__ void __launch_bounds__(kTileBlock) poolForwardTiles(const __grid_constant__ TilePlan plan) {
    extern __shared__ float4 shared[];
    for (std::int64_t tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x)
        forwardTile<M, Shape>(plan, tile, reinterpret_cast<float*>(shared));
}

void (*forwardKernelFor(const PoolParams& params))(TilePlan) {
    if (params.mode == PoolMode::Average)
        return &poolForwardTiles<PoolMode::Average, TileShape<0, 0>>;
    if (isSquare(params, 3, 2))
        return &poolForwardTiles<PoolMode::Max, TileShape<3, 2>>;
    if (isSquare(params, 3, 1))
        return &poolForwardTiles<PoolMode::Max, TileShape<3, 1>>;
    if (isSquare(params, 2, 2))
        return &poolForwardTiles<PoolMode::Max, TileShape<2, 2>>;
    return &poolForwardTiles<PoolMode::Max, TileShape<0, 0>>;
}

} // namespace

cudaError_t launchTileForward(const PoolParams& params, TilePlan plan, const float* srcData, float* dst,
                              cudaStream_t stream) {
    plan.src = srcData;
    plan.result = dst;
    return launchOnTiles(forwardKernelFor(params), plan, stream);
}

cudaError_t launchTileForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              cudaStream_t stream) {
    return launchTileForward(params, planTiles(params, src, TileKind::Forward).value(), srcData, dst, stream);
}

} // namespace heteroscope::compute::nvidia
