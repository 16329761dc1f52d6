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
constexpr ConvKernel::Blocked blockedTileOf() {
    if constexpr (Rows <= S::kGemmRows)
        return blockedTile<S, Rows, Vectors>;
    else
        return nullptr;
}

template <class S, int... Row>
constexpr void addBlockedTiles(ConvKernel& kernel, std::integer_sequence<int, Row...>) {
    ((kernel.blockedTile[Row][0] = blockedTileOf<S, Row + 1, 1>(),
      kernel.blockedTile[Row][1] = blockedTileOf<S, Row + 1, 2>()),
     ...);
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

template <class S, int... Row>
constexpr void addConvTiles(ConvKernel& kernel, std::integer_sequence<int, Row...>) {
    ((kernel.tile[Row] = convTileOf<S, Row + 1>()), ...);
}

template <class S>
constexpr ConvKernel convKernel() {
    constexpr auto rows = std::make_integer_sequence<int, ConvKernel::kMostRows>();
    ConvKernel kernel{};
    kernel.rows = S::kGemmRows;
    kernel.columns = 2 * S::kWidth;
    addConvTiles<S>(kernel, rows);
    kernel.weightRows = S::kWeightRows;
    kernel.weightColumns = S::kWeightColumns;
    kernel.weightTile = convWeightTile<S, S::kWeightRows, S::kWeightColumns>;
    kernel.weightRow = convWeightTile<S, 1, S::kWeightColumns>;
    addBlockedTiles<S>(kernel, rows);
    kernel.blockedStore = blockedStore<S>;
    kernel.depthwiseTile[0] = depthwiseTile<S, 1>;
    kernel.depthwiseTile[1] = depthwiseTile<S, 2>;
    kernel.depthwiseTile[2] = depthwiseTile<S, 3>;
    kernel.depthwiseTile[3] = depthwiseTile<S, 4>;
    kernel.depthwiseLines = depthwiseLines<S>;
    return kernel;
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
