// SPDX-License-Identifier: Apache-2.0
// What both directions of pooling by patches share: where a patch lies, its copy to shared memory, and the
// walk down a column of windows.
#pragma once

#include "compute/backends/nvidia/kernels/common/wait_for_copies.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_patch_plan.h"

#include <algorithm>
#include <cuda_pipeline.h>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// One patch: of the result from (firstRow, firstColumn) on, the windows that it needs, and where these begin
/// in src (negative in the padding).
struct Patch {
    std::int64_t firstPlane;
    int planes, rows, columns;
    int firstRow, firstColumn;
    int firstWindowRow, firstWindowColumn, windowRows, windowColumns;
    int top, left;
};

/// The windows of one axis that cover elements first .. first + count - 1: the first, and the one behind the
/// last.
struct WindowRange {
    int first, end;
};

__device__ __forceinline__ WindowRange windowsOver(int first, int count, int kernel, int stride, int pad,
                                                   int all, const FastDivision& byStride) {
    const int room = max(first + pad - kernel + stride, 0);
    return {
        static_cast<int>(byStride.quotient(static_cast<unsigned>(room))),
        min(static_cast<int>(byStride.quotient(static_cast<unsigned>(first + count - 1 + pad))) + 1, all)};
}

template <bool Backward>
__device__ __forceinline__ Patch patchAt(const PatchPlan& plan, std::int64_t at) {
    Patch patch;
    std::int64_t planes = at;
    int down = 0, across = 0;
    if (plan.across > 1) {
        planes = at / plan.across;
        across = static_cast<int>(at - planes * plan.across);
    }
    if (plan.down > 1) {
        const std::int64_t rest = planes;
        planes = rest / plan.down;
        down = static_cast<int>(rest - planes * plan.down);
    }
    patch.firstPlane = planes * plan.planes;
    patch.planes =
        static_cast<int>(min(static_cast<std::int64_t>(plan.planes), plan.allPlanes - patch.firstPlane));
    patch.firstRow = down * plan.rows;
    patch.firstColumn = across * plan.columns;
    patch.rows = min(plan.rows, (Backward ? plan.height : plan.outHeight) - patch.firstRow);
    patch.columns = min(plan.columns, (Backward ? plan.width : plan.outWidth) - patch.firstColumn);
    WindowRange vertical{patch.firstRow, patch.firstRow + patch.rows};
    WindowRange horizontal{patch.firstColumn, patch.firstColumn + patch.columns};
    if constexpr (Backward) {
        vertical = windowsOver(patch.firstRow, patch.rows, plan.kernelH, plan.strideH, plan.padTop,
                               plan.outHeight, plan.byStrideH);
        horizontal = windowsOver(patch.firstColumn, patch.columns, plan.kernelW, plan.strideW, plan.padLeft,
                                 plan.outWidth, plan.byStrideW);
    }
    patch.firstWindowRow = vertical.first;
    patch.firstWindowColumn = horizontal.first;
    patch.windowRows = max(vertical.end - vertical.first, 0);
    patch.windowColumns = max(horizontal.end - horizontal.first, 0);
    patch.top = vertical.first * plan.strideH - plan.padTop;
    patch.left = horizontal.first * plan.strideW - plan.padLeft;
    return patch;
}

/// The row (column) of src, counted from the patch's first, of one in shared memory.
__device__ __forceinline__ int sourceOf(int inShared, int kernel, int stride, const FastDivision& byKernel) {
    if (stride <= kernel)
        return inShared;
    const int window = static_cast<int>(byKernel.quotient(static_cast<unsigned>(inShared)));
    return inShared + window * (stride - kernel);
}

/// Where a column lies in a row of shared memory.
__device__ __forceinline__ int placeOf(const PatchPlan& plan, int column) {
    return column + plan.skew * (column >> 5);
}

/// Lanes of a row: this one, how many there are, and how far it goes in shared memory when it goes on by so
/// many.
struct RowLanes {
    int lane, count, step;
};

/// Copies a row to shared memory where it lies inside the plane: columns from `left` on of `from`.
__device__ __forceinline__ void copyRow(const PatchPlan& plan, int left, float fill, const float* from,
                                        float* to, const RowLanes& lanes) {
    const int begin = max(-left, 0), end = min(plan.width - left, plan.inputColumns);
    for (int column = lanes.lane; column < begin; column += lanes.count)
        to[placeOf(plan, column)] = fill;
    float* next = to + placeOf(plan, begin + lanes.lane);
#pragma unroll 4
    for (int column = begin + lanes.lane; column < end; column += lanes.count, next += lanes.step)
        __pipeline_memcpy_async(next, from + left + column, sizeof(float));
    for (int column = max(end, begin) + lanes.lane; column < plan.inputColumns; column += lanes.count)
        to[placeOf(plan, column)] = fill;
}

/// The same where columns between windows are left out.
__device__ __forceinline__ void copyStridedRow(const PatchPlan& plan, int left, float fill, const float* from,
                                               float* to, const RowLanes& lanes) {
    for (int column = lanes.lane; column < plan.inputColumns; column += lanes.count) {
        const int x = left + sourceOf(column, plan.kernelW, plan.strideW, plan.byKernelW);
        if (x >= 0 && x < plan.width)
            __pipeline_memcpy_async(to + placeOf(plan, column), from + x, sizeof(float));
        else
            to[placeOf(plan, column)] = fill;
    }
}

/// Begins to copy what the windows of the patch cover, row by row; `fill` where that is padding.
__device__ __forceinline__ void copyRows(const PatchPlan& plan, const Patch& patch, float fill,
                                         float* shared) {
    const int count = 1 << plan.inputLanes;
    const RowLanes lanes{static_cast<int>(threadIdx.x) & (count - 1), count, count + plan.skew};
    const std::int64_t plane = static_cast<std::int64_t>(plan.height) * plan.width;
    const float* first = plan.src + patch.firstPlane * plane;
    for (int line = static_cast<int>(threadIdx.x) >> plan.inputLanes; line < patch.planes * plan.inputRows;
         line += kPatchBlock >> plan.inputLanes) {
        unsigned row = static_cast<unsigned>(line);
        const int inPatch = plan.planes > 1 ? static_cast<int>(plan.byInputRows.split(row)) : 0;
        const int y = patch.top + sourceOf(static_cast<int>(row), plan.kernelH, plan.strideH, plan.byKernelH);
        const float* from = first + inPatch * plane + static_cast<std::int64_t>(y) * plan.width;
        float* to = shared + inPatch * plan.planePitch + static_cast<int>(row) * plan.pitch;
        if (y < 0 || y >= plan.height) {
            for (int column = lanes.lane; column < plan.inputColumns; column += count)
                to[placeOf(plan, column)] = fill;
        } else if (plan.strideW <= plan.kernelW) {
            copyRow(plan, patch.left, fill, from, to, lanes);
        } else {
            copyStridedRow(plan, patch.left, fill, from, to, lanes);
        }
    }
}

/// The same for whole rows that are short, element by element.
__device__ __forceinline__ void copyElements(const PatchPlan& plan, const Patch& patch, float fill,
                                             float* shared) {
    const int top = max(patch.top, 0), bottom = min(patch.top + plan.inputRows, plan.height);
    if (patch.left < 0 || patch.left + plan.inputColumns > plan.width || bottom - top < plan.inputRows) {
        for (int i = threadIdx.x; 4 * i < patch.planes * plan.planePitch; i += kPatchBlock)
            reinterpret_cast<float4*>(shared)[i] = make_float4(fill, fill, fill, fill);
        __syncthreads();
    }
    const std::int64_t plane = static_cast<std::int64_t>(plan.height) * plan.width;
    const float* first = plan.src + patch.firstPlane * plane + static_cast<std::int64_t>(top) * plan.width;
    float* corner = shared + (top - patch.top) * plan.pitch;
    for (int i = threadIdx.x; i < patch.planes * (bottom - top) * plan.width; i += kPatchBlock) {
        unsigned x = static_cast<unsigned>(i), row = plan.byWidth.split(x);
        const int inPatch = plan.planes > 1 ? static_cast<int>(plan.byCopiedRows.split(row)) : 0;
        const int column = static_cast<int>(x) - patch.left;
        if (column < plan.inputColumns)
            __pipeline_memcpy_async(corner + inPatch * plan.planePitch + static_cast<int>(row) * plan.pitch +
                                        placeOf(plan, column),
                                    first + inPatch * plane + static_cast<int>(row) * plan.width +
                                        static_cast<int>(x),
                                    sizeof(float));
    }
}

__device__ __forceinline__ void copyInput(const PatchPlan& plan, const Patch& patch, float fill,
                                          float* shared) {
    if (plan.linear)
        copyElements(plan, patch, fill, shared);
    else
        copyRows(plan, patch, fill, shared);
}

/// How parts of a window are joined. empty() loses to, or changes nothing of, all that is taken in.
struct SumPart {
    float value;
    __device__ __forceinline__ static SumPart empty() { return {0.0F}; }
    __device__ __forceinline__ static SumPart of(float value, int) { return {value}; }
    __device__ __forceinline__ void take(const SumPart& later) { value += later.value; }
};

struct MaxPart {
    float value;
    __device__ __forceinline__ static MaxPart empty() { return {minusInfinity()}; }
    __device__ __forceinline__ static MaxPart of(float value, int) { return {value}; }
    __device__ __forceinline__ void take(const MaxPart& later) {
        if (beats(later.value, value))
            value = later.value;
    }
};

/// Place: row << 16 | column, in shared memory. Nothing where all is minus infinity.
struct PlacePart {
    float value;
    int place;
    __device__ __forceinline__ static PlacePart empty() { return {minusInfinity(), 0}; }
    __device__ __forceinline__ static PlacePart of(float value, int place) { return {value, place}; }
    __device__ __forceinline__ void take(const PlacePart& later) {
        if (beats(later.value, value))
            *this = later;
    }
};

template <class Part, int K>
__device__ __forceinline__ Part reduceWords(const float* at, int place) {
    Part part = Part::of(at[0], place);
#pragma unroll
    for (int i = 1; i < K; ++i)
        part.take(Part::of(at[i], place + i));
    return part;
}

/// One row of a window.
template <class Part>
__device__ __forceinline__ Part reduceLine(const float* at, int width, int place) {
    switch (width) {
    case 1:
        return reduceWords<Part, 1>(at, place);
    case 2:
        return reduceWords<Part, 2>(at, place);
    case 3:
        return reduceWords<Part, 3>(at, place);
    case 4:
        return reduceWords<Part, 4>(at, place);
    case 5:
        return reduceWords<Part, 5>(at, place);
    case 6:
        return reduceWords<Part, 6>(at, place);
    case 7:
        return reduceWords<Part, 7>(at, place);
    case 8:
        return reduceWords<Part, 8>(at, place);
    default:
        break;
    }
    Part part = reduceWords<Part, 9>(at, place);
#pragma unroll 4
    for (int i = 9; i < width; ++i)
        part.take(Part::of(at[i], place + i));
    return part;
}

/// As walkDown(), for windows of K columns; 0: of any number.
template <int Slots, int K, class Part, class Emit>
__device__ __forceinline__ void walkRows(const PatchPlan& plan, const float* at, int place, int windows,
                                         const Emit& emit) {
    Part slots[Slots];
#pragma unroll
    for (int i = 0; i < Slots; ++i)
        slots[i] = Part::empty();
    const int rows = (windows - 1) * plan.stepRows + plan.kernelH, youngest = Slots - plan.overlap;
    int oldest = 1 - plan.overlap, inStep = 0; // no window is complete in the first steps
    for (int row = 0; row < rows; ++row) {
        Part line;
        if constexpr (K > 0)
            line = reduceWords<Part, K>(at, place);
        else
            line = reduceLine<Part>(at, plan.kernelW, place);
        at += plan.pitch;
        place += 1 << 16;
#pragma unroll
        for (int i = 0; i < Slots - 1; ++i)
            slots[i].take(line);
        if (Slots == 1 || inStep < plan.lastRows)
            slots[Slots - 1].take(line);
        ++inStep;
        if (inStep == plan.lastRows && oldest >= 0)
            emit(oldest, slots[Slots - 1]);
        if (inStep == plan.stepRows) {
            inStep = 0;
            ++oldest;
#pragma unroll
            for (int i = Slots - 1; i > 0; --i)
                slots[i] = i == youngest ? Part::empty() : slots[i - 1];
            if (youngest == 0)
                slots[0] = Part::empty();
        }
    }
}

/// Reduces `windows` windows below one another, the first of which begins at `at`, and calls
/// emit(window, part) for each in order. Slots: as many as windows overlap at least; a row is taken into all
/// of them, the oldest last.
template <int Slots, class Part, class Emit>
__device__ __forceinline__ void walkDown(const PatchPlan& plan, const float* at, int place, int windows,
                                         const Emit& emit) {
    if constexpr (Slots <= 3) { // where little is done with a row, it is not asked again how wide it is
        switch (plan.kernelW) {
        case 1:
            return walkRows<Slots, 1, Part>(plan, at, place, windows, emit);
        case 2:
            return walkRows<Slots, 2, Part>(plan, at, place, windows, emit);
        case 3:
            return walkRows<Slots, 3, Part>(plan, at, place, windows, emit);
        case 4:
            return walkRows<Slots, 4, Part>(plan, at, place, windows, emit);
        default:
            break;
        }
    }
    walkRows<Slots, 0, Part>(plan, at, place, windows, emit);
}

/// The part of a window inside the plane, along one axis: [first, end).
__device__ __forceinline__ WindowRange insideOf(int first, int kernel, int size) {
    return {max(first, 0), min(first + kernel, size)};
}

} // namespace heteroscope::compute::nvidia
