// SPDX-License-Identifier: Apache-2.0
// Forward pooling by patches.
#include "compute/backends/nvidia/kernels/pool/pool_patch.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_patch.h"

namespace heteroscope::compute::nvidia {
namespace {

/// What a window gives whose elements were reduced to `value`. `across`: its columns inside the plane.
template <PoolMode M>
__device__ __forceinline__ float pooled(const PatchPlan& plan, int outRow, const WindowRange& across,
                                        float value) {
    if (M == PoolMode::Max && !plan.zeroPad)
        return value;
    const int area = plan.kernelH * plan.kernelW;
    const WindowRange down = insideOf(outRow * plan.strideH - plan.padTop, plan.kernelH, plan.height);
    const int inside = (down.end - down.first) * (across.end - across.first);
    if constexpr (M == PoolMode::Average)
        return value / static_cast<float>(plan.countPad ? area : inside);
    return inside < area && value < 0.0F ? 0.0F : value;
}

/// Which windows a thread walks down.
struct WindowColumn {
    int plane, row, column, windows; ///< row and column in the patch
};

__device__ __forceinline__ WindowColumn columnAt(const PatchPlan& plan, const Patch& patch, int item) {
    unsigned column = static_cast<unsigned>(item), band = plan.byColumns.split(column);
    const unsigned plane = plan.byBands.split(band);
    const int row = static_cast<int>(band) * plan.bandRows;
    return {static_cast<int>(plane), row, static_cast<int>(column), min(plan.bandRows, patch.rows - row)};
}

template <PoolMode M, int Slots>
__device__ __forceinline__ void poolColumn(const PatchPlan& plan, const Patch& patch,
                                           const WindowColumn& column, const float* shared) {
    using Part = std::conditional_t<M == PoolMode::Average, SumPart, MaxPart>;
    const int outRow = patch.firstRow + column.row, outColumn = patch.firstColumn + column.column;
    const WindowRange across = insideOf(outColumn * plan.strideW - plan.padLeft, plan.kernelW, plan.width);
    const float* at = shared + column.plane * plan.planePitch + column.row * plan.stepRows * plan.pitch +
                      placeOf(plan, column.column * plan.stepColumns);
    float* result = plan.result +
                    ((patch.firstPlane + column.plane) * plan.outHeight + outRow) * plan.outWidth + outColumn;
    walkDown<Slots, Part>(plan, at, 0, column.windows, [&](int window, const Part& part) {
        __stcs(result, pooled<M>(plan, outRow + window, across, part.value));
        result += plan.outWidth;
    });
}

template <PoolMode M, int Slots>
__global__ void __launch_bounds__(kPatchBlock) poolForwardPatches(const __grid_constant__ PatchPlan plan) {
    extern __shared__ float4 memory[];
    float* shared = reinterpret_cast<float*>(memory);
    for (std::int64_t at = blockIdx.x; at < plan.patches; at += gridDim.x) {
        const Patch patch = patchAt<false>(plan, at);
        copyInput(plan, patch, M == PoolMode::Max ? minusInfinity() : 0.0F, shared);
        waitForCopies();
        const int items = patch.planes * plan.bands * plan.columns;
        for (int item = threadIdx.x; item < items; item += kPatchBlock) {
            const WindowColumn column = columnAt(plan, patch, item);
            if (column.column < patch.columns && column.windows > 0)
                poolColumn<M, Slots>(plan, patch, column, shared);
        }
        __syncthreads();
    }
}

template <PoolMode M>
auto kernelFor(int overlap) {
    return overlap <= 1   ? &poolForwardPatches<M, 1>
           : overlap <= 2 ? &poolForwardPatches<M, 2>
           : overlap <= 3 ? &poolForwardPatches<M, 3>
           : overlap <= 5 ? &poolForwardPatches<M, 5>
           : overlap <= 9 ? &poolForwardPatches<M, 9>
                          : &poolForwardPatches<M, 17>;
}

} // namespace

cudaError_t launchPatchForward(PatchPlan plan, const float* srcData, float* dst, cudaStream_t stream) {
    plan.src = srcData;
    plan.result = dst;
    const auto kernel =
        plan.average ? kernelFor<PoolMode::Average>(plan.overlap) : kernelFor<PoolMode::Max>(plan.overlap);
    const auto blocks = static_cast<unsigned>(std::min(plan.patches, plan.mostBlocks));
    kernel<<<blocks, kPatchBlock, plan.sharedBytes, stream>>>(plan);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
