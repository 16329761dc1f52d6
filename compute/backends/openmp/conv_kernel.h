// SPDX-License-Identifier: Apache-2.0
// The inner tiles of convolution on vectors of type S. Input elements are read where they lie: a window's
// element of 32 neighbouring outputs is 32 neighbouring inputs, at an offset that is the same for all of
// them.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/simd_vec4.h"

#include <cstdint>

namespace heteroscope::compute::openmp {
namespace {

/// Rows outputs by two vectors of columns: c = start + sum over p of a[p][row] b[offsets[p] + column].
template <class S, int Rows>
void convTile(std::int64_t depth, const float* a, const float* b, const std::int64_t* offsets,
              const float* start, float* c, std::int64_t ldc, bool add) {
    typename S::V low[Rows], high[Rows];
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
        low[i] = high[i] = S::set(start != nullptr ? start[i] : 0.0F);
    for (std::int64_t p = 0; p < depth; ++p, a += Rows) {
        const float* at = b + offsets[p];
        const typename S::V b0 = S::load(at), b1 = S::load(at + S::kWidth);
#pragma GCC unroll 16
        for (int i = 0; i < Rows; ++i) {
            const typename S::V factor = S::set(a[i]);
            low[i] = S::multiplyAdd(factor, b0, low[i]);
            high[i] = S::multiplyAdd(factor, b1, high[i]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
        float* row = c + i * ldc;
        if (add) {
            low[i] = S::add(low[i], S::load(row));
            high[i] = S::add(high[i], S::load(row + S::kWidth));
        }
        S::store(row, low[i]);
        S::store(row + S::kWidth, high[i]);
    }
}

/// The sum of a vector's elements, always in the same order.
template <class S>
float sumOfLanes(typename S::V v) {
    alignas(64) float lanes[S::kWidth];
    S::store(lanes, v);
    for (int half = S::kWidth / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

/// sums[i][j] = sum over images and places of a[aOffsets[i] + place] b[bOffsets[j] + place].
template <class S, int Rows, int Columns>
void convWeightTile(const WeightRuns& runs, const std::int64_t* aOffsets, const std::int64_t* bOffsets,
                    float* sums) {
    typename S::V total[Rows][Columns];
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < Columns; ++j)
            total[i][j] = S::set(0.0F);
    for (std::int64_t image = 0; image < runs.images; ++image) {
        const float *a = runs.a + image * runs.aImage, *b = runs.b + image * runs.bImage;
        for (std::int64_t place = 0; place < runs.places; place += S::kWidth) {
            typename S::V row[Rows];
#pragma GCC unroll 8
            for (int i = 0; i < Rows; ++i)
                row[i] = S::load(a + aOffsets[i] + place);
#pragma GCC unroll 8
            for (int j = 0; j < Columns; ++j) {
                const typename S::V column = S::load(b + bOffsets[j] + place);
#pragma GCC unroll 8
                for (int i = 0; i < Rows; ++i)
                    total[i][j] = S::multiplyAdd(row[i], column, total[i][j]);
            }
        }
    }
    for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j)
            sums[i * Columns + j] = sumOfLanes<S>(total[i][j]);
}

template <class S, int Rows, int Vectors>
void blockedTile(const BlockedTile& tile) {
    constexpr std::int64_t line = 2 * S::kWidth;
    typename S::V sum[Rows][Vectors];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            sum[r][v] = S::load((tile.start != nullptr ? tile.start : tile.sums + r * line) + v * S::kWidth);
    const float* weights = tile.weights;
    for (std::int64_t p = 0; p < tile.depth; ++p, weights += line) {
        const float* at = tile.input + tile.offsets[p];
        typename S::V filters[Vectors];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            filters[v] = S::load(weights + v * S::kWidth);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
            const typename S::V factor = S::set(at[r]);
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v)
                sum[r][v] = S::multiplyAdd(factor, filters[v], sum[r][v]);
        }
    }
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            S::store(tile.sums + r * line + v * S::kWidth, sum[r][v]);
}

template <class S>
void blockedStore(const BlockedStore& s) {
    constexpr std::int64_t line = 2 * S::kWidth;
    std::int64_t f = 0;
    for (; s.rows >= 4 && f + 4 <= s.filters; f += 4)
        for (std::int64_t r = 0; r < s.rows; r += 4) { // the last four, some of which may be there already
            const std::int64_t first = r + 4 <= s.rows ? r : s.rows - 4;
            transpose4x4(s.sums + first * line + f, line, s.to + f * s.plane + first, s.plane);
        }
    for (; f < s.filters; ++f)
        for (std::int64_t r = 0; r < s.rows; ++r)
            s.to[f * s.plane + r] = s.sums[r * line + f];
}

template <class S, int Rows>
void depthwiseTile(const DepthwiseTile& tile) {
    for (std::int64_t x = 0; x < tile.columns; x += S::kWidth) {
        typename S::V sum[Rows];
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r)
            sum[r] = S::set(tile.start);
        for (std::int64_t t = 0; t < tile.taps; ++t) {
            const float* at = tile.base + tile.offsets[t] + x;
            const typename S::V weight = S::set(tile.weights[t]);
#pragma GCC unroll 4
            for (int r = 0; r < Rows; ++r)
                sum[r] = S::multiplyAdd(weight, S::load(at + r * tile.rowStride), sum[r]);
        }
        const std::int64_t left = tile.columns - x;
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
            float* to = tile.dst + r * tile.dstStride + x;
            if (left >= S::kWidth)
                S::store(to, sum[r]);
            else
                S::storeFirst(to, sum[r], left);
        }
    }
}

/// `from`: a row of the plane.
template <class S>
void depthwiseLine(const DepthwiseLines& lines, const float* from, float* to) {
    const auto load = [&](std::int64_t at) {
        if (at >= 0 && at + S::kWidth <= lines.w)
            return S::load(from + at);
        return S::loadInside(from + at, -at, lines.w - at, S::set(0.0F));
    };
    if (lines.stride == 1) {
        for (std::int64_t c = 0; c < lines.part; c += S::kWidth)
            S::store(to + c, load(c - lines.left));
    } else if (lines.stride == 2) {
        for (std::int64_t c = 0; c < lines.part; c += S::kWidth) {
            const std::int64_t at = 2 * c - lines.left;
            const typename S::V low = load(at), high = load(at + S::kWidth);
            S::store(to + c, S::even(low, high));
            S::store(to + lines.part + c, S::odd(low, high));
        }
    } else {
        for (std::int64_t c = 0; c < lines.stride * lines.part; ++c) {
            const std::int64_t at = c % lines.part * lines.stride + c / lines.part - lines.left;
            to[c] = at >= 0 && at < lines.w ? from[at] : 0.0F;
        }
    }
}

template <class S>
void depthwiseLines(const DepthwiseLines& lines) {
    const std::int64_t width = lines.stride * lines.part;
    float* to = lines.to;
    for (std::int64_t row = lines.first; row < lines.first + lines.count; ++row, to += width) {
        if (row >= 0 && row < lines.h) {
            depthwiseLine<S>(lines, lines.from + row * lines.w, to);
            continue;
        }
        for (std::int64_t c = 0; c < width; c += S::kWidth)
            S::store(to + c, S::set(0.0F));
    }
}

} // namespace
} // namespace heteroscope::compute::openmp
