// SPDX-License-Identifier: Apache-2.0
// Backward pooling by patches of the input. For maxima each window first finds the element that it chose;
// then each element collects from the windows that cover it, in order. Where many windows overlap, few
// elements are the maximum of any: only those look.
#include "compute/backends/nvidia/kernels/pool/pool_patch.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_patch.h"

namespace heteroscope::compute::nvidia {
namespace {

/// Where a patch's data lies in shared memory. The list takes the input's place when the maxima are found.
struct PatchMemory {
    float *input, *gradients;
    unsigned short *targets, *list;
    int *listed, *rowRanges, *columnRanges; ///< windows that cover a row or column: end << 16 | first
    unsigned char* chosen;

    __device__ __forceinline__ PatchMemory(const PatchPlan& plan, char* memory)
        : input(reinterpret_cast<float*>(memory)),
          gradients(reinterpret_cast<float*>(memory + plan.gradientsAt)),
          targets(reinterpret_cast<unsigned short*>(memory + plan.targetsAt)),
          list(reinterpret_cast<unsigned short*>(memory)),
          listed(reinterpret_cast<int*>(memory + plan.rangesAt)),
          rowRanges(listed + 1),
          columnRanges(rowRanges + plan.rows),
          chosen(reinterpret_cast<unsigned char*>(memory + plan.chosenAt)) {}
};

__device__ __forceinline__ int packedRange(WindowRange range, int firstWindow) {
    return max(range.end - firstWindow, 0) << 16 | (range.first - firstWindow);
}

/// Which windows cover each row and column of the patch.
__device__ __forceinline__ void findRanges(const PatchPlan& plan, const Patch& patch,
                                           const PatchMemory& memory) {
    if (threadIdx.x == 0)
        *memory.listed = 0;
    for (int row = threadIdx.x; row < patch.rows; row += kPatchBlock)
        memory.rowRanges[row] = packedRange(windowsOver(patch.firstRow + row, 1, plan.kernelH, plan.strideH,
                                                        plan.padTop, plan.outHeight, plan.byStrideH),
                                            patch.firstWindowRow);
    for (int column = threadIdx.x; column < patch.columns; column += kPatchBlock)
        memory.columnRanges[column] =
            packedRange(windowsOver(patch.firstColumn + column, 1, plan.kernelW, plan.strideW, plan.padLeft,
                                    plan.outWidth, plan.byStrideW),
                        patch.firstWindowColumn);
}

/// The gradients of the patch's windows; for averages what each of their elements gets.
template <PoolMode M>
__device__ __forceinline__ void copyGradients(const PatchPlan& plan, const Patch& patch,
                                              const PatchMemory& memory) {
    const int lanes = 1 << plan.windowLanes, lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    for (int line = static_cast<int>(threadIdx.x) >> plan.windowLanes; line < patch.planes * plan.windowRows;
         line += kPatchBlock >> plan.windowLanes) {
        unsigned row = static_cast<unsigned>(line);
        const std::int64_t plane = patch.firstPlane + (plan.planes > 1 ? plan.byWindowRows.split(row) : 0U);
        if (static_cast<int>(row) >= patch.windowRows)
            continue;
        const int outRow = patch.firstWindowRow + static_cast<int>(row);
        const float* from =
            plan.dstGrad + (plane * plan.outHeight + outRow) * plan.outWidth + patch.firstWindowColumn;
        float* to = memory.gradients + line * plan.windowColumns;
        const WindowRange down = insideOf(outRow * plan.strideH - plan.padTop, plan.kernelH, plan.height);
        for (int column = lane; column < patch.windowColumns; column += lanes) {
            if constexpr (M == PoolMode::Max) {
                __pipeline_memcpy_async(to + column, from + column, sizeof(float));
                continue;
            }
            const WindowRange across = insideOf(
                (patch.firstWindowColumn + column) * plan.strideW - plan.padLeft, plan.kernelW, plan.width);
            const int elements = plan.countPad ? plan.kernelH * plan.kernelW
                                               : (down.end - down.first) * (across.end - across.first);
            to[column] = from[column] / static_cast<float>(elements);
        }
    }
}

/// A column of windows that a thread walks down, and what these cover of the plane's columns.
struct WindowWalk {
    int plane, row, column, windows; ///< row and column of the first, among those of the patch
    WindowRange across;
};

/// The element of the patch that window `window` of the walk chose.
__device__ __forceinline__ unsigned targetOf(const PatchPlan& plan, const Patch& patch,
                                             const WindowWalk& walk, int window, const PlacePart& part) {
    int y = patch.top + sourceOf(part.place >> 16, plan.kernelH, plan.strideH, plan.byKernelH);
    int x = patch.left + sourceOf(part.place & 0xFFFF, plan.kernelW, plan.strideW, plan.byKernelW);
    if (part.value == minusInfinity() || (plan.zeroPad && part.value < 0.0F)) {
        const WindowRange down =
            insideOf((patch.firstWindowRow + walk.row + window) * plan.strideH - plan.padTop, plan.kernelH,
                     plan.height);
        if (plan.zeroPad &&
            (down.end - down.first) * (walk.across.end - walk.across.first) < plan.kernelH * plan.kernelW)
            return kNoTarget;
        if (part.value == minusInfinity()) // of all that it is, the first inside
            y = down.first, x = walk.across.first;
    }
    y -= patch.firstRow;
    x -= patch.firstColumn;
    if (y < 0 || y >= patch.rows || x < 0 || x >= patch.columns)
        return kNoTarget;
    return static_cast<unsigned>((walk.plane * plan.rows + y) * plan.columns + x);
}

template <int Slots>
__device__ __forceinline__ void findTargets(const PatchPlan& plan, const Patch& patch,
                                            const PatchMemory& memory) {
    const int items = patch.planes * plan.bands * plan.windowColumns;
    for (int item = threadIdx.x; item < items; item += kPatchBlock) {
        unsigned column = static_cast<unsigned>(item), band = plan.byWindowColumns.split(column);
        WindowWalk walk;
        walk.plane = static_cast<int>(plan.byBands.split(band));
        walk.row = static_cast<int>(band) * plan.bandRows;
        walk.column = static_cast<int>(column);
        walk.windows = min(plan.bandRows, patch.windowRows - walk.row);
        if (walk.column >= patch.windowColumns || walk.windows <= 0)
            continue;
        walk.across = insideOf((patch.firstWindowColumn + walk.column) * plan.strideW - plan.padLeft,
                               plan.kernelW, plan.width);
        const int row = walk.row * plan.stepRows, first = walk.column * plan.stepColumns;
        unsigned short* targets =
            memory.targets + (walk.plane * plan.windowRows + walk.row) * plan.windowColumns + walk.column;
        walkDown<Slots, PlacePart>(
            plan, memory.input + walk.plane * plan.planePitch + row * plan.pitch + placeOf(plan, first),
            row << 16 | first, walk.windows, [&](int window, const PlacePart& part) {
                const unsigned target = targetOf(plan, patch, walk, window, part);
                targets[window * plan.windowColumns] = static_cast<unsigned short>(target);
                if (plan.listed && target != kNoTarget)
                    memory.chosen[target] = 1;
            });
    }
}

/// What one element gets of the windows that cover it.
template <PoolMode M>
__device__ __forceinline__ float collect(const PatchPlan& plan, const PatchMemory& memory, int plane, int row,
                                         int column, int element) {
    const int rows = memory.rowRanges[row], columns = memory.columnRanges[column];
    const int before = plane * plan.windowRows;
    float sum = 0.0F;
    for (int r = before + (rows & 0xFFFF); r < before + (rows >> 16); ++r) {
        const int end = r * plan.windowColumns + (columns >> 16);
#pragma unroll 4
        for (int at = r * plan.windowColumns + (columns & 0xFFFF); at < end; ++at) {
            if (M == PoolMode::Average || memory.targets[at] == element)
                sum += memory.gradients[at];
        }
    }
    return sum;
}

/// Calls use(plane, row, column, element) for each element of the patch.
template <class Use>
__device__ __forceinline__ void forElements(const PatchPlan& plan, const Patch& patch, const Use& use) {
    if (plan.linear) {
        for (int i = threadIdx.x; i < patch.planes * patch.rows * plan.width; i += kPatchBlock) {
            unsigned column = static_cast<unsigned>(i), row = plan.byWidth.split(column);
            const int plane = plan.planes > 1 ? static_cast<int>(plan.byRows.split(row)) : 0;
            use(plane, static_cast<int>(row), static_cast<int>(column), i);
        }
        return;
    }
    const int lanes = 1 << plan.resultLanes, lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    for (int line = static_cast<int>(threadIdx.x) >> plan.resultLanes; line < patch.planes * plan.rows;
         line += kPatchBlock >> plan.resultLanes) {
        unsigned row = static_cast<unsigned>(line);
        const int plane = plan.planes > 1 ? static_cast<int>(plan.byRows.split(row)) : 0;
        if (static_cast<int>(row) >= patch.rows)
            continue;
        for (int column = lane; column < patch.columns; column += lanes)
            use(plane, static_cast<int>(row), column, line * plan.columns + column);
    }
}

__device__ __forceinline__ float* resultAt(const PatchPlan& plan, const Patch& patch, int plane, int row,
                                           int column) {
    return plan.result + ((patch.firstPlane + plane) * plan.height + patch.firstRow + row) * plan.width +
           patch.firstColumn + column;
}

/// Elements that nobody chose get nothing; the others are listed, and collect.
__device__ __forceinline__ void collectChosen(const PatchPlan& plan, const Patch& patch,
                                              const PatchMemory& memory) {
    forElements(plan, patch, [&](int plane, int row, int column, int element) {
        if (memory.chosen[element] != 0)
            memory.list[atomicAdd(memory.listed, 1)] = static_cast<unsigned short>(element);
        else
            __stcs(resultAt(plan, patch, plane, row, column), 0.0F);
    });
    __syncthreads();
    for (int i = threadIdx.x; i < *memory.listed; i += kPatchBlock) {
        const int element = memory.list[i];
        unsigned column = static_cast<unsigned>(element), row = plan.byColumns.split(column);
        const int plane = static_cast<int>(plan.byRows.split(row));
        __stcs(resultAt(plan, patch, plane, static_cast<int>(row), static_cast<int>(column)),
               collect<PoolMode::Max>(plan, memory, plane, static_cast<int>(row), static_cast<int>(column),
                                      element));
    }
}

template <PoolMode M, int Slots>
__global__ void __launch_bounds__(kPatchBlock) poolBackwardPatches(const __grid_constant__ PatchPlan plan) {
    extern __shared__ float4 shared[];
    const PatchMemory memory(plan, reinterpret_cast<char*>(shared));
    for (std::int64_t at = blockIdx.x; at < plan.patches; at += gridDim.x) {
        const Patch patch = patchAt<true>(plan, at);
        findRanges(plan, patch, memory);
        copyGradients<M>(plan, patch, memory);
        if constexpr (M == PoolMode::Max) {
            copyInput(plan, patch, minusInfinity(), memory.input);
            for (int i = threadIdx.x; plan.listed && 4 * i < plan.planes * plan.rows * plan.columns;
                 i += kPatchBlock)
                reinterpret_cast<int*>(memory.chosen)[i] = 0;
        }
        waitForCopies();
        if constexpr (M == PoolMode::Max) {
            findTargets<Slots>(plan, patch, memory);
            __syncthreads();
        }
        if (plan.listed)
            collectChosen(plan, patch, memory);
        else
            forElements(plan, patch, [&](int plane, int row, int column, int element) {
                __stcs(resultAt(plan, patch, plane, row, column),
                       collect<M>(plan, memory, plane, row, column, element));
            });
        __syncthreads();
    }
}

auto maxKernelFor(int overlap) {
    return overlap <= 1   ? &poolBackwardPatches<PoolMode::Max, 1>
           : overlap <= 2 ? &poolBackwardPatches<PoolMode::Max, 2>
           : overlap <= 3 ? &poolBackwardPatches<PoolMode::Max, 3>
           : overlap <= 5 ? &poolBackwardPatches<PoolMode::Max, 5>
           : overlap <= 9 ? &poolBackwardPatches<PoolMode::Max, 9>
                          : &poolBackwardPatches<PoolMode::Max, 17>;
}

} // namespace

cudaError_t launchPatchBackward(PatchPlan plan, const float* srcData, const float* dstGrad, float* srcGrad,
                                cudaStream_t stream) {
    plan.src = srcData;
    plan.dstGrad = dstGrad;
    plan.result = srcGrad;
    const auto kernel =
        plan.average ? &poolBackwardPatches<PoolMode::Average, 1> : maxKernelFor(plan.overlap);
    const auto blocks = static_cast<unsigned>(std::min(plan.patches, plan.mostBlocks));
    kernel<<<blocks, kPatchBlock, plan.sharedBytes, stream>>>(plan);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
