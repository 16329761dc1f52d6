// SPDX-License-Identifier: Apache-2.0
// One window of any size and place, reduced by one thread or by the 32 lanes of a warp.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_any.h"
#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"

#include <algorithm>
#include <cstdint>

namespace heteroscope::compute::nvidia {

inline constexpr int kAnyBlock = 256;               ///< threads a block
inline constexpr std::int64_t kAnyBlocks = 1 << 22; ///< at most; a block then takes several pieces of work

/// Everything the kernels are told. Index: int where a plane and all sums of its extents fit, which is far
/// cheaper.
template <class Index>
struct AnyPlan {
    const float* src = nullptr;
    const float* dstGrad = nullptr; ///< backward only
    float* result = nullptr;        ///< dst or srcGrad
    std::int64_t planes = 0;
    Index height, width, outHeight, outWidth, kernelH, kernelW, strideH, strideW, padTop, padLeft;
    bool zeroPad, countPad;

    __host__ __device__ std::int64_t plane() const { return static_cast<std::int64_t>(height) * width; }
    __host__ __device__ std::int64_t outPlane() const {
        return static_cast<std::int64_t>(outHeight) * outWidth;
    }
};

template <class Index>
AnyPlan<Index> planAny(const PoolParams& params, const Shape4& src) {
    const Shape4 out = *poolOutputShape(params, src);
    const auto index = [](std::int64_t value) { return static_cast<Index>(value); };
    AnyPlan<Index> plan;
    plan.planes = src.n * src.c;
    plan.height = index(src.h);
    plan.width = index(src.w);
    plan.outHeight = index(out.h);
    plan.outWidth = index(out.w);
    plan.kernelH = index(params.kernel.h);
    plan.kernelW = index(params.kernel.w);
    plan.strideH = index(std::min(params.stride.h, src.h + params.kernel.h)); // a longer one changes nothing
    plan.strideW = index(std::min(params.stride.w, src.w + params.kernel.w));
    plan.padTop = index(params.padding.top);
    plan.padLeft = index(params.padding.left);
    plan.zeroPad = params.padValue == PadValue::Zero;
    plan.countPad = params.countIncludePad;
    return plan;
}

/// Whether AnyPlan<int> will do.
inline bool fitsInt(const PoolParams& params, const Shape4& src) {
    constexpr std::int64_t most = 1 << 28;
    return src.h < most && src.w < most && params.kernel.h < most && params.kernel.w < most &&
           src.h * src.w < (std::int64_t{1} << 31);
}

/// Quotient and remainder of numbers that are not negative; 32-bit division where it will do.
struct Divided {
    std::int64_t quotient, remainder;
};

__device__ __forceinline__ Divided divide(std::int64_t a, std::int64_t b) {
    if (((a | b) >> 31) == 0) {
        const auto quotient = static_cast<unsigned>(a) / static_cast<unsigned>(b);
        return {quotient, static_cast<unsigned>(a) - quotient * static_cast<unsigned>(b)};
    }
    return {a / b, a % b};
}

/// The part of a window that lies in the plane: half-open.
template <class Index>
struct Rectangle {
    Index top, bottom, left, right;
    __device__ __forceinline__ std::int64_t elements() const {
        return static_cast<std::int64_t>(bottom - top) * (right - left);
    }
};

template <class Index>
__device__ __forceinline__ Rectangle<Index> windowAt(const AnyPlan<Index>& plan, Index row, Index column) {
    const Index top = row * plan.strideH - plan.padTop, left = column * plan.strideW - plan.padLeft;
    return {max(top, Index{0}), min(top + plan.kernelH, plan.height), max(left, Index{0}),
            min(left + plan.kernelW, plan.width)};
}

template <class Index>
__device__ __forceinline__ std::int64_t windowArea(const AnyPlan<Index>& plan) {
    return static_cast<std::int64_t>(plan.kernelH) * plan.kernelW;
}

template <class Index>
__device__ __forceinline__ bool zeroPadWins(const AnyPlan<Index>& plan, const Rectangle<Index>& window,
                                            float maximum) {
    return plan.zeroPad && window.elements() < windowArea(plan) && maximum < 0.0F;
}

template <class Index>
__device__ __forceinline__ float divisor(const AnyPlan<Index>& plan, const Rectangle<Index>& window) {
    return static_cast<float>(plan.countPad ? windowArea(plan) : window.elements());
}

/// The better of two parts of one window: NaN before numbers, then the larger, then the one that comes first.
template <class Index>
__device__ __forceinline__ Found<Index> better(Found<Index> a, Found<Index> b) {
    const bool aNan = a.value != a.value, bNan = b.value != b.value;
    const bool same = aNan || bNan ? aNan == bNan : a.value == b.value;
    const bool bWins = same ? b.place < a.place : bNan || (!aNan && b.value > a.value);
    return bWins ? b : a;
}

/// The maximum and its place in the plane, found by the calling thread.
template <class Index>
__device__ __forceinline__ Found<Index> maximumOf(const Rectangle<Index>& window, const float* plane,
                                                  Index width) {
    Found<Index> best{minusInfinity(), window.top * width + window.left};
    for (Index row = window.top; row < window.bottom; ++row) {
        const Index before = row * width;
#pragma unroll 4
        for (Index column = window.left; column < window.right; ++column) {
            const float value = plane[before + column];
            if (beats(value, best.value))
                best = {value, before + column};
        }
    }
    return best;
}

/// The same by all lanes of a warp together; each gets the result.
template <class Index>
__device__ __forceinline__ Found<Index> maximumByWarp(const Rectangle<Index>& window, const float* plane,
                                                      Index width) {
    constexpr Index nowhere =
        sizeof(Index) == 4 ? static_cast<Index>(INT32_MAX) : static_cast<Index>(INT64_MAX);
    Found<Index> best{minusInfinity(), nowhere};
    const Index columns = window.right - window.left, lane = threadIdx.x % 32;
    Index row = window.top + lane / columns, column = window.left + lane % columns;
    while (row < window.bottom) {
        const float value = plane[row * width + column];
        if (beats(value, best.value) || best.place == nowhere)
            best = {value, row * width + column};
        for (column += 32; column >= window.right; column -= columns)
            ++row;
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        best = better<Index>(best, {__shfl_xor_sync(0xffffffffU, best.value, step),
                                    __shfl_xor_sync(0xffffffffU, best.place, step)});
    return best;
}

/// Rows are summed apart, so that the rounding errors of a large window stay small.
template <class Index>
__device__ __forceinline__ float sumOf(const Rectangle<Index>& window, const float* plane, Index width) {
    float sum = 0.0F;
    for (Index row = window.top; row < window.bottom; ++row) {
        float rowSum = 0.0F;
#pragma unroll 4
        for (Index column = window.left; column < window.right; ++column)
            rowSum += plane[row * width + column];
        sum += rowSum;
    }
    return sum;
}

template <class Index>
__device__ __forceinline__ float sumByWarp(const Rectangle<Index>& window, const float* plane, Index width) {
    const Index columns = window.right - window.left, lane = threadIdx.x % 32;
    Index row = window.top + lane / columns, column = window.left + lane % columns;
    float sum = 0.0F;
    while (row < window.bottom) {
        sum += plane[row * width + column];
        for (column += 32; column >= window.right; column -= columns)
            ++row;
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffU, sum, step);
    return sum;
}

} // namespace heteroscope::compute::nvidia
