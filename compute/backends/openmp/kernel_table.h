// SPDX-License-Identifier: Apache-2.0
// Puts the kernels of one vector type into a table, and the copy that goes past the caches.
#pragma once

#include "compute/backends/openmp/conv_kernel.h"
#include "compute/backends/openmp/gemm_kernel.h"
#include "compute/backends/openmp/loop_kernels.h"
#include "compute/backends/openmp/pool_backward.h"
#include "compute/backends/openmp/pool_pairs.h"
#include "compute/backends/openmp/pool_threes.h"

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
            convWeightTile<S, 1, columns>};
}

template <class S>
constexpr Kernels kernelTable() {
    return {{S::kWidth, poolForwardRows<S>, poolBackwardPairs<S>, poolBackwardLine<S>, poolBackwardRow<S>,
             poolThreesRow<S>, poolThreesLine<S>, poolThreesGradient<S>, streamCopy<S>},
            {S::kGemmRows, 2 * S::kWidth, gemmTile<S>},
            convKernel<S>(),
            Loops<S>::table()};
}

} // namespace
} // namespace heteroscope::compute::openmp
