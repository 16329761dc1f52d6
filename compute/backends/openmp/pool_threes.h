// SPDX-License-Identifier: Apache-2.0
// Max pooling backward for 3x3 windows with stride 1 or 2. The maxima of three neighbours are taken once for
// each input row, not for each window that covers it. Where the maximum of a window is stands in nine lines
// of bits, one for each place in a window; input rows gather from those whose place they are.
#pragma once

#include "compute/backends/openmp/pool_neighbours.h"

namespace heteroscope::compute::openmp {
namespace {

constexpr int kWordBits = 64;

/// Lines of bits, in the order in which ThreesLines::bits holds them.
struct BitLines {
    std::uint64_t* bits;
    std::int64_t words; ///< of a line

    std::uint64_t* at(std::int64_t line) const { return bits + line * words; }
    /// Of an input row: where the second of three neighbours is above the first, and behind that line where
    /// the third is above both.
    std::uint64_t* neighbours(std::int64_t row) const { return at(2 * (row % 3)); }
    /// Of an output row: nine words for each 64 windows, one for each place: those whose maximum is there.
    std::uint64_t* places(std::int64_t outputRow) const { return at(6 + 9 * (outputRow % 3)); }
};

/// The maxima of three neighbours and which they are, for the windows of a row of inputs.
template <class S, int stride, int pad>
void threeMaxima(const PoolGeometry& g, const float* plane, std::int64_t row, const ThreesLines& lines) {
    const NeighbourRow<S, stride> neighbours(g, plane, row);
    NeighbourWalk<S, stride, pad> walk(neighbours, 0);
    float* best = lines.best + row % 3 * lines.stride;
    std::uint64_t* bits = BitLines{lines.bits, lines.words}.neighbours(row);
    for (std::int64_t begin = 0; begin < g.outW; begin += kWordBits) {
        std::uint64_t second = 0, third = 0;
        for (std::int64_t x = begin; x < begin + kWordBits && x < g.outW; x += S::kWidth) {
            if (g.fetchAhead)
                neighbours.prefetchNext(x);
            const Choice<S> choice = walk.next(x);
            S::store(best + x, choice.best);
            second |= static_cast<std::uint64_t>(S::bits(choice.bySecond)) << (x - begin);
            third |= static_cast<std::uint64_t>(S::bits(choice.byThird)) << (x - begin);
        }
        bits[begin / kWordBits] = second;
        bits[lines.words + begin / kWordBits] = third;
    }
}

template <class S>
void poolThreesRow(const PoolGeometry& g, const float* plane, std::int64_t row, const ThreesLines& lines) {
    withThrees(g, [&]<int stride, int pad>() {
        threeMaxima<S, stride, pad>(threesGeometry<stride, pad>(g), plane, row, lines);
    });
}

/// Element `column` of window q + shiftOf() lies in the input at stride * q + a phase that is its own.
constexpr int shiftOf(int stride, int pad, int column) {
    return stride == 1 ? pad - column : (pad - column + 3) / 2 - 1;
}

/// Puts a word of windows so that bit q of the line is the bit q + shift of the windows; words come in order.
template <int shift>
inline void putShifted(std::uint64_t* to, bool first, std::uint64_t word, std::uint64_t before) {
    if constexpr (shift > 0) {
        *to = word >> shift;
        if (!first)
            to[-9] |= word << (kWordBits - shift);
    } else if constexpr (shift < 0) {
        *to = word << -shift | before >> (kWordBits + shift);
    } else {
        *to = word;
    }
}

/// The rows of the windows of an output row that lie in the input, [begin, end) of 3, and their lines.
struct ThreeRows {
    std::int64_t begin, end;
    const float* best[3];
    const std::uint64_t* bits[3];
};

inline ThreeRows threeRows(const PoolGeometry& g, std::int64_t outputRow, const ThreesLines& lines) {
    const std::int64_t top = outputRow * g.sh - g.padTop;
    const Range inside = windowRows(g, outputRow);
    ThreeRows rows{inside.begin - top, inside.end - top, {}, {}};
    const BitLines bits{lines.bits, lines.words};
    for (int i = 0; i < 3; ++i) {
        const std::int64_t row = i >= rows.begin && i < rows.end ? top + i : inside.begin;
        rows.best[i] = lines.best + row % 3 * lines.stride;
        rows.bits[i] = bits.neighbours(row);
    }
    return rows;
}

/// Which row of a window has the maximum, for the windows of a word: the first, second, and third.
template <class S>
inline void chooseRows(const ThreeRows& rows, std::int64_t begin, std::int64_t end,
                       std::uint64_t (&ofRow)[3]) {
    std::uint64_t bySecond = 0, byThird = 0;
    for (std::int64_t x = begin; x < end; x += S::kWidth) {
        const Choice<S> choice =
            choose<S>(S::load(rows.best[0] + x), S::load(rows.best[1] + x), S::load(rows.best[2] + x));
        bySecond |= static_cast<std::uint64_t>(S::bits(choice.bySecond)) << (x - begin);
        byThird |= static_cast<std::uint64_t>(S::bits(choice.byThird)) << (x - begin);
    }
    const std::int64_t count = end - begin;
    const std::uint64_t windows = count >= kWordBits ? ~0ULL : (1ULL << count) - 1;
    // A row outside has the line of the first inside, which is not above itself; the first row can only be
    // outside with all of its windows.
    ofRow[2] = windows & byThird;
    ofRow[1] = windows & ~byThird & (rows.begin > 0 ? ~0ULL : bySecond);
    ofRow[0] = windows & ~byThird & (rows.begin > 0 ? 0 : ~bySecond);
}

/// The places of an output row, each shifted to the inputs.
template <class S, int stride, int pad>
void threePlaces(const PoolGeometry& g, std::int64_t outputRow, const ThreesLines& lines) {
    const ThreeRows rows = threeRows(g, outputRow, lines);
    std::uint64_t* to = BitLines{lines.bits, lines.words}.places(outputRow);
    std::uint64_t before[3][3] = {};
    for (std::int64_t i = 0; i < lines.words; ++i, to += 9) {
        const std::int64_t begin = i * kWordBits;
        std::uint64_t ofRow[3] = {0, 0, 0};
        if (begin < g.outW)
            chooseRows<S>(rows, begin, g.outW < begin + kWordBits ? g.outW : begin + kWordBits, ofRow);
#pragma GCC unroll 3
        for (std::ptrdiff_t row = 0; row < 3; ++row) {
            const std::uint64_t second = rows.bits[row][i], third = rows.bits[row][lines.words + i];
            const std::uint64_t word[3] = {ofRow[row] & ~(second | third), ofRow[row] & second & ~third,
                                           ofRow[row] & third};
            putShifted<shiftOf(stride, pad, 0)>(to + 3 * row, i == 0, word[0], before[row][0]);
            putShifted<shiftOf(stride, pad, 1)>(to + 3 * row + 1, i == 0, word[1], before[row][1]);
            putShifted<shiftOf(stride, pad, 2)>(to + 3 * row + 2, i == 0, word[2], before[row][2]);
            for (int column = 0; column < 3; ++column)
                before[row][column] = word[column];
        }
    }
}

template <class S>
void poolThreesLine(const PoolGeometry& g, const float* dstGrad, std::int64_t row, const ThreesLines& lines) {
    float* value = lines.value + row % 3 * lines.stride + lines.left;
    for (std::int64_t x = 0; x < g.outW; ++x)
        value[x] = dstGrad[x];
    withThrees(g, [&]<int stride, int pad>() {
        threePlaces<S, stride, pad>(threesGeometry<stride, pad>(g), row, lines);
    });
}

/// The output rows whose windows cover an input row: gradients, and windows with the maximum in that row.
struct CoveringThrees {
    const float* value[3];
    const std::uint64_t* place[3]; ///< of each nine words the three of that row
};

/// Adds the gradients of the windows whose element `column` is the input: of S::kWidth inputs or pairs from
/// `part` vectors behind the words.
template <class S, int stride, int pad, int column>
inline typename S::V addWhere(typename S::V sum, const float* value, const std::uint64_t* place, int part) {
    return S::addWhere(sum, S::loadBits(place + column, part * S::kWidth),
                       S::load(value + part * S::kWidth + shiftOf(stride, pad, column)));
}

template <class S, int pad, int count, bool stream>
void gatherThrees1(std::int64_t width, CoveringThrees lines, float* dst) {
    for (std::int64_t begin = 0; begin < width; begin += kWordBits) {
        for (int part = 0; part < kWordBits / S::kWidth && begin + part * S::kWidth < width; ++part) {
            typename S::V sum = S::set(0.0F);
#pragma GCC unroll 3
            for (int line = 0; line < count; ++line) {
                sum = addWhere<S, 1, pad, 2>(sum, lines.value[line], lines.place[line], part);
                sum = addWhere<S, 1, pad, 1>(sum, lines.value[line], lines.place[line], part);
                sum = addWhere<S, 1, pad, 0>(sum, lines.value[line], lines.place[line], part);
            }
            put<S, stream>(dst + begin + part * S::kWidth, sum);
        }
#pragma GCC unroll 3
        for (int line = 0; line < count; ++line) {
            lines.value[line] += kWordBits;
            lines.place[line] += 9;
        }
    }
}

template <class S, int pad, int count, bool stream>
void gatherThrees2(std::int64_t width, CoveringThrees lines, float* dst) {
    for (std::int64_t begin = 0; begin < width; begin += std::int64_t{2} * kWordBits) {
        for (int part = 0; part < kWordBits / S::kWidth && begin + std::int64_t{2} * part * S::kWidth < width;
             ++part) {
            typename S::V both = S::set(0.0F), middle = both; // elements two windows share, and those of one
#pragma GCC unroll 2
            for (int line = 0; line < count; ++line) {
                both = addWhere<S, 2, pad, 2>(both, lines.value[line], lines.place[line], part);
                both = addWhere<S, 2, pad, 0>(both, lines.value[line], lines.place[line], part);
                middle = addWhere<S, 2, pad, 1>(middle, lines.value[line], lines.place[line], part);
            }
            const typename S::V even = pad == 1 ? middle : both;
            const typename S::V odd = pad == 1 ? both : middle;
            const std::int64_t at = begin + std::int64_t{2} * part * S::kWidth;
            put<S, stream>(dst + at, S::zipLow(even, odd));
            if (at + S::kWidth < width)
                put<S, stream>(dst + at + S::kWidth, S::zipHigh(even, odd));
        }
#pragma GCC unroll 2
        for (int line = 0; line < count; ++line) {
            lines.value[line] += kWordBits;
            lines.place[line] += 9;
        }
    }
}

template <class S, int stride, int pad, int count, bool stream>
inline void gatherThrees(std::int64_t width, const CoveringThrees& lines, float* dst) {
    if constexpr (stride == 1)
        gatherThrees1<S, pad, count, stream>(width, lines, dst);
    else
        gatherThrees2<S, pad, count, stream>(width, lines, dst);
}

template <class S, int stride, int pad, bool stream>
void threesGradient(const PoolGeometry& g, std::int64_t row, const ThreesLines& lines, float* dst) {
    const BitLines bits{lines.bits, lines.words};
    const Range windows = coveringRows(g, row);
    CoveringThrees of{};
    int count = 0;
    for (std::int64_t y = windows.begin; y < windows.end; ++y, ++count) {
        of.value[count] = lines.value + y % 3 * lines.stride + lines.left;
        of.place[count] = bits.places(y) + 3 * (row + g.padTop - y * g.sh);
    }
    if (count == 3)
        gatherThrees<S, stride, pad, stride == 1 ? 3 : 2, stream>(g.w, of, dst); // stride 2: at most two
    else if (count == 2)
        gatherThrees<S, stride, pad, 2, stream>(g.w, of, dst);
    else if (count == 1)
        gatherThrees<S, stride, pad, 1, stream>(g.w, of, dst);
    else
        gatherThrees<S, stride, pad, 0, stream>(g.w, of, dst);
}

template <class S>
void poolThreesGradient(const PoolGeometry& g, std::int64_t row, const ThreesLines& lines, float* dst,
                        bool stream) {
    withThrees(g, [&]<int stride, int pad>() {
        if (stream)
            threesGradient<S, stride, pad, true>(threesGeometry<stride, pad>(g), row, lines, dst);
        else
            threesGradient<S, stride, pad, false>(threesGeometry<stride, pad>(g), row, lines, dst);
    });
}

} // namespace
} // namespace heteroscope::compute::openmp
