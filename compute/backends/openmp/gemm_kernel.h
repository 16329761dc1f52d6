// SPDX-License-Identifier: Apache-2.0
// The inner loops of products of matrices on vectors of type S: tiles that are held in registers over a block
// of the depth, sums of products of two contiguous lines, and what lays operands out for them.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/simd_vec4.h"

#include <cstdint>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kLineFloats = 16; ///< of a cache line
/// Rows of B that a tile asks for before it needs them: some 100 cycles, what the second cache takes several
/// times over.
constexpr std::int64_t kRowsAhead = 8;

/// Registers that hold a tile of `rows` rows: all but those for one row of B, or one column of A where that
/// is shorter, and one more.
template <class S>
constexpr int gemmVectors(int rows) {
    const int most = S::kGemmRows * 2 / rows;
    return most < GemmKernels::kMostVectors ? most : GemmKernels::kMostVectors;
}

/// The last vector of a row that does not fill it.
template <class S>
[[gnu::noinline]] void storeGemmTail(typename S::V sum, float* c, const float* start, std::int64_t count) {
    if (start != nullptr)
        sum = S::add(sum, S::loadInside(start, 0, count, S::set(0.0F)));
    S::storeFirst(c, sum, count);
}

template <class S, int Rows, int Vectors>
inline void multiplyDepth(const GemmTileRun& run, typename S::V (&sum)[Rows][Vectors]) {
    const float *a = run.a, *b = run.b;
    for (std::int64_t p = 0; p < run.depth; ++p, a += Rows, b += run.bStride) {
#pragma GCC unroll 16
        for (std::int64_t x = 0; x < Vectors * S::kWidth; x += kLineFloats)
            __builtin_prefetch(b + kRowsAhead * run.bStride + x);
        if constexpr (Rows < Vectors) {
            typename S::V factor[Rows];
#pragma GCC unroll 16
            for (int i = 0; i < Rows; ++i)
                factor[i] = S::set(a[i]);
#pragma GCC unroll 16
            for (int v = 0; v < Vectors; ++v) {
                const typename S::V column = S::load(b + v * S::kWidth);
#pragma GCC unroll 16
                for (int i = 0; i < Rows; ++i)
                    sum[i][v] = S::multiplyAdd(factor[i], column, sum[i][v]);
            }
        } else {
            typename S::V column[Vectors];
#pragma GCC unroll 16
            for (int v = 0; v < Vectors; ++v)
                column[v] = S::load(b + v * S::kWidth);
#pragma GCC unroll 16
            for (int i = 0; i < Rows; ++i) {
                const typename S::V factor = S::set(a[i]);
#pragma GCC unroll 16
                for (int v = 0; v < Vectors; ++v)
                    sum[i][v] = S::multiplyAdd(factor, column[v], sum[i][v]);
            }
        }
    }
}

/// Asks for the tile's lines of C before the sums are made: they come from far, and rows of a large matrix
/// lie on different pages. To the second cache: rows whose distance is a power of two would drive each other
/// and the operands out of the first.
template <class S, int Rows, int Vectors>
inline void fetchTile(const GemmTileRun& run) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 16
        for (std::int64_t x = 0; x < Vectors * S::kWidth; x += kLineFloats)
            __builtin_prefetch(run.c + i * run.ldc + x, 1, 2);
}

template <class S, int Rows, int Vectors>
void gemmTile(const GemmTileRun& run) {
    typename S::V sum[Rows][Vectors];
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
            sum[i][v] = S::set(0.0F);
    fetchTile<S, Rows, Vectors>(run);
    multiplyDepth<S, Rows, Vectors>(run, sum);
    constexpr std::int64_t last = (Vectors - 1) * S::kWidth;
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
        float* c = run.c + i * run.ldc;
        const float* start = run.start == nullptr ? nullptr : run.start + i * run.startStride;
        const bool whole = run.columns >= Vectors * S::kWidth;
#pragma GCC unroll 16
        for (int v = 0; v < Vectors - 1; ++v) {
            if (start != nullptr)
                sum[i][v] = S::add(sum[i][v], S::load(start + v * S::kWidth));
            S::store(c + v * S::kWidth, sum[i][v]);
        }
        if (!whole) {
            storeGemmTail<S>(sum[i][Vectors - 1], c + last, start == nullptr ? nullptr : start + last,
                             run.columns - last);
            continue;
        }
        if (start != nullptr)
            sum[i][Vectors - 1] = S::add(sum[i][Vectors - 1], S::load(start + last));
        S::store(c + last, sum[i][Vectors - 1]);
    }
}

/// Sums of products along the depth; the lanes of a vector are added at the end, always in the same order.
template <class S, int Rows, int Columns>
void gemmDot(std::int64_t depth, const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
             float* sums) {
    typename S::V total[Rows][GemmKernels::kDotColumns];
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < GemmKernels::kDotColumns; ++j)
            total[i][j] = S::set(0.0F);
    const auto step = [&](const auto& load) {
        typename S::V right[Columns];
#pragma GCC unroll 4
        for (int j = 0; j < Columns; ++j)
            right[j] = load(b + j * ldb);
#pragma GCC unroll 4
        for (int i = 0; i < Rows; ++i) {
            const typename S::V left = load(a + i * lda);
#pragma GCC unroll 4
            for (int j = 0; j < Columns; ++j)
                total[i][j] = S::multiplyAdd(left, right[j], total[i][j]);
        }
    };
    std::int64_t p = 0;
    for (; p + S::kWidth <= depth; p += S::kWidth)
        step([p](const float* line) { return S::load(line + p); });
    if (p < depth)
        step([p, depth](const float* line) { return S::loadInside(line + p, 0, depth - p, S::set(0.0F)); });
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i)
        S::sumsOfVectors(total[i][0], total[i][1], total[i][2], total[i][3],
                         sums + std::ptrdiff_t{i} * GemmKernels::kDotColumns);
}

/// Two of eight lines that follow `next`, at depth p: all of them at each line of the caches.
inline void fetchLines(const float* next, std::int64_t stride, std::int64_t p) {
    const float* line = next + p / 4 % 4 * 2 * stride + p / kLineFloats * kLineFloats;
    __builtin_prefetch(line);
    __builtin_prefetch(line + stride);
}

/// to[p width + x] = from[x stride + p]: lines that are contiguous along the depth. What `count` lines leave
/// of a group of `width` becomes zero. Asks for the `count` lines after them, which mostly come next.
template <class S>
void packTransposed(std::int64_t count, std::int64_t depth, const float* from, std::int64_t stride, float* to,
                    std::int64_t width) {
    const std::int64_t whole = depth / 4 * 4;
    std::int64_t x = 0;
    for (; x + S::kTransposed <= count; x += S::kTransposed) {
        const float* const line = from + x * stride;
        for (std::int64_t p = 0; p < whole; p += 4) {
            fetchLines(line + count * stride, stride, p);
            S::transpose(line + p, stride, to + p * width + x, width);
        }
    }
    // The last four lines, some of which may be done already.
    for (; x < count && count >= 4; x += 4) {
        const std::int64_t first = x + 4 <= count ? x : count - 4;
        const float* const line = from + first * stride;
        for (std::int64_t p = 0; p < whole; p += 4) {
            fetchLines(line + count * stride, stride, p);
            transpose4x4(line + p, stride, to + p * width + first, width);
        }
    }
    for (std::int64_t p = count >= 4 ? whole : 0; p < depth; ++p)
        for (std::int64_t i = 0; i < count; ++i)
            to[p * width + i] = from[i * stride + p];
    for (std::int64_t p = 0; count < width && p < depth; ++p)
        for (std::int64_t i = count; i < width; ++i)
            to[p * width + i] = 0.0F;
}

/// to[p width + x] = from[p stride + x]: short lines across the depth.
template <class S>
void packLines(std::int64_t count, std::int64_t depth, const float* from, std::int64_t stride, float* to) {
    for (std::int64_t p = 0; p < depth; ++p) {
        std::int64_t x = 0;
        for (; x + 4 <= count; x += 4)
            copyVec4(from + p * stride + x, to + p * count + x);
        for (; x < count; ++x)
            to[p * count + x] = from[p * stride + x];
    }
}

/// Panels of two vectors of columns, `panelStride` floats from panel to panel, out of lines that are
/// contiguous across the depth; zeros beyond the last column. Line by line, because these may be pages apart.
template <class S>
void packPanels(std::int64_t columns, std::int64_t depth, const float* from, std::int64_t stride, float* to,
                std::int64_t panelStride) {
    constexpr std::int64_t width = 2 * S::kWidth;
    for (std::int64_t p = 0; p < depth; ++p, from += stride, to += width) {
        std::int64_t j = 0;
        float* panel = to;
        for (; j + width <= columns; j += width, panel += panelStride) {
            for (std::int64_t x = 0; x < width; x += kLineFloats)
                __builtin_prefetch(from + 4 * stride + j + x);
            S::store(panel, S::load(from + j));
            S::store(panel + S::kWidth, S::load(from + j + S::kWidth));
        }
        if (j == columns)
            continue;
        const std::int64_t left = columns - j;
        const typename S::V zero = S::set(0.0F);
        S::store(panel, S::loadInside(from + j, 0, left, zero));
        S::store(panel + S::kWidth, S::loadInside(from + j + S::kWidth, 0, left - S::kWidth, zero));
    }
}

} // namespace
} // namespace heteroscope::compute::openmp
