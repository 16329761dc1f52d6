// SPDX-License-Identifier: Apache-2.0
// Max pooling backward for 3x3 windows with stride 1 or 2. The maxima of three neighbours are taken once for
// each input row, not for each window that covers it. Where the maximum of a window is stands in nine lines
// of bits, one for each place in a window; input rows gather from those whose place they are.
#pragma once

#include "compute/backends/openmp/pool_forward.h"

namespace heteroscope::compute::openmp {
namespace {

constexpr int kWordBits = 64;

/// Lines of bits, in the order in which ThreesLines::bits holds them.
struct BitLines {
    std::uint64_t* bits;
    std::int64_t words; ///< of a line

    std::uint64_t* at(std::int64_t line) const { return bits + line * words; }
    /// Of an input row: where the second of three neighbours is above the first, the third above both.
    std::uint64_t* second(std::int64_t row) const { return at(2 * (row % 3)); }
    std::uint64_t* third(std::int64_t row) const { return at(2 * (row % 3) + 1); }
    /// Of an output row: where the second row of a window is above the first, the third above both.
    std::uint64_t* secondRow() const { return at(6); }
    std::uint64_t* thirdRow() const { return at(7); }
    /// Of an output row: the windows whose maximum is at that place.
    std::uint64_t* place(std::int64_t outputRow, int row, int column) const {
        return at(8 + (outputRow % 3) * 9 + 3 * row + column);
    }
};

/// Maximum of three neighbours in a row for S::kWidth windows from `x`, and the bits of which it is.
template <class S, int stride, class Reader>
inline void threeMaximum(const Reader& reader, const float* p, bool firstIsPadding, float* best,
                         const BitLines& lines, std::int64_t row, std::int64_t x) {
    const typename S::V first = windowElements<S, stride>(reader, p, 0, stride);
    const typename S::V second = windowElements<S, stride>(reader, p, 1, stride);
    const typename S::V third = windowElements<S, stride>(reader, p, 2, stride);
    typename S::M bySecond = S::replaces(first, second);
    if (firstIsPadding) // of the first window
        bySecond = S::either(bySecond, S::firstLane());
    const typename S::V two = S::select(bySecond, second, first);
    const typename S::M byThird = S::replaces(two, third);
    S::store(best + x, S::select(byThird, third, two));
    S::storeBits(lines.second(row), x, bySecond);
    S::storeBits(lines.third(row), x, byThird);
}

template <class S, int stride>
void threeMaxima(const PoolGeometry& g, const float* plane, std::int64_t row, float* best,
                 const BitLines& lines) {
    const Range interior = interiorColumns(g);
    const float* line = plane + row * g.w;
    const EdgeReader<S> edge{line, line + g.w, kMinusInfinity};
    for (std::int64_t x = 0; x < g.outW; x += S::kWidth) {
        const std::int64_t column = x * stride - g.padLeft;
        const bool firstIsPadding = column < 0;
        // What lies beside the row never counts when each window has its last elements inside; it only has
        // to be there.
        const bool inside = row * g.w + column >= 0 &&
                            row * g.w + column + stride * (S::kWidth - 1) + 3 <= g.h * g.w &&
                            (x + S::kWidth <= interior.end || interior.end == g.outW);
        if (inside)
            threeMaximum<S, stride>(InsideReader<S>{}, line + column, firstIsPadding, best, lines, row, x);
        else
            threeMaximum<S, stride>(edge, line + column, firstIsPadding, best, lines, row, x);
    }
}

template <class S>
void poolThreesRow(const PoolGeometry& g, const float* plane, std::int64_t row, const ThreesLines& lines) {
    float* best = lines.best + row % 3 * lines.stride;
    const BitLines bits{lines.bits, lines.words};
    if (g.sw == 1)
        threeMaxima<S, 1>(g, plane, row, best, bits);
    else
        threeMaxima<S, 2>(g, plane, row, best, bits);
}

/// Rows of the windows of an output row that lie in the input: places in a window, half-open.
inline Range insideRows(const PoolGeometry& g, std::int64_t outputRow) {
    const Range rows = windowRows(g, outputRow);
    const std::int64_t top = outputRow * g.sh - g.padTop;
    return {rows.begin - top, rows.end - top};
}

/// Which row of a window has the maximum: bits for the second and third row where they are not the first
/// inside.
template <class S>
void chooseRows(const PoolGeometry& g, std::int64_t outputRow, const ThreesLines& lines) {
    const BitLines bits{lines.bits, lines.words};
    const Range rows = insideRows(g, outputRow);
    const auto bestOf = [&](std::int64_t place) {
        return lines.best + (outputRow * g.sh - g.padTop + place) % 3 * lines.stride;
    };
    for (std::int64_t x = 0; x < g.outW; x += S::kWidth) {
        typename S::V best = S::load(bestOf(rows.begin) + x);
        for (std::int64_t place = rows.begin + 1; place < rows.end; ++place) {
            const typename S::V other = S::load(bestOf(place) + x);
            const typename S::M replace = S::replaces(best, other);
            best = S::select(replace, other, best);
            S::storeBits(place == 1 ? bits.secondRow() : bits.thirdRow(), x, replace);
        }
    }
}

/// Bit q of the line becomes bit q + by; what comes in at the ends is 0.
inline void shiftBits(std::uint64_t* line, std::int64_t words, int by) {
    if (by > 0) {
        for (std::int64_t i = 0; i < words; ++i)
            line[i] = line[i] >> by | (i + 1 < words ? line[i + 1] << (kWordBits - by) : 0);
    } else if (by < 0) {
        for (std::int64_t i = words - 1; i >= 0; --i)
            line[i] = line[i] << -by | (i > 0 ? line[i - 1] >> (kWordBits + by) : 0);
    }
}

/// Element `column` of window q + shiftOf() lies in the input at stride * q + a phase that is its own.
inline int shiftOf(const PoolGeometry& g, int column) {
    const int reach = static_cast<int>(g.padLeft) - column;
    return g.sw == 1 ? reach : (reach + 3) / 2 - 1;
}

/// The nine lines of places of an output row, each shifted to the inputs.
inline void choosePlaces(const PoolGeometry& g, std::int64_t outputRow, const ThreesLines& lines) {
    const BitLines bits{lines.bits, lines.words};
    const Range rows = insideRows(g, outputRow);
    const std::int64_t top = outputRow * g.sh - g.padTop;
    for (int row = 0; row < 3; ++row) {
        const bool inside = row >= rows.begin && row < rows.end;
        const std::uint64_t* second = bits.second(inside ? top + row : 0);
        const std::uint64_t* third = bits.third(inside ? top + row : 0);
        std::uint64_t* const to[3] = {bits.place(outputRow, row, 0), bits.place(outputRow, row, 1),
                                      bits.place(outputRow, row, 2)};
        for (std::int64_t i = 0; i < lines.words; ++i) {
            const std::int64_t left = g.outW - i * kWordBits;
            const std::uint64_t windows = left >= kWordBits ? ~0ULL : left > 0 ? (1ULL << left) - 1 : 0;
            const std::uint64_t byThird = rows.end > 2 ? bits.thirdRow()[i] : 0;
            const std::uint64_t bySecond = rows.begin > 0 ? ~0ULL : rows.end > 1 ? bits.secondRow()[i] : 0;
            const std::uint64_t ofRow[3] = {~(bySecond | byThird), bySecond & ~byThird, byThird};
            const std::uint64_t here = inside ? windows & ofRow[row] : 0;
            to[0][i] = here & ~(second[i] | third[i]);
            to[1][i] = here & second[i] & ~third[i];
            to[2][i] = here & third[i];
        }
        for (int column = 0; column < 3; ++column)
            shiftBits(to[column], lines.words, shiftOf(g, column));
    }
}

template <class S>
void poolThreesLine(const PoolGeometry& g, const float* dstGrad, std::int64_t row, const ThreesLines& lines) {
    float* value = lines.value + row % 3 * lines.stride + lines.left;
    for (std::int64_t x = 0; x < g.outW; ++x)
        value[x] = dstGrad[x];
    chooseRows<S>(g, row, lines);
    choosePlaces(g, row, lines);
}

/// The output rows whose windows cover an input row: gradients, and windows with the maximum in that row.
struct CoveringThrees {
    const float* value[3][3]; ///< shifted like the places
    const std::uint64_t* place[3][3];
};

template <class S>
inline typename S::V addWhere(typename S::V sum, const CoveringThrees& lines, int line, std::int64_t at,
                              int column) {
    return S::addWhere(sum, S::loadBits(lines.place[line][column], at),
                       S::load(lines.value[line][column] + at));
}

template <class S, int count, bool stream>
void gatherThrees1(const PoolGeometry& g, const CoveringThrees& lines, float* dst) {
    for (std::int64_t x = 0; x < g.w; x += S::kWidth) {
        typename S::V sum = S::set(0.0F);
#pragma GCC unroll 3
        for (int line = 0; line < count; ++line) {
#pragma GCC unroll 3
            for (int column = 2; column >= 0; --column)
                sum = addWhere<S>(sum, lines, line, x, column);
        }
        put<S, stream>(dst + x, sum);
    }
}

template <class S, int count, bool stream>
void gatherThrees2(const PoolGeometry& g, const CoveringThrees& lines, float* dst) {
    const bool odd = g.padLeft % 2 != 0;
    for (std::int64_t q = 0; 2 * q < g.w; q += S::kWidth) {
        typename S::V both = S::set(0.0F), middle = both; // elements two windows share, and those of one
#pragma GCC unroll 2
        for (int line = 0; line < count; ++line) {
            both = addWhere<S>(both, lines, line, q, 2);
            both = addWhere<S>(both, lines, line, q, 0);
            middle = addWhere<S>(middle, lines, line, q, 1);
        }
        const typename S::V even = odd ? middle : both;
        const typename S::V other = odd ? both : middle;
        put<S, stream>(dst + 2 * q, S::zipLow(even, other));
        if (2 * q + S::kWidth < g.w)
            put<S, stream>(dst + 2 * q + S::kWidth, S::zipHigh(even, other));
    }
}

template <class S, int count, bool stream>
void gatherThrees(const PoolGeometry& g, const CoveringThrees& lines, float* dst) {
    if (g.sw == 1)
        gatherThrees1<S, count, stream>(g, lines, dst);
    else
        gatherThrees2 < S, count<2 ? count : 2, stream>(g, lines, dst);
}

template <class S, bool stream>
void threesGradient(const PoolGeometry& g, std::int64_t row, const ThreesLines& lines, float* dst) {
    const BitLines bits{lines.bits, lines.words};
    const Range windows = coveringRows(g, row);
    CoveringThrees of{};
    int count = 0;
    for (std::int64_t y = windows.begin; y < windows.end; ++y, ++count) {
        for (int column = 0; column < 3; ++column) {
            of.value[count][column] = lines.value + y % 3 * lines.stride + lines.left + shiftOf(g, column);
            of.place[count][column] = bits.place(y, static_cast<int>(row + g.padTop - y * g.sh), column);
        }
    }
    if (count == 3)
        gatherThrees<S, 3, stream>(g, of, dst);
    else if (count == 2)
        gatherThrees<S, 2, stream>(g, of, dst);
    else if (count == 1)
        gatherThrees<S, 1, stream>(g, of, dst);
    else
        gatherThrees<S, 0, stream>(g, of, dst);
}

template <class S>
void poolThreesGradient(const PoolGeometry& g, std::int64_t row, const ThreesLines& lines, float* dst,
                        bool stream) {
    if (stream)
        threesGradient<S, true>(g, row, lines, dst);
    else
        threesGradient<S, false>(g, row, lines, dst);
}

} // namespace
} // namespace heteroscope::compute::openmp
