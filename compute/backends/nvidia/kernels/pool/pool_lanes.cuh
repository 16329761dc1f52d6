// SPDX-License-Identifier: Apache-2.0
// What the lanes of a strip share: where they are, rows read and written as aligned 16-byte vectors whatever
// the alignment of the row, and values of neighbours.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_strip.h"

namespace heteroscope::compute::nvidia {

/// Where one lane works.
struct Lane {
    int index, count; ///< in its strip
    int column;       ///< first of its quad; outside the plane in lanes that only help
    int begin, end;   ///< columns of the quads that this strip owns; end is not cut at the width
    int firstStep;    ///< of the band
    std::int64_t plane;
    bool active; ///< whether there is such a strip
};

__device__ __forceinline__ Lane findLane(const StripPlan& plan, std::int64_t block) {
    Lane lane;
    const int inWarp = static_cast<int>(threadIdx.x) % 32, inStrips = inWarp / plan.lanes;
    lane.count = plan.lanes;
    lane.index = inWarp - inStrips * plan.lanes;
    const std::int64_t warp = block * (kStripBlock / 32) + static_cast<int>(threadIdx.x) / 32;
    const std::int64_t strip = warp * plan.together + inStrips;
    lane.active = inStrips < plan.together && strip < plan.strips;
    std::int64_t above;
    int tile, band;
    if (plan.strips <= 0x7fffffff) { // a division of 64 bits costs several times as much
        const unsigned at = static_cast<unsigned>(strip), tiles = plan.columnStrips, bands = plan.bands;
        tile = static_cast<int>(at % tiles);
        band = static_cast<int>(at / tiles % bands);
        above = at / tiles / bands;
    } else {
        tile = static_cast<int>(strip % plan.columnStrips);
        above = strip / plan.columnStrips;
        band = static_cast<int>(above % plan.bands);
        above /= plan.bands;
    }
    lane.plane = lane.active ? above : 0;
    lane.firstStep = band * plan.bandSteps;
    lane.begin = 4 * tile * plan.quads;
    lane.end = lane.begin + 4 * plan.quads;
    lane.column = lane.begin + 4 * (lane.index - plan.lanesBefore);
    return lane;
}

/// The value of the lane to the left; `edge` in the strip's first lane.
__device__ __forceinline__ float fromLeft(float value, float edge, const Lane& lane) {
    const float other = __shfl_up_sync(0xffffffffU, value, 1);
    return lane.index == 0 ? edge : other;
}

template <class T>
__device__ __forceinline__ T fromRight(T value, T edge, const Lane& lane) {
    const T other = __shfl_down_sync(0xffffffffU, value, 1);
    return lane.index == lane.count - 1 ? edge : other;
}

/// How many elements `at` lies behind a multiple of 16 bytes.
__device__ __forceinline__ int misalignment(const float* at) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(at) >> 2) & 3;
}

/// Elements first .. first + 3 of seven, without an index into registers.
__device__ __forceinline__ float4 fourOf(const float (&e)[7], int first) {
    const bool two = (first & 2) != 0, one = (first & 1) != 0;
    float f[5];
#pragma unroll
    for (int i = 0; i < 5; ++i)
        f[i] = two ? e[i + 2] : e[i];
    return make_float4(one ? f[1] : f[0], one ? f[2] : f[1], one ? f[3] : f[2], one ? f[4] : f[3]);
}

/// Walks down a lane's quad in the rows of a plane. Rows are read as the aligned 16 bytes that hold the
/// quad's first element; where rows are not aligned, the rest comes from the lane to the right.
template <bool Aligned>
class RowReader {
  public:
    /// `at`: the quad in row `row`; both may lie outside the plane, which has `height` rows. A lane that does
    /// not want its quad gets `fill` everywhere, all lanes get it outside the rows.
    __device__ __forceinline__ RowReader(const float* at, int row, int width, int height, bool wanted,
                                         float fill)
        : m_at(at),
          m_width(width),
          m_row(row),
          m_height(wanted ? height : 0),
          m_fill(fill),
          m_shift(misalignment(at)) {}

    /// Which elements of the tensor may be read, for lanes of its first and last plane.
    __device__ __forceinline__ void keepInside(const float* tensor, const float* end, bool atEdge) {
        m_tensor = tensor;
        m_end = end;
        m_atEdge = atEdge;
    }

    /// The next row's 16 bytes, to be completed by complete().
    __device__ __forceinline__ float4 read() {
        float4 quad = make_float4(m_fill, m_fill, m_fill, m_fill);
        const float* at = m_at;
        const bool wanted = static_cast<unsigned>(m_row) < static_cast<unsigned>(m_height);
        m_at += m_width;
        ++m_row;
        if constexpr (Aligned) {
            if (wanted)
                quad = __ldg(reinterpret_cast<const float4*>(at));
            return quad;
        }
        at -= misalignment(at);
        if (wanted) {
            if (m_atEdge && (at < m_tensor || at + 4 > m_end))
                quad = readInside(at);
            else
                quad = __ldg(reinterpret_cast<const float4*>(at));
        }
        return quad;
    }

    /// The quad out of what read() gave, row after row. All lanes take part. The last lane of a strip gets
    /// nonsense.
    __device__ __forceinline__ float4 complete(float4 quad) {
        if constexpr (Aligned)
            return quad;
        const float e[7] = {quad.x,          quad.y,          quad.z,         quad.w,
                            ofRight(quad.x), ofRight(quad.y), ofRight(quad.z)};
        quad = fourOf(e, m_shift);
        m_shift = (m_shift + m_width) & 3;
        return quad;
    }

  private:
    __device__ __forceinline__ static float ofRight(float value) {
        return __shfl_down_sync(0xffffffffU, value, 1);
    }

    __device__ __forceinline__ float4 readInside(const float* at) const {
        const auto element = [&](int i) {
            return at + i >= m_tensor && at + i < m_end ? __ldg(at + i) : m_fill;
        };
        return make_float4(element(0), element(1), element(2), element(3));
    }

    const float* m_at;
    const float *m_tensor = nullptr, *m_end = nullptr;
    int m_width, m_row, m_height;
    float m_fill;
    int m_shift;
    bool m_atEdge = false;
};

/// Writes a lane's quad in row after row, where it lies in columns [begin, end): aligned vectors where there
/// are any, for which each lane takes over the last elements of the lane to its left.
template <bool Aligned>
class RowWriter {
  public:
    /// `at`: element `column` of row `row`; rows [firstRow, endRow) are written.
    __device__ __forceinline__ RowWriter(float* at, int row, int width, int firstRow, int endRow, int column,
                                         int begin, int end)
        : m_at(at),
          m_width(width),
          m_row(row - firstRow),
          m_rows(endRow - firstRow),
          m_column(column),
          m_begin(begin),
          m_end(end) {
        if (Aligned && (column < begin || column >= end))
            m_rows = 0;
    }

    /// All lanes take part.
    __device__ __forceinline__ void write(float4 quad) {
        float* at = m_at;
        const bool wanted = m_row >= 0 && m_row < m_rows;
        m_at += m_width;
        ++m_row;
        if constexpr (Aligned) {
            if (wanted)
                __stcs(reinterpret_cast<float4*>(at), quad);
            return;
        }
        const float e[7] = {ofLeft(quad.y), ofLeft(quad.z), ofLeft(quad.w), quad.x, quad.y, quad.z, quad.w};
        const int shift = misalignment(at);
        if (wanted)
            writeInside(at - shift, fourOf(e, 3 - shift), m_column - shift);
    }

  private:
    __device__ __forceinline__ static float ofLeft(float value) {
        return __shfl_up_sync(0xffffffffU, value, 1);
    }

    __device__ __forceinline__ void writeInside(float* at, float4 quad, int column) const {
        if (column >= m_begin && column + 3 < m_end) {
            __stcs(reinterpret_cast<float4*>(at), quad);
            return;
        }
        const float element[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (column + i >= m_begin && column + i < m_end)
                __stcs(at + i, element[i]);
        }
    }

    float* m_at;
    int m_width, m_row, m_rows, m_column, m_begin, m_end;
};

} // namespace heteroscope::compute::nvidia
