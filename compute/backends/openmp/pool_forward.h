// SPDX-License-Identifier: Apache-2.0
// Pooling forward on vectors of type S (see simd_*.h): S::kWidth outputs at a time, elements of a window in
// row-major order, so that ties and NaN come out as in the sequential implementation.
#pragma once

#include "compute/backends/openmp/pool_window.h"

namespace heteroscope::compute::openmp {
namespace {

/// Element `column` of S::kWidth neighbouring windows that start at p. Reads nothing beyond those windows.
template <class S, int stride>
inline typename S::V windowElements(const float* p, std::int64_t column, std::int64_t runtimeStride) {
    if constexpr (stride == 1) {
        return S::load(p + column);
    } else if constexpr (stride == 2) {
        if (column == 0)
            return S::even(S::load(p), S::load(p + S::kWidth));
        return S::odd(S::load(p + column - 1), S::load(p + column - 1 + S::kWidth));
    } else {
        alignas(64) float gathered[S::kWidth];
        for (int lane = 0; lane < S::kWidth; ++lane)
            gathered[lane] = p[lane * runtimeStride + column];
        return S::load(gathered);
    }
}

template <class S, bool average>
inline typename S::V combine(typename S::V sofar, typename S::V element) {
    if constexpr (average)
        return S::add(sofar, element);
    else
        return S::select(S::replaces(sofar, element), element, sofar);
}

/// Sum or maximum of S::kWidth windows; kernelWidth 0: g.kw.
template <class S, bool average, int stride, int kernelWidth>
inline typename S::V windowVector(const PoolGeometry& g, const float* p, std::int64_t rows) {
    typename S::V result = S::set(average ? 0.0F : kMinusInfinity);
    for (std::int64_t y = 0; y < rows; ++y, p += g.w) {
        if constexpr (kernelWidth > 0) {
#pragma GCC unroll 4
            for (int x = 0; x < kernelWidth; ++x)
                result = combine<S, average>(result, windowElements<S, stride>(p, x, g.sw));
        } else {
            for (std::int64_t x = 0; x < g.kw; ++x)
                result = combine<S, average>(result, windowElements<S, stride>(p, x, g.sw));
        }
    }
    return result;
}

template <class S, bool average, int stride, int kernelWidth>
void forwardRow(const PoolGeometry& g, const float* plane, std::int64_t row, float* dst) {
    const Range rows = windowRows(g, row);
    const Range interior = interiorColumns(g);
    const auto single = [&](std::int64_t x) {
        dst[x] = average ? windowAverage(g, plane, rows, x) : windowMaximum(g, plane, row, rows, x).value;
    };
    const bool zeroWins = !average && g.zeroPad && rows.size() < g.kh;
    const typename S::V divisor = S::set(static_cast<float>((g.countIncludePad ? g.kh : rows.size()) * g.kw));
    const float* first = plane + rows.begin * g.w - g.padLeft;
    const auto vector = [&](std::int64_t x) {
        typename S::V result =
            windowVector<S, average, stride, kernelWidth>(g, first + x * g.sw, rows.size());
        if constexpr (average)
            result = S::divide(result, divisor);
        else if (zeroWins)
            result = S::select(S::less(result, S::set(0.0F)), S::set(0.0F), result);
        S::store(dst + x, result);
    };
    for (std::int64_t x = 0; x < interior.begin; ++x)
        single(x);
    coverColumns<S::kWidth>(interior, vector, single);
    for (std::int64_t x = interior.end; x < g.outW; ++x)
        single(x);
}

using RowFunction = void (*)(const PoolGeometry&, const float*, std::int64_t, float*);

template <class S, bool average>
RowFunction forwardRowFor(const PoolGeometry& g) {
    if (g.sw == 1)
        return g.kw == 2   ? forwardRow<S, average, 1, 2>
               : g.kw == 3 ? forwardRow<S, average, 1, 3>
                           : forwardRow<S, average, 1, 0>;
    if (g.sw == 2 && g.kw >= 2)
        return g.kw == 2   ? forwardRow<S, average, 2, 2>
               : g.kw == 3 ? forwardRow<S, average, 2, 3>
                           : forwardRow<S, average, 2, 0>;
    return forwardRow<S, average, 0, 0>;
}

template <class S>
void poolForwardRows(const PoolGeometry& g, const float* plane, std::int64_t rowBegin, std::int64_t rowEnd,
                     float* dst) {
    const RowFunction function = g.average ? forwardRowFor<S, true>(g) : forwardRowFor<S, false>(g);
    for (std::int64_t row = rowBegin; row < rowEnd; ++row, dst += g.outW)
        function(g, plane, row, dst);
}

} // namespace
} // namespace heteroscope::compute::openmp
