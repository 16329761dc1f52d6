// SPDX-License-Identifier: Apache-2.0
// Puts the kernels of one vector type into a table, and the copy that goes past the caches.
#pragma once

#include "compute/backends/openmp/conv_kernel.h"
#include "compute/backends/openmp/gemm_kernel.h"
#include "compute/backends/openmp/loop_kernels.h"
#include "compute/backends/openmp/pool_backward.h"
#include "compute/backends/openmp/pool_pairs.h"
#include "compute/backends/openmp/pool_threes.h"

#include <utility>

namespace heteroscope::compute::openmp {
namespace {

template <class S>
void streamCopy(float* dst, const float* src, std::int64_t count) {
    std::int64_t i = 0;
    // Non-temporal stores fill whole cache lines: the few elements before the first boundary go as usual.
    while (i < count && reinterpret_cast<std::uintptr_t>(dst + i) % 64 != 0) {
        dst[i] = src[i];
        ++i;
    }
    constexpr std::int64_t line = 16;
    for (; i + line <= count; i += line) {
#pragma GCC unroll 4
        for (std::int64_t x = 0; x < line; x += S::kWidth)
            S::stream(dst + i + x, S::load(src + i + x));
    }
    for (; i < count; ++i)
        dst[i] = src[i];
}

/// Those of up to S::kGemmRows rows; what a lesser set has no registers for is never asked of it.
template <class S, int Rows>
constexpr ConvKernel::Tile convTileOf() {
    if constexpr (Rows <= S::kGemmRows)
        return convTile<S, Rows>;
    else
        return nullptr;
}

template <class S, int Rows, int Vectors>
constexpr GemmKernels::Tile gemmTileOf() {
    if constexpr (Rows <= S::kGemmRows && Vectors <= gemmVectors<S>(Rows))
        return gemmTile<S, Rows, Vectors>;
    else
        return nullptr;
}

template <class S, int Rows, int Columns>
constexpr GemmKernels::Dot gemmDotOf() {
    if constexpr (Rows <= S::kDotRows)
        return gemmDot<S, Rows, Columns>;
    else
        return nullptr;
}

template <class S, int Rows, int... Vector>
constexpr void addGemmTiles(GemmKernels& kernels, std::integer_sequence<int, Vector...>) {
    ((kernels.tile[Rows - 1][Vector] = gemmTileOf<S, Rows, Vector + 1>()), ...);
}

template <class S, int... Row>
constexpr void addGemmRows(GemmKernels& kernels, std::integer_sequence<int, Row...>) {
    (addGemmTiles<S, Row + 1>(kernels, std::make_integer_sequence<int, GemmKernels::kMostVectors>()), ...);
}

template <class S, int... Row>
constexpr void addGemmDots(GemmKernels& kernels, std::integer_sequence<int, Row...>) {
    ((kernels.dot[Row][0] = gemmDotOf<S, Row + 1, 1>(), kernels.dot[Row][1] = gemmDotOf<S, Row + 1, 2>(),
      kernels.dot[Row][2] = gemmDotOf<S, Row + 1, 3>(), kernels.dot[Row][3] = gemmDotOf<S, Row + 1, 4>()),
     ...);
}

template <class S>
constexpr GemmKernels gemmKernels() {
    GemmKernels kernels{};
    kernels.width = S::kWidth;
    kernels.rows = S::kGemmRows;
    kernels.dotRows = S::kDotRows;
    addGemmRows<S>(kernels, std::make_integer_sequence<int, GemmKernels::kMostRows>());
    addGemmDots<S>(kernels, std::make_integer_sequence<int, GemmKernels::kMostDotRows>());
    kernels.packTransposed = packTransposed<S>;
    kernels.packLines = packLines<S>;
    kernels.packPanels = packPanels<S>;
    return kernels;
}

template <class S>
constexpr ConvKernel convKernel() {
    constexpr int rows = S::kWeightRows, columns = S::kWeightColumns;
    return {S::kGemmRows,
            2 * S::kWidth,
            {convTileOf<S, 1>(), convTileOf<S, 2>(), convTileOf<S, 3>(), convTileOf<S, 4>(),
             convTileOf<S, 5>(), convTileOf<S, 6>(), convTileOf<S, 7>(), convTileOf<S, 8>(),
             convTileOf<S, 9>(), convTileOf<S, 10>(), convTileOf<S, 11>(), convTileOf<S, 12>()},
            rows,
            columns,
            convWeightTile<S, rows, columns>,
            convWeightTile<S, 1, columns>,
            {depthwiseTile<S, 1>, depthwiseTile<S, 2>, depthwiseTile<S, 3>, depthwiseTile<S, 4>},
            depthwiseLines<S>};
}

template <class S>
constexpr Kernels kernelTable() {
    return {{S::kWidth, poolForwardRows<S>, poolBackwardPairs<S>, poolBackwardLine<S>, poolBackwardRow<S>,
             poolThreesRow<S>, poolThreesLine<S>, poolThreesGradient<S>, streamCopy<S>},
            gemmKernels<S>(),
            convKernel<S>(),
            Loops<S>::table()};
}

} // namespace
} // namespace heteroscope::compute::openmp
