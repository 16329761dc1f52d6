// SPDX-License-Identifier: Apache-2.0
// Backward pooling with any window. A block takes a tile of the input; it finds the maximum of every window
// that reaches the tile once, into shared memory, and then each element collects from the windows that cover
// it, in order.
#include "compute/backends/nvidia/kernels/pool/pool_any_tile.cuh"

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kEach = 4;                 ///< elements of the tile that a thread collects
constexpr int kTile = kAnyBlock * kEach; ///< elements of a tile
constexpr int kWindows = 2048;           ///< windows in shared memory at a time

/// What windows give, and to which element of the tile (-1: to none of it). Averages give to all that they
/// cover.
struct Contributions {
    float amount[kWindows];
    int target[kWindows];
};

template <PoolMode M, bool ByWarp, class Index>
__device__ __forceinline__ void findContribution(const AnyPlan<Index>& pool, const AnyTile<Index>& tile,
                                                 std::int64_t at, Contributions& contributions, int slot) {
    const Divided column = divide(at, tile.columns), row = divide(column.quotient, tile.rows);
    const Index outRow = tile.firstRow + static_cast<Index>(row.remainder);
    const Index outColumn = tile.firstColumn + static_cast<Index>(column.remainder);
    const std::int64_t plane = tile.firstPlane + row.quotient;
    const Rectangle<Index> window = windowAt(pool, outRow, outColumn);
    const float gradient =
        pool.dstGrad[plane * pool.outPlane() + static_cast<std::int64_t>(outRow) * pool.outWidth + outColumn];
    if constexpr (M == PoolMode::Average) {
        contributions.amount[slot] = gradient / divisor(pool, window);
        return;
    }
    const float* data = pool.src + plane * pool.plane();
    const Found<Index> maximum =
        ByWarp ? maximumByWarp(window, data, pool.width) : maximumOf(window, data, pool.width);
    const Index y = maximum.place / pool.width - tile.top, x = maximum.place % pool.width - tile.left;
    const bool here =
        y >= 0 && y < tile.height && x >= 0 && x < tile.width && !zeroPadWins(pool, window, maximum.value);
    if (ByWarp && threadIdx.x % 32 != 0)
        return;
    contributions.amount[slot] = gradient;
    contributions.target[slot] =
        here ? (static_cast<int>(row.quotient) * tile.height + static_cast<int>(y)) * tile.width +
                   static_cast<int>(x)
             : -1;
}

/// What element `element` of the tile gets of the windows first .. first + count - 1.
template <PoolMode M, class Index>
__device__ __forceinline__ float collect(const AnyPlan<Index>& pool, const AnyTile<Index>& tile, int element,
                                         const Contributions& contributions, std::int64_t first, int count,
                                         float sum) {
    const int line = element / tile.width, x = element - line * tile.width;
    const int plane = line / tile.height, y = line - plane * tile.height;
    const Index row = tile.top + y, column = tile.left + x;
    const std::int64_t fromRow = firstWindow(row, pool.kernelH, pool.strideH, pool.padTop) - tile.firstRow;
    const std::int64_t toRow = lastWindow(row, pool.strideH, pool.padTop, pool.outHeight) - tile.firstRow;
    const std::int64_t from =
        firstWindow(column, pool.kernelW, pool.strideW, pool.padLeft) - tile.firstColumn;
    const std::int64_t to = lastWindow(column, pool.strideW, pool.padLeft, pool.outWidth) - tile.firstColumn;
    for (std::int64_t r = fromRow; r <= toRow; ++r) {
        const std::int64_t before = (plane * tile.rows + r) * tile.columns - first;
        const auto here = [&](std::int64_t at) {
            return static_cast<int>(min(max(before + at, std::int64_t{0}), static_cast<std::int64_t>(count)));
        };
        const int end = here(to + 1);
        for (int slot = here(from); slot < end; ++slot) {
            if (M == PoolMode::Average || contributions.target[slot] == element)
                sum += contributions.amount[slot];
        }
    }
    return sum;
}

template <class Index>
__device__ __forceinline__ void writeTile(const AnyPlan<Index>& pool, const AnyTile<Index>& tile, int element,
                                          float value) {
    const int line = element / tile.width, x = element - line * tile.width;
    const int plane = line / tile.height, y = line - plane * tile.height;
    pool.result[(tile.firstPlane + plane) * pool.plane() +
                static_cast<std::int64_t>(tile.top + y) * pool.width + tile.left + x] = value;
}

template <PoolMode M, bool ByWarp, class Index>
__global__ void __launch_bounds__(kAnyBlock)
    poolBackwardAny(const __grid_constant__ AnyTilePlan<Index> plan) {
    __shared__ Contributions contributions;
    constexpr int lanes = ByWarp ? 32 : 1;
    for (std::int64_t at = blockIdx.x; at < plan.tiles; at += gridDim.x) {
        const AnyTile<Index> tile = tileAt(plan, at);
        const std::int64_t windows = tile.planes * tile.rows * tile.columns;
        float sums[kEach] = {};
        for (std::int64_t first = 0; first < windows; first += kWindows) {
            const int count = static_cast<int>(min(windows - first, static_cast<std::int64_t>(kWindows)));
            for (int slot = threadIdx.x / lanes; slot < count; slot += kAnyBlock / lanes)
                findContribution<M, ByWarp>(plan.pool, tile, first + slot, contributions, slot);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                const int element = threadIdx.x + i * kAnyBlock;
                if (element < tile.elements())
                    sums[i] = collect<M>(plan.pool, tile, element, contributions, first, count, sums[i]);
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            const int element = threadIdx.x + i * kAnyBlock;
            if (element < tile.elements())
                writeTile(plan.pool, tile, element, sums[i]);
        }
    }
}

/// Tiles up to 64 wide, as high as there is room; several planes in one where they are small.
template <class Index>
AnyTilePlan<Index> planTiles(const AnyPlan<Index>& pool) {
    AnyTilePlan<Index> plan;
    plan.pool = pool;
    plan.width = static_cast<int>(std::min<std::int64_t>(pool.width, 64));
    plan.height = static_cast<int>(std::min<std::int64_t>(pool.height, kTile / plan.width));
    plan.planes = 1;
    if (plan.width == pool.width && plan.height == pool.height)
        plan.planes = std::max(1, kTile / (plan.width * plan.height));
    countTiles(plan);
    return plan;
}

template <class Index>
cudaError_t launchIndexed(const PoolParams& params, const Shape4& src, const float* srcData,
                          const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    AnyPlan<Index> pool = planAny<Index>(params, src);
    pool.src = srcData;
    pool.dstGrad = dstGrad;
    pool.result = srcGrad;
    const AnyTilePlan<Index> plan = planTiles(pool);
    const auto kernel = params.mode == PoolMode::Average ? &poolBackwardAny<PoolMode::Average, false, Index>
                        : isWideWindow(params, src)      ? &poolBackwardAny<PoolMode::Max, true, Index>
                                                         : &poolBackwardAny<PoolMode::Max, false, Index>;
    const auto blocks = static_cast<unsigned>(std::min(plan.tiles, kAnyBlocks));
    kernel<<<blocks, kAnyBlock, 0, stream>>>(plan);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchAnyBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                              const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    return fitsInt(params, src) ? launchIndexed<int>(params, src, srcData, dstGrad, srcGrad, stream)
                                : launchIndexed<std::int64_t>(params, src, srcData, dstGrad, srcGrad, stream);
}

} // namespace heteroscope::compute::nvidia
