// SPDX-License-Identifier: Apache-2.0
// Gradients of maxima in large windows that overlap, a tile of the input a block. A maximum is found along
// the rows first and then along the columns: kernelW + kernelH comparisons instead of their product. Few
// elements are the maximum of any window; only those look through the windows that cover them, in order.
#include "compute/backends/nvidia/kernels/pool/pool_any_tile.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_separable.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"

#include <optional>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kSharedBytes = 48 << 10; ///< what every device grants
constexpr unsigned short kNobody = 0xFFFF;
/// Division of numbers below 2^16, as places in shared memory are, by a number below 2^16 that only the
/// kernel knows.
struct ShortDivisor {
    unsigned inverse; ///< 2^32 / divisor, rounded up; 0 for 1
    __device__ explicit ShortDivisor(int by)
        : inverse(by == 1 ? 0U : 0xFFFFFFFFU / static_cast<unsigned>(by) + 1) {}
    __device__ __forceinline__ int quotient(int number) const {
        return inverse == 0 ? number : static_cast<int>(__umulhi(static_cast<unsigned>(number), inverse));
    }
};

constexpr int kEdges[] = {32, 24, 16}; ///< of a tile at most, the first that fits

struct SeparablePlan {
    AnyTilePlan<int> tiles;
    int rowMaximaAt = 0, rowPlacesAt = 0, targetsAt = 0, listAt = 0,
        chosenAt = 0; ///< in bytes, behind the input
    int sharedBytes = 0;
};

/// Where a tile's data lies in shared memory. The gradients take the input's place when it was read.
struct Workspace {
    float *input, *gradients, *rowMaxima;
    unsigned short *rowPlaces, *targets, *list;
    unsigned char* chosen;
};

__device__ __forceinline__ Workspace workspaceAt(const SeparablePlan& plan, char* memory) {
    const auto shorts = [memory](int at) { return reinterpret_cast<unsigned short*>(memory + at); };
    return {reinterpret_cast<float*>(memory),
            reinterpret_cast<float*>(memory),
            reinterpret_cast<float*>(memory + plan.rowMaximaAt),
            shorts(plan.rowPlacesAt),
            shorts(plan.targetsAt),
            shorts(plan.listAt),
            reinterpret_cast<unsigned char*>(memory + plan.chosenAt)};
}

/// What the windows of a tile cover of the plane.
__device__ __forceinline__ Rectangle<int> coveredBy(const AnyPlan<int>& pool, const AnyTile<int>& tile) {
    const Rectangle<int> first = windowAt(pool, tile.firstRow, tile.firstColumn);
    const Rectangle<int> last = windowAt(pool, tile.firstRow + static_cast<int>(tile.rows) - 1,
                                         tile.firstColumn + static_cast<int>(tile.columns) - 1);
    return {first.top, max(last.bottom, first.top), first.left, max(last.right, first.left)};
}

__device__ __forceinline__ void readInput(const AnyPlan<int>& pool, const float* plane,
                                          const Rectangle<int>& covered, const Workspace& work) {
    const int width = covered.right - covered.left;
    const ShortDivisor byWidth(width);
    for (int i = threadIdx.x; i < (covered.bottom - covered.top) * width; i += kAnyBlock) {
        const int row = byWidth.quotient(i);
        work.input[i] = plane[(covered.top + row) * pool.width + covered.left + i - row * width];
    }
}

/// For each row of the input the maximum of what each column of windows sees of it, and where.
__device__ __forceinline__ void findRowMaxima(const AnyPlan<int>& pool, const AnyTile<int>& tile,
                                              const Rectangle<int>& covered, const Workspace& work) {
    const int width = covered.right - covered.left, columns = static_cast<int>(tile.columns);
    const ShortDivisor byColumns(columns);
    for (int i = threadIdx.x; i < (covered.bottom - covered.top) * columns; i += kAnyBlock) {
        const int row = byColumns.quotient(i), column = tile.firstColumn + i - row * columns;
        const int start = column * pool.strideW - pool.padLeft - covered.left;
        const int left = max(start, 0), right = min(start + pool.kernelW, width);
        const float* line = work.input + row * width;
        Found<int> best{line[left], left};
#pragma unroll 4
        for (int at = left + 1; at < right; ++at)
            if (const float value = line[at]; beats(value, best.value))
                best = {value, at};
        work.rowMaxima[i] = best.value;
        work.rowPlaces[i] = static_cast<unsigned short>(best.place);
    }
}

/// The element of the tile that each window chooses, and which are chosen at all.
__device__ __forceinline__ void findTargets(const AnyPlan<int>& pool, const AnyTile<int>& tile,
                                            const Rectangle<int>& covered, const Workspace& work) {
    const int columns = static_cast<int>(tile.columns);
    const float* gradients = pool.dstGrad + tile.firstPlane * pool.outPlane();
    const ShortDivisor byColumns(columns);
    for (int i = threadIdx.x; i < static_cast<int>(tile.rows) * columns; i += kAnyBlock) {
        const int row = byColumns.quotient(i), column = i - row * columns;
        const int outRow = tile.firstRow + row, outColumn = tile.firstColumn + column;
        work.gradients[i] = gradients[static_cast<std::int64_t>(outRow) * pool.outWidth + outColumn];
        const Rectangle<int> window = windowAt(pool, outRow, outColumn);
        const int first = (window.top - covered.top) * columns + column;
        const int end = (window.bottom - covered.top) * columns + column;
        Found<int> best{work.rowMaxima[first], first};
#pragma unroll 4
        for (int at = first + columns; at < end; at += columns)
            if (const float value = work.rowMaxima[at]; beats(value, best.value))
                best = {value, at};
        const int y = byColumns.quotient(best.place) + covered.top - tile.top;
        const int x = work.rowPlaces[best.place] + covered.left - tile.left;
        const bool here =
            y >= 0 && y < tile.height && x >= 0 && x < tile.width && !zeroPadWins(pool, window, best.value);
        work.targets[i] = here ? static_cast<unsigned short>(y * tile.width + x) : kNobody;
        if (here)
            work.chosen[y * tile.width + x] = 1;
    }
}

/// Elements that nobody chose get nothing; the others are listed. Gives how many.
__device__ __forceinline__ int listChosen(const AnyPlan<int>& pool, const AnyTile<int>& tile, float* result,
                                          const Workspace& work) {
    __shared__ int listed;
    if (threadIdx.x == 0)
        listed = 0;
    __syncthreads();
    const ShortDivisor byWidth(tile.width);
    for (int i = threadIdx.x; i < tile.height * tile.width; i += kAnyBlock) {
        const int row = byWidth.quotient(i);
        if (work.chosen[i] != 0)
            work.list[atomicAdd(&listed, 1)] = static_cast<unsigned short>(i);
        else
            __stcs(result + (tile.top + row) * pool.width + tile.left + i - row * tile.width, 0.0F);
    }
    __syncthreads();
    return listed;
}

__device__ __forceinline__ void collectListed(const AnyPlan<int>& pool, const AnyTile<int>& tile, int element,
                                              float* result, const Workspace& work) {
    const int columns = static_cast<int>(tile.columns);
    const int row = tile.top + element / tile.width, column = tile.left + element % tile.width;
    const int fromRow = firstWindow(row, pool.kernelH, pool.strideH, pool.padTop) - tile.firstRow;
    const int toRow = lastWindow(row, pool.strideH, pool.padTop, pool.outHeight) - tile.firstRow;
    const int from = firstWindow(column, pool.kernelW, pool.strideW, pool.padLeft) - tile.firstColumn;
    const int to = lastWindow(column, pool.strideW, pool.padLeft, pool.outWidth) - tile.firstColumn;
    float sum = 0.0F;
    for (int r = fromRow; r <= toRow; ++r) {
#pragma unroll 4
        for (int at = r * columns + from; at <= r * columns + to; ++at) {
            if (work.targets[at] == element)
                sum += work.gradients[at];
        }
    }
    __stcs(result + row * pool.width + column, sum);
}

__global__ void __launch_bounds__(kAnyBlock)
    poolBackwardSeparable(const __grid_constant__ SeparablePlan plan) {
    extern __shared__ float4 memory[];
    const Workspace work = workspaceAt(plan, reinterpret_cast<char*>(memory));
    const AnyPlan<int>& pool = plan.tiles.pool;
    for (std::int64_t at = blockIdx.x; at < plan.tiles.tiles; at += gridDim.x) {
        const AnyTile<int> tile = tileAt(plan.tiles, at);
        const Rectangle<int> covered = coveredBy(pool, tile);
        const std::int64_t plane = tile.firstPlane * pool.plane();
        for (int i = threadIdx.x; i < tile.height * tile.width; i += kAnyBlock)
            work.chosen[i] = 0;
        if (tile.rows > 0 && tile.columns > 0) {
            readInput(pool, pool.src + plane, covered, work);
            __syncthreads();
            findRowMaxima(pool, tile, covered, work);
            __syncthreads();
            findTargets(pool, tile, covered, work);
        }
        __syncthreads();
        const int listed = listChosen(pool, tile, pool.result + plane, work);
        for (int i = threadIdx.x; i < listed; i += kAnyBlock)
            collectListed(pool, tile, work.list[i], pool.result + plane, work);
        __syncthreads();
    }
}

/// Windows that reach `elements` neighbours along one axis, and what these cover.
struct Reach {
    std::int64_t windows, covered;
};

Reach reachOf(std::int64_t elements, std::int64_t kernel, std::int64_t stride, std::int64_t out,
              std::int64_t size) {
    const std::int64_t windows = std::min((elements + kernel - 2) / stride + 1, out);
    return {windows, std::min((windows - 1) * stride + kernel, size)};
}

/// Tiles of one size as even as the plane allows.
int evenEdge(std::int64_t size, std::int64_t most) {
    const std::int64_t pieces = (size + most - 1) / most;
    return static_cast<int>((size + pieces - 1) / pieces);
}

/// Nothing where it takes more shared memory than there is.
std::optional<SeparablePlan> planWithEdge(const AnyPlan<int>& pool, int edge) {
    SeparablePlan plan;
    plan.tiles.pool = pool;
    plan.tiles.height = evenEdge(pool.height, edge);
    plan.tiles.width = evenEdge(pool.width, edge);
    plan.tiles.planes = 1;
    countTiles(plan.tiles);
    const Reach down = reachOf(plan.tiles.height, pool.kernelH, pool.strideH, pool.outHeight, pool.height);
    const Reach across = reachOf(plan.tiles.width, pool.kernelW, pool.strideW, pool.outWidth, pool.width);
    const std::int64_t windows = down.windows * across.windows, rowMaxima = down.covered * across.windows;
    std::int64_t bytes = 0;
    const auto put = [&bytes](std::int64_t size) {
        const auto at = static_cast<int>(std::min<std::int64_t>(bytes, kSharedBytes));
        bytes += (size + 3) / 4 * 4;
        return at;
    };
    put(4 * std::max(down.covered * across.covered, windows));
    plan.rowMaximaAt = put(4 * rowMaxima);
    plan.rowPlacesAt = put(2 * rowMaxima);
    plan.targetsAt = put(2 * windows);
    plan.listAt = put(2 * std::int64_t{plan.tiles.height} * plan.tiles.width);
    plan.chosenAt = put(std::int64_t{plan.tiles.height} * plan.tiles.width);
    if (bytes > kSharedBytes - 64) // the count of the listed is there too
        return {};
    plan.sharedBytes = static_cast<int>(bytes);
    return plan;
}

std::optional<SeparablePlan> planSeparable(const PoolParams& params, const Shape4& src) {
    if (params.mode != PoolMode::Max || !overlaps(params) || !fitsInt(params, src) ||
        std::max(params.kernel.h, params.kernel.w) > 128)
        return {};
    const AnyPlan<int> pool = planAny<int>(params, src);
    for (const int edge : kEdges)
        if (auto plan = planWithEdge(pool, edge))
            return plan;
    return {};
}

} // namespace

bool hasSeparableKernel(const PoolParams& params, const Shape4& src) {
    return planSeparable(params, src).has_value();
}

cudaError_t launchSeparableBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                                    const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    auto plan = planSeparable(params, src);
    if (!plan)
        return cudaErrorInvalidValue;
    plan->tiles.pool.src = srcData;
    plan->tiles.pool.dstGrad = dstGrad;
    plan->tiles.pool.result = srcGrad;
    const auto blocks = static_cast<unsigned>(std::min(plan->tiles.tiles, kAnyBlocks));
    poolBackwardSeparable<<<blocks, kAnyBlock, plan->sharedBytes, stream>>>(*plan);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
