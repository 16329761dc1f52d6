// SPDX-License-Identifier: Apache-2.0
// The windows of one lane of a strip: a row is first reduced along each window (maxima with their column, or
// sums), then K such rows make the windows of an output row. Both steps take the first of the largest.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_lanes.cuh"

namespace heteroscope::compute::nvidia {

/// A strip kernel's constants. E: the column, in a quad, where the first of its windows ends.
template <int K, int S, int E, PoolMode M, bool A>
struct StripShape {
    static constexpr int kKernel = K, kStride = S;
    static constexpr bool kMax = M == PoolMode::Max, kAligned = A;
    static constexpr int kWindows = 4 / S;      ///< that end in a quad
    static constexpr int kLeft = K - 1 - E;     ///< columns of the quad to the left that they need
    static constexpr int kCarry = K - S;        ///< rows that a window shares with the next below
    static constexpr int kWarmUp = (K - 1) / S; ///< windows above a row that reach it
    static_assert(4 % S == 0 && K >= S && E < S && kLeft <= 4);
    __device__ static constexpr float fill() { return kMax ? -__builtin_huge_valf() : 0.0F; }
};

/// The part of a window in one row (place: column in the window) or all of it (place: row * K + column).
using Part = Found<int>;

/// Where the windows of a lane lie in the plane.
template <class Shape>
struct LaneWindows {
    int output;                       ///< column of the first in dst
    int firstColumn[Shape::kWindows]; ///< in the window, inside the plane
    int columns[Shape::kWindows];     ///< inside the plane
    bool exists[Shape::kWindows];

    __device__ __forceinline__ LaneWindows(const StripPlan& plan, const Lane& lane) {
        const int start = lane.column - Shape::kLeft;
        output = (start + plan.padLeft) / Shape::kStride; // a multiple of the stride, also below 0
#pragma unroll
        for (int i = 0; i < Shape::kWindows; ++i) {
            const int left = start + Shape::kStride * i;
            firstColumn[i] = max(0, -left);
            columns[i] = min(left + Shape::kKernel, plan.width) - max(left, 0);
            exists[i] = output + i >= 0 && output + i < plan.outWidth;
        }
    }
};

template <class Shape>
struct PartRow {
    Part window[Shape::kWindows];
};

/// One row along each window of the lane. Padding is minus infinity here and loses to all but its like;
/// reduceWindow() sees to those.
template <class Shape>
__device__ __forceinline__ PartRow<Shape> reduceRow(float4 quad, const Lane& lane) {
    const float own[4] = {quad.x, quad.y, quad.z, quad.w};
    float x[Shape::kLeft + 4];
#pragma unroll
    for (int i = 0; i < Shape::kLeft; ++i)
        x[i] = fromLeft(own[4 - Shape::kLeft + i], Shape::fill(), lane);
#pragma unroll
    for (int i = 0; i < 4; ++i)
        x[Shape::kLeft + i] = own[i];
    PartRow<Shape> row;
#pragma unroll
    for (int i = 0; i < Shape::kWindows; ++i) {
        Part best{x[Shape::kStride * i], 0};
#pragma unroll
        for (int c = 1; c < Shape::kKernel; ++c) {
            const float value = x[Shape::kStride * i + c];
            if constexpr (!Shape::kMax)
                best.value += value;
            else if (beats(value, best.value))
                best = {value, c};
        }
        row.window[i] = best;
    }
    return row;
}

/// The rows of a window that lie in the plane.
struct RowRange {
    int first, count; ///< first: in the window
};

template <class Shape>
__device__ __forceinline__ RowRange rowRange(const StripPlan& plan, int step) {
    const int top = step * Shape::kStride - plan.padTop;
    return {max(0, -top), min(top + Shape::kKernel, plan.height) - max(top, 0)};
}

/// Window i out of its rows: the maximum and its place, or the sum.
template <class Shape>
__device__ __forceinline__ Part reduceWindow(const PartRow<Shape> (&rows)[Shape::kKernel], int i,
                                             RowRange inside, int firstColumn) {
    Part best = rows[0].window[i];
#pragma unroll
    for (int r = 1; r < Shape::kKernel; ++r) {
        const Part part = rows[r].window[i];
        if constexpr (!Shape::kMax)
            best.value += part.value;
        else if (beats(part.value, best.value))
            best = {part.value, r * Shape::kKernel + part.place};
    }
    // Where all is minus infinity, padding came first; anything else lies behind the first element inside.
    best.place = max(best.place, inside.first * Shape::kKernel + firstColumn);
    return best;
}

/// Whether a padded zero is larger than the maximum of what is inside.
template <class Shape>
__device__ __forceinline__ bool zeroPadWins(const StripPlan& plan, RowRange rows, int columns,
                                            float maximum) {
    return plan.zeroPad && (rows.count < Shape::kKernel || columns < Shape::kKernel) && maximum < 0.0F;
}

template <class Shape>
__device__ __forceinline__ float divisor(const StripPlan& plan, RowRange rows, int columns) {
    return static_cast<float>(plan.countPad ? Shape::kKernel * Shape::kKernel : rows.count * columns);
}

/// The lane's quads of src from row `row` on.
template <class Shape>
class SrcReader {
  public:
    __device__ __forceinline__ SrcReader(const StripPlan& plan, const Lane& lane, int row)
        : m_rows(start(plan, lane, row), row, plan.width, plan.height, wanted(plan, lane), Shape::fill()),
          m_inside(lane.column < 0 ? 0 : plan.width - lane.column),
          m_cut(plan.cutColumns) {
        if constexpr (!Shape::kAligned)
            m_rows.keepInside(plan.src, plan.src + plan.planes * plan.height * plan.width,
                              lane.plane == 0 || lane.plane == plan.planes - 1);
    }

    __device__ __forceinline__ float4 read() { return m_rows.read(); }

    __device__ __forceinline__ PartRow<Shape> reduce(float4 quad, const Lane& lane) {
        quad = m_rows.complete(quad);
        if (!Shape::kAligned && m_cut) {
            constexpr float fill = Shape::fill();
            quad = make_float4(m_inside > 0 ? quad.x : fill, m_inside > 1 ? quad.y : fill,
                               m_inside > 2 ? quad.z : fill, m_inside > 3 ? quad.w : fill);
        }
        return reduceRow<Shape>(quad, lane);
    }

  private:
    __device__ __forceinline__ static const float* start(const StripPlan& plan, const Lane& lane, int row) {
        return plan.src + (lane.plane * plan.height + row) * plan.width + lane.column;
    }
    /// Lanes just behind the plane hold the end of rows that are not aligned.
    __device__ __forceinline__ static bool wanted(const StripPlan& plan, const Lane& lane) {
        return lane.active && lane.column >= 0 && lane.column < plan.width + (Shape::kAligned ? 0 : 3);
    }

    RowReader<Shape::kAligned> m_rows;
    int m_inside; ///< columns of the quad and behind it
    bool m_cut;
};

} // namespace heteroscope::compute::nvidia
