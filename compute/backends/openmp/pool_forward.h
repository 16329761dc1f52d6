// SPDX-License-Identifier: Apache-2.0
// Pooling forward on vectors of type S (see simd_*.h): S::kWidth outputs at a time, elements of a window in
// row-major order, so that ties and NaN come out as in the sequential implementation.
#pragma once

#include "compute/backends/openmp/pool_half_vectors.h"
#include "compute/backends/openmp/pool_neighbours.h"

namespace heteroscope::compute::openmp {
namespace {

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
        const float* next = fetchFrom(g, plane, rows.end);
        for (; x + S::kWidth <= g.outW; x += S::kWidth) {
            if (stride != 0 && g.fetchAhead) // as many elements as are new to each row of windows
                fetch(next + x * stride * stride, stride * stride * S::kWidth);
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

/// The maxima of neighbours in the input rows that a row of windows has in common with the next: one with
/// stride 2, two with stride 1.
template <class S, int stride, int pad>
struct KeptRows {
    static constexpr std::int64_t kStrip = 1024; ///< windows; 4 KiB a row stay in the first cache
    alignas(64) float rows[3 - stride][kStrip];

    void keep(std::int64_t at, int place, typename S::V v) { S::store(rows[place] + at, v); }
    /// What is above the new rows of the windows of output row `row`.
    void fill(const PoolGeometry& g, const float* plane, std::int64_t row, std::int64_t begin,
              std::int64_t end) {
        for (int place = 0; place < 3 - stride; ++place) {
            const std::int64_t y = row * stride - g.padTop + place;
            const NeighbourRow<S, stride> above(g, plane, y < 0 ? 0 : y);
            NeighbourWalk<S, stride, pad> walk(above, begin);
            for (std::int64_t x = begin; x < end; x += S::kWidth)
                keep(x - begin, place, y < 0 ? S::set(kMinusInfinity) : walk.next(x).best);
        }
    }
    /// Maxima of the windows at `at` from those rows and the new ones, which are kept in turn.
    typename S::V next(std::int64_t at, typename S::V middle, typename S::V bottom) {
        const typename S::V top = S::load(rows[0] + at);
        if constexpr (stride == 1) {
            middle = S::load(rows[1] + at);
            keep(at, 0, middle);
        }
        keep(at, 2 - stride, bottom);
        return choose<S>(top, middle, bottom).best;
    }
};

/// Rows of windows that have all their new rows inside, and the windows from `begin` to `end` of each.
template <class S, int stride, int pad>
void forwardStrip(const PoolGeometry& g, const float* plane, Range rows, Range strip, float* dst,
                  bool stream) {
    KeptRows<S, stride, pad> kept;
    kept.fill(g, plane, rows.begin, strip.begin, strip.end);
    for (std::int64_t row = rows.begin; row < rows.end; ++row, dst += g.outW) {
        const std::int64_t last = row * stride - g.padTop + 2;
        const NeighbourRow<S, stride> middle(g, plane, last - 1), bottom(g, plane, last);
        NeighbourWalk<S, stride, pad> walkMiddle(middle, strip.begin), walkBottom(bottom, strip.begin);
        for (std::int64_t x = strip.begin; x < strip.end; x += S::kWidth) {
            if (g.fetchAhead) {
                bottom.prefetchNext(x);
                if (stride == 2)
                    middle.prefetchNext(x);
            }
            const typename S::V below = walkBottom.next(x).best;
            const typename S::V result =
                kept.next(x - strip.begin, stride == 2 ? walkMiddle.next(x).best : below, below);
            if (stream)
                S::stream(dst + x, result);
            else if (x + S::kWidth <= g.outW)
                S::store(dst + x, result);
            else
                S::storeFirst(dst + x, result, g.outW - x);
        }
    }
}

/// As many of the rows as have all their windows' last rows inside; returns the first that has not.
template <class S, int stride, int pad>
std::int64_t forwardThrees(const PoolGeometry& g, const float* plane, Range rows, float* dst, bool stream) {
    const std::int64_t whole = g.h + g.padTop < 3 ? 0 : (g.h + g.padTop - 3) / stride + 1;
    if (whole < rows.end)
        rows.end = whole;
    constexpr std::int64_t strip = KeptRows<S, stride, pad>::kStrip;
    for (std::int64_t x = 0; x < g.outW && rows.size() > 0; x += strip)
        forwardStrip<S, stride, pad>(g, plane, rows, {x, x + strip < g.outW ? x + strip : g.outW}, dst,
                                     stream);
    return rows.size() > 0 ? rows.end : rows.begin;
}

template <class S>
void poolForwardRows(const PoolGeometry& g, const float* plane, std::int64_t rowBegin, std::int64_t rowEnd,
                     float* dst, bool stream) {
    if (g.halfVectors && stream) {
        streamHalfVectors<S>(g, plane, rowBegin, rowEnd, dst);
        return;
    }
    if (g.threes) {
        const std::int64_t begin = rowBegin;
        withThrees(g, [&]<int stride, int pad>() {
            rowBegin = forwardThrees<S, stride, pad>(threesGeometry<stride, pad>(g), plane,
                                                     {rowBegin, rowEnd}, dst, stream);
        });
        dst += (rowBegin - begin) * g.outW;
    }
    const RowFunction function = g.average ? forwardRowFor<S, true>(g) : forwardRowFor<S, false>(g);
    for (std::int64_t row = rowBegin; row < rowEnd; ++row, dst += g.outW)
        function(g, plane, row, dst, stream);
}

} // namespace
} // namespace heteroscope::compute::openmp
