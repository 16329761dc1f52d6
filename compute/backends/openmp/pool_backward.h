// SPDX-License-Identifier: Apache-2.0
// Pooling backward on vectors of type S. First a line per output row: its gradient, and for max pooling where
// the maximum of each window is. Then each input row gathers from the lines of the windows that cover it, in
// row-major order of the windows: no two threads write the same place and sums are as in the sequential
// implementation.
#pragma once

#include "compute/backends/openmp/pool_forward.h"

namespace heteroscope::compute::openmp {
namespace {

/// Places of the maxima of S::kWidth windows. `firstCode` belongs to the first element inside the input.
template <class S, int stride, int kernelWidth>
inline typename S::I maximumCodes(const PoolGeometry& g, const float* p, std::int64_t rows,
                                  std::int32_t firstCode, bool zeroWins) {
    typename S::V best = S::set(kMinusInfinity);
    typename S::I code = S::setInt(firstCode);
    const std::int64_t columns = kernelWidth > 0 ? kernelWidth : g.kw;
    for (std::int64_t y = 0; y < rows; ++y, p += g.w) {
#pragma GCC unroll 4
        for (std::int64_t x = 0; x < columns; ++x) {
            const typename S::V element = windowElements<S, stride>(p, x, g.sw);
            const typename S::M replace = S::replaces(best, element);
            best = S::select(replace, element, best);
            code =
                S::selectInt(replace, S::setInt(firstCode + static_cast<std::int32_t>(y * g.kw + x)), code);
        }
    }
    if (zeroWins)
        code = S::selectInt(S::less(best, S::set(0.0F)), S::setInt(-1), code);
    return code;
}

template <class S, int stride, int kernelWidth>
void codeLine(const PoolGeometry& g, const float* plane, std::int64_t row, std::int32_t* codes) {
    const Range rows = windowRows(g, row);
    const Range interior = interiorColumns(g);
    const auto firstCode = static_cast<std::int32_t>((rows.begin - (row * g.sh - g.padTop)) * g.kw);
    const bool zeroWins = g.zeroPad && rows.size() < g.kh;
    const float* first = plane + rows.begin * g.w - g.padLeft;
    const auto single = [&](std::int64_t x) { codes[x] = windowMaximum(g, plane, row, rows, x).code; };
    const auto vector = [&](std::int64_t x) {
        S::storeInt(codes + x, maximumCodes<S, stride, kernelWidth>(g, first + x * g.sw, rows.size(),
                                                                    firstCode, zeroWins));
    };
    for (std::int64_t x = 0; x < interior.begin; ++x)
        single(x);
    coverColumns<S::kWidth>(interior, vector, single);
    for (std::int64_t x = interior.end; x < g.outW; ++x)
        single(x);
}

template <class S>
void fillCodes(const PoolGeometry& g, const float* plane, std::int64_t row, std::int32_t* codes) {
    if (g.sw == 1 && g.kw == 3)
        codeLine<S, 1, 3>(g, plane, row, codes);
    else if (g.sw == 1)
        codeLine<S, 1, 0>(g, plane, row, codes);
    else if (g.sw == 2 && g.kw == 2)
        codeLine<S, 2, 2>(g, plane, row, codes);
    else if (g.sw == 2 && g.kw == 3)
        codeLine<S, 2, 3>(g, plane, row, codes);
    else if (g.sw == 2 && g.kw > 3)
        codeLine<S, 2, 0>(g, plane, row, codes);
    else
        codeLine<S, 0, 0>(g, plane, row, codes);
}

inline void fillShares(const PoolGeometry& g, const float* dstGrad, std::int64_t row, float* value) {
    const Range rows = windowRows(g, row);
    const Range interior = interiorColumns(g);
    const auto area = static_cast<float>((g.countIncludePad ? g.kh : rows.size()) * g.kw);
    for (std::int64_t x = 0; x < interior.begin; ++x)
        value[x] = dstGrad[x] / windowDivisor(g, rows, x);
    for (std::int64_t x = interior.begin; x < interior.end; ++x)
        value[x] = dstGrad[x] / area;
    for (std::int64_t x = interior.end; x < g.outW; ++x)
        value[x] = dstGrad[x] / windowDivisor(g, rows, x);
}

template <class S>
void poolBackwardLine(const PoolGeometry& g, const float* plane, const float* dstGrad, std::int64_t row,
                      const PoolLines& lines) {
    const std::int64_t offset = row % lines.count * lines.stride + lines.left;
    float* value = lines.value + offset;
    if (g.average) {
        fillShares(g, dstGrad, row, value);
        return;
    }
    for (std::int64_t x = 0; x < g.outW; ++x)
        value[x] = dstGrad[x];
    fillCodes<S>(g, plane, row, lines.code + offset);
}

/// Output rows whose windows cover an input row; may be empty.
inline Range coveringRows(const PoolGeometry& g, std::int64_t row) {
    const std::int64_t reach = row + g.padTop;
    const std::int64_t begin = reach < g.kh ? 0 : (reach - g.kh) / g.sh + 1;
    const std::int64_t last = reach / g.sh;
    return {begin, (last < g.outH ? last : g.outH - 1) + 1};
}

/// What the windows of one output row add to S::kWidth inputs that lie `stride` apart, from `column` on.
template <class S, bool average, int stride>
inline typename S::V gatherLine(const PoolGeometry& g, const PoolLines& lines, std::int64_t windowRow,
                                std::int32_t firstCode, std::int64_t column, typename S::V sum) {
    const std::int64_t offset = windowRow % lines.count * lines.stride + lines.left;
    const std::int64_t reach = column + g.padLeft;
    const std::int64_t lowest = reach % stride;
    for (std::int64_t x = lowest + (g.kw - 1 - lowest) / stride * stride; x >= 0; x -= stride) {
        if (x >= g.kw)
            continue;
        const std::int64_t at = offset + (reach - x) / stride;
        const typename S::V value = S::load(lines.value + at);
        if constexpr (average) {
            sum = S::add(sum, value);
        } else {
            const auto wanted = S::setInt(firstCode + static_cast<std::int32_t>(x));
            sum = S::add(sum, S::onlyWhere(S::equal(S::loadInt(lines.code + at), wanted), value));
        }
    }
    return sum;
}

template <class S, bool average, int stride>
inline typename S::V gatherInputs(const PoolGeometry& g, const PoolLines& lines, std::int64_t row,
                                  Range windows, std::int64_t column) {
    typename S::V sum = S::set(0.0F);
    for (std::int64_t y = windows.begin; y < windows.end; ++y) {
        const auto firstCode = static_cast<std::int32_t>((row + g.padTop - y * g.sh) * g.kw);
        sum = gatherLine<S, average, stride>(g, lines, y, firstCode, column, sum);
    }
    return sum;
}

template <class S, bool average>
void gatherRow1(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    const Range windows = coveringRows(g, row);
    for (std::int64_t x = 0; x < g.w; x += S::kWidth)
        S::store(dst + x, gatherInputs<S, average, 1>(g, lines, row, windows, x));
}

template <class S, bool average>
void gatherRow2(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    const Range windows = coveringRows(g, row);
    for (std::int64_t x = 0; x < g.w; x += 2 * S::kWidth) {
        const typename S::V even = gatherInputs<S, average, 2>(g, lines, row, windows, x);
        const typename S::V odd = gatherInputs<S, average, 2>(g, lines, row, windows, x + 1);
        S::store(dst + x, S::zipLow(even, odd));
        S::store(dst + x + S::kWidth, S::zipHigh(even, odd));
    }
}

/// Any stride: the windows of each covering output row add to the row one after the other.
template <bool average>
void scatterRow(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    for (std::int64_t x = 0; x < g.w; ++x)
        dst[x] = 0.0F;
    const Range windows = coveringRows(g, row);
    for (std::int64_t y = windows.begin; y < windows.end; ++y) {
        const std::int64_t offset = y % lines.count * lines.stride + lines.left;
        const std::int64_t firstCode = (row + g.padTop - y * g.sh) * g.kw;
        for (std::int64_t column = 0; column < g.outW; ++column) {
            const float value = lines.value[offset + column];
            if constexpr (average) {
                const Range columns = windowRange(column, g.sw, g.padLeft, g.kw, g.w);
                for (std::int64_t x = columns.begin; x < columns.end; ++x)
                    dst[x] += value;
            } else {
                const std::int64_t x = lines.code[offset + column] - firstCode;
                if (x >= 0 && x < g.kw)
                    dst[column * g.sw - g.padLeft + x] += value;
            }
        }
    }
}

template <class S, bool average>
void backwardRow(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    if (g.sw == 1)
        gatherRow1<S, average>(g, row, lines, dst);
    else if (g.sw == 2)
        gatherRow2<S, average>(g, row, lines, dst);
    else
        scatterRow<average>(g, row, lines, dst);
}

template <class S>
void poolBackwardRow(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    if (g.average)
        backwardRow<S, true>(g, row, lines, dst);
    else
        backwardRow<S, false>(g, row, lines, dst);
}

} // namespace
} // namespace heteroscope::compute::openmp
