// SPDX-License-Identifier: Apache-2.0
// Pooling backward on vectors of type S. First a line per output row: its gradient, and for max pooling where
// the maximum of each window is. Then each input row gathers from the lines of the windows that cover it, in
// row-major order of the windows: no two threads write the same place and sums are as in the sequential
// implementation.
#pragma once

#include "compute/backends/openmp/pool_forward.h"

namespace heteroscope::compute::openmp {
namespace {

/// Places of the maxima of S::kWidth windows; `code` are those of the first elements inside the input,
/// `firstCode` is that of the first element.
template <class S, int stride, int kernelWidth, class Reader>
inline typename S::I maximumCodes(const PoolGeometry& g, Reader reader, const float* p, std::int64_t rows,
                                  std::int32_t firstCode, typename S::I code) {
    typename S::V best = S::set(kMinusInfinity);
    const std::int64_t columns = kernelWidth > 0 ? kernelWidth : g.kw;
    for (std::int64_t y = 0; y < rows; ++y, p += g.w, reader = nextRow<S>(reader, g.w)) {
#pragma GCC unroll 4
        for (std::int64_t x = 0; x < columns; ++x) {
            const typename S::V element = windowElements<S, stride>(reader, p, x, g.sw);
            const typename S::M replace = S::replaces(best, element);
            best = S::select(replace, element, best);
            code =
                S::selectInt(replace, S::setInt(firstCode + static_cast<std::int32_t>(y * g.kw + x)), code);
        }
    }
    if (g.zeroPad && rows < g.kh)
        code = S::selectInt(S::less(best, S::set(0.0F)), S::setInt(-1), code);
    return code;
}

template <class S, int stride, int kernelWidth>
struct CodeLine {
    const PoolGeometry& g;
    const float* plane;
    std::int64_t row;
    Range rows;
    Range interior;
    std::int32_t firstCode;
    std::int32_t* codes;

    const float* start(std::int64_t x) const { return plane + rows.begin * g.w - g.padLeft + x * g.sw; }
    void inside(std::int64_t x) const {
        S::storeInt(codes + x,
                    maximumCodes<S, stride, kernelWidth>(g, InsideReader<S>{}, start(x), rows.size(),
                                                         firstCode, S::setInt(firstCode)));
    }
    /// Writes a whole vector: lines have room behind the last window.
    void edge(std::int64_t x) const {
        alignas(64) std::int32_t first[S::kWidth];
        for (std::int64_t lane = 0; lane < S::kWidth; ++lane) {
            const std::int64_t outside = g.padLeft - (x + lane) * g.sw;
            first[lane] = firstCode + static_cast<std::int32_t>(outside > 0 ? outside : 0);
        }
        const float* line = plane + rows.begin * g.w;
        const EdgeReader<S> reader{line, line + g.w, kMinusInfinity};
        S::storeInt(codes + x, maximumCodes<S, stride, kernelWidth>(g, reader, start(x), rows.size(),
                                                                    firstCode, S::loadInt(first)));
        for (std::int64_t lane = g.outW - x; lane < S::kWidth; ++lane)
            codes[x + lane] = -1; // no window there
    }
    void single(std::int64_t x) const { codes[x] = windowMaximum(g, plane, row, rows, x).code; }

    void runWithSingleEdges() const {
        for (std::int64_t x = 0; x < interior.begin; ++x)
            single(x);
        coverColumns<S::kWidth>(
            interior, [this](std::int64_t x) { inside(x); }, [this](std::int64_t x) { single(x); });
        for (std::int64_t x = interior.end; x < g.outW; ++x)
            single(x);
    }
    void run() const {
        if (g.zeroPad && interior.size() < g.outW) {
            runWithSingleEdges();
            return;
        }
        for (std::int64_t x = 0; x < g.outW; x += S::kWidth) {
            if (x >= interior.begin && x + S::kWidth <= interior.end)
                inside(x);
            else
                edge(x);
        }
    }
};

template <class S, int stride, int kernelWidth>
void codeLine(const PoolGeometry& g, const float* plane, std::int64_t row, std::int32_t* codes) {
    const Range rows = windowRows(g, row);
    const auto firstCode = static_cast<std::int32_t>((rows.begin - (row * g.sh - g.padTop)) * g.kw);
    const CodeLine<S, stride, kernelWidth> line{g, plane, row, rows, interiorColumns(g), firstCode, codes};
    line.run();
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

/// One place in a window from which an input row gathers: lines shifted so that index q belongs to the input
/// stride * q + phase.
struct Tap {
    const float* value;
    const std::int32_t* code;
    std::int32_t wanted;
};

/// The taps of one phase of an input row, in row-major order of the windows. A few at a time: `from` says how
/// far the caller is, and where to go on comes back; {end, 0} when that was all.
struct TapList {
    static constexpr int kCapacity = 64;
    Tap taps[kCapacity];
    int count;
};
struct TapPlace {
    std::int64_t windowRow, column; ///< column counts down from kw - 1
};

inline TapPlace collectTaps(const PoolGeometry& g, const PoolLines& lines, std::int64_t row,
                            std::int64_t phase, std::int64_t end, TapPlace from, TapList& list) {
    list.count = 0;
    for (; from.windowRow < end; ++from.windowRow, from.column = g.kw - 1) {
        const std::int64_t line = from.windowRow % lines.count * lines.stride + lines.left;
        const std::int64_t firstCode = (row + g.padTop - from.windowRow * g.sh) * g.kw;
        for (; from.column >= 0; --from.column) {
            const std::int64_t reach = phase + g.padLeft - from.column;
            if (reach % g.sw != 0)
                continue;
            if (list.count == TapList::kCapacity)
                return from;
            const std::int64_t at = line + reach / g.sw;
            list.taps[list.count++] = {lines.value + at, lines.code + at,
                                       static_cast<std::int32_t>(firstCode + from.column)};
        }
    }
    return from;
}

template <class S, bool average>
inline typename S::V gather(const TapList& list, std::int64_t q, typename S::V sum) {
    for (int i = 0; i < list.count; ++i) {
        const Tap& tap = list.taps[i];
        const typename S::V value = S::load(tap.value + q);
        if constexpr (average)
            sum = S::add(sum, value);
        else
            sum = S::add(sum, S::onlyWhere(S::equal(S::loadInt(tap.code + q), S::setInt(tap.wanted)), value));
    }
    return sum;
}

/// Adds the listed taps to a row, or starts the row with them.
template <class S, bool average>
void gatherRow1(const PoolGeometry& g, const TapList& list, bool start, float* dst) {
    for (std::int64_t x = 0; x < g.w; x += S::kWidth)
        S::store(dst + x, gather<S, average>(list, x, start ? S::set(0.0F) : S::load(dst + x)));
}

template <class S, bool average>
void gatherRow2(const PoolGeometry& g, const TapList (&lists)[2], bool start, float* dst) {
    for (std::int64_t q = 0; 2 * q < g.w; q += S::kWidth) {
        float* to = dst + 2 * q;
        typename S::V even = S::set(0.0F), odd = even;
        if (!start) {
            even = S::even(S::load(to), S::load(to + S::kWidth));
            odd = S::odd(S::load(to), S::load(to + S::kWidth));
        }
        even = gather<S, average>(lists[0], q, even);
        odd = gather<S, average>(lists[1], q, odd);
        S::store(to, S::zipLow(even, odd));
        S::store(to + S::kWidth, S::zipHigh(even, odd));
    }
}

template <class S, bool average>
void gatherRow(const PoolGeometry& g, std::int64_t row, const PoolLines& lines, float* dst) {
    const Range windows = coveringRows(g, row);
    TapPlace place[2] = {{windows.begin, g.kw - 1}, {windows.begin, g.kw - 1}};
    TapList lists[2];
    bool start = true;
    do {
        for (int phase = 0; phase < g.sw; ++phase)
            place[phase] = collectTaps(g, lines, row, phase, windows.end, place[phase], lists[phase]);
        if (g.sw == 1)
            gatherRow1<S, average>(g, lists[0], start, dst);
        else
            gatherRow2<S, average>(g, lists, start, dst);
        start = false;
    } while (lists[0].count == TapList::kCapacity || (g.sw == 2 && lists[1].count == TapList::kCapacity));
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
    if (g.sw <= 2)
        gatherRow<S, average>(g, row, lines, dst);
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
