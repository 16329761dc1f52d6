// SPDX-License-Identifier: Apache-2.0
// Pooling forward on vectors of type S (see simd_*.h): S::kWidth outputs at a time, elements of a window in
// row-major order, so that ties and NaN come out as in the sequential implementation.
#pragma once

#include "compute/backends/openmp/pool_window.h"

namespace heteroscope::compute::openmp {
namespace {

template <class S, bool stream>
inline void put(float* p, typename S::V v) {
    if constexpr (stream)
        S::stream(p, v);
    else
        S::store(p, v);
}

/// Reads vectors that lie inside the input.
template <class S>
struct InsideReader {
    typename S::V load(const float* p) const { return S::load(p); }
    float element(const float* p) const { return *p; }
};

/// Reads vectors that reach beyond the row from `begin` to `end`; there the elements are `fill`.
template <class S>
struct EdgeReader {
    const float* begin;
    const float* end;
    float fill;
    typename S::V load(const float* p) const { return S::loadInside(p, begin - p, end - p, S::set(fill)); }
    float element(const float* p) const { return p >= begin && p < end ? *p : fill; }
};

/// Element `column` of S::kWidth neighbouring windows that start at p. Reads nothing beyond those windows.
template <class S, int stride, class Reader>
inline typename S::V windowElements(const Reader& reader, const float* p, std::int64_t column,
                                    std::int64_t runtimeStride) {
    if constexpr (stride == 1) {
        return reader.load(p + column);
    } else if constexpr (stride == 2) {
        if (column == 0)
            return S::even(reader.load(p), reader.load(p + S::kWidth));
        return S::odd(reader.load(p + column - 1), reader.load(p + column - 1 + S::kWidth));
    } else {
        alignas(64) float gathered[S::kWidth];
        for (int lane = 0; lane < S::kWidth; ++lane)
            gathered[lane] = reader.element(p + lane * runtimeStride + column);
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

/// Moves a reader's row down with the window; only edges know their row.
template <class S>
inline InsideReader<S> nextRow(const InsideReader<S>& reader, std::int64_t) {
    return reader;
}
template <class S>
inline EdgeReader<S> nextRow(const EdgeReader<S>& reader, std::int64_t width) {
    return {reader.begin + width, reader.end + width, reader.fill};
}

/// Sum or maximum of S::kWidth windows, element by element; kernelWidth 0: g.kw.
template <class S, bool average, int stride, int kernelWidth, class Reader>
inline typename S::V windowVector(const PoolGeometry& g, Reader reader, const float* p, std::int64_t rows) {
    typename S::V result = S::set(average ? 0.0F : kMinusInfinity);
    const std::int64_t columns = kernelWidth > 0 ? kernelWidth : g.kw;
    for (std::int64_t y = 0; y < rows; ++y, p += g.w, reader = nextRow<S>(reader, g.w)) {
#pragma GCC unroll 4
        for (std::int64_t x = 0; x < columns; ++x)
            result = combine<S, average>(result, windowElements<S, stride>(reader, p, x, g.sw));
    }
    return result;
}

/// Maximum of windows two or three wide with the plain instruction, which loses NaN: when there is one, the
/// windows are done again with care.
template <class S, int stride, int kernelWidth, class Reader>
inline typename S::V fastMaximum(const PoolGeometry& g, const Reader& first, const float* p,
                                 std::int64_t rows) {
    static_assert(kernelWidth == 2 || kernelWidth == 3);
    Reader reader = first;
    const float* row = p;
    typename S::V best = S::set(kMinusInfinity);
    auto nan = S::unordered(best, best);
    for (std::int64_t y = 0; y < rows; ++y, row += g.w, reader = nextRow<S>(reader, g.w)) {
        const typename S::V a = windowElements<S, stride>(reader, row, 0, g.sw);
        const typename S::V b = windowElements<S, stride>(reader, row, 1, g.sw);
        nan = S::either(nan, S::unordered(a, b));
        typename S::V line = S::larger(a, b);
        if constexpr (kernelWidth == 3) {
            const typename S::V c = windowElements<S, stride>(reader, row, 2, g.sw);
            nan = S::either(nan, S::unordered(c, c));
            line = S::larger(line, c);
        }
        best = S::larger(best, line);
    }
    if (__builtin_expect(S::any(nan), 0))
        return windowVector<S, false, stride, kernelWidth>(g, first, p, rows);
    return best;
}

template <class S, bool average, int stride, int kernelWidth, class Reader>
inline typename S::V pooledVector(const PoolGeometry& g, const Reader& reader, const float* p,
                                  std::int64_t rows) {
    if constexpr (!average && stride != 0 && (kernelWidth == 2 || kernelWidth == 3))
        return fastMaximum<S, stride, kernelWidth>(g, reader, p, rows);
    else
        return windowVector<S, average, stride, kernelWidth>(g, reader, p, rows);
}

/// One row of outputs: what its vectors have in common.
template <class S, bool average, int stride, int kernelWidth>
struct ForwardRow {
    const PoolGeometry& g;
    const float* plane;
    std::int64_t row;
    Range rows;
    Range interior;
    float* dst;

    typename S::V finished(typename S::V result) const {
        if constexpr (average)
            return S::divide(result,
                             S::set(static_cast<float>((g.countIncludePad ? g.kh : rows.size()) * g.kw)));
        if (g.zeroPad && rows.size() < g.kh)
            return S::select(S::less(result, S::set(0.0F)), S::set(0.0F), result);
        return result;
    }
    const float* start(std::int64_t x) const { return plane + rows.begin * g.w - g.padLeft + x * g.sw; }
    typename S::V inside(std::int64_t x) const {
        return finished(
            pooledVector<S, average, stride, kernelWidth>(g, InsideReader<S>{}, start(x), rows.size()));
    }
    /// Windows that reach into the padding left or right, or beyond the last output.
    void edge(std::int64_t x) const {
        const float* line = plane + rows.begin * g.w;
        const EdgeReader<S> reader{line, line + g.w, average ? 0.0F : kMinusInfinity};
        S::storeFirst(
            dst + x,
            finished(pooledVector<S, average, stride, kernelWidth>(g, reader, start(x), rows.size())),
            g.outW - x);
    }
    void single(std::int64_t x) const {
        dst[x] = average ? windowAverage(g, plane, rows, x) : windowMaximum(g, plane, row, rows, x).value;
    }

    /// Edges one by one, where each window has its own rule.
    void runWithSingleEdges() const {
        for (std::int64_t x = 0; x < interior.begin; ++x)
            single(x);
        coverColumns<S::kWidth>(
            interior, [this](std::int64_t x) { S::store(dst + x, inside(x)); },
            [this](std::int64_t x) { single(x); });
        for (std::int64_t x = interior.end; x < g.outW; ++x)
            single(x);
    }
    void run(bool stream) const {
        if (average ? !g.countIncludePad : g.zeroPad && interior.size() < g.outW) {
            runWithSingleEdges();
            return;
        }
        std::int64_t x = 0;
        for (; x + S::kWidth <= g.outW; x += S::kWidth) {
            if (x < interior.begin || x + S::kWidth > interior.end)
                edge(x);
            else if (stream)
                S::stream(dst + x, inside(x));
            else
                S::store(dst + x, inside(x));
        }
        if (x == g.outW)
            return;
        if (interior.end == g.outW && g.outW - S::kWidth >= interior.begin)
            S::store(dst + g.outW - S::kWidth, inside(g.outW - S::kWidth));
        else
            edge(x);
    }
};

template <class S, bool average, int stride, int kernelWidth>
void forwardRow(const PoolGeometry& g, const float* plane, std::int64_t row, float* dst, bool stream) {
    const ForwardRow<S, average, stride, kernelWidth> work{
        g, plane, row, windowRows(g, row), interiorColumns(g), dst};
    work.run(stream);
}

using RowFunction = void (*)(const PoolGeometry&, const float*, std::int64_t, float*, bool);

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
                     float* dst, bool stream) {
    const RowFunction function = g.average ? forwardRowFor<S, true>(g) : forwardRowFor<S, false>(g);
    for (std::int64_t row = rowBegin; row < rowEnd; ++row, dst += g.outW)
        function(g, plane, row, dst, stream);
}

} // namespace
} // namespace heteroscope::compute::openmp
