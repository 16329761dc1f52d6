// SPDX-License-Identifier: Apache-2.0
// One pooling window at a time: where it lies, its maximum, its average. Used at the edges, where windows
// reach into the padding. Everything has internal linkage: each instruction set compiles its own.
#pragma once

#include "compute/backends/openmp/kernels.h"

namespace heteroscope::compute::openmp {
namespace {

constexpr float kMinusInfinity = -__builtin_inff();

/// Half-open range of an axis, clipped to the input.
struct Range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
};

inline Range windowRange(std::int64_t at, std::int64_t stride, std::int64_t pad, std::int64_t kernel,
                         std::int64_t size) {
    const std::int64_t first = at * stride - pad;
    const std::int64_t last = first + kernel;
    return {first < 0 ? 0 : first, last > size ? size : last};
}

inline Range windowRows(const PoolGeometry& g, std::int64_t row) {
    return windowRange(row, g.sh, g.padTop, g.kh, g.h);
}

/// Output rows whose windows cover an input row; may be empty.
inline Range coveringRows(const PoolGeometry& g, std::int64_t row) {
    const std::int64_t reach = row + g.padTop;
    const std::int64_t begin = reach < g.kh ? 0 : (reach - g.kh) / g.sh + 1;
    const std::int64_t last = reach / g.sh;
    return {begin, (last < g.outH ? last : g.outH - 1) + 1};
}

/// Output columns whose windows lie between the left and right edge of the input.
inline Range interiorColumns(const PoolGeometry& g) {
    std::int64_t begin = (g.padLeft + g.sw - 1) / g.sw;
    std::int64_t end = g.w + g.padLeft >= g.kw ? (g.w + g.padLeft - g.kw) / g.sw + 1 : 0;
    begin = begin < g.outW ? begin : g.outW;
    end = end < g.outW ? end : g.outW;
    return {begin, end < begin ? begin : end};
}

/// Asks for `count` elements that are read soon. Nothing happens where there is no memory.
inline void fetch(const float* p, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 16)
        __builtin_prefetch(p + i);
}

/// Where to fetch while the rows before `row` are worked on: there, or for short rows at least that far ahead
/// (4 KiB: rows of that length and more gained most from the next ones, shorter ones follow each other).
inline const float* fetchFrom(const PoolGeometry& g, const float* plane, std::int64_t row) {
    constexpr std::int64_t kAhead = 1024;
    const float* next = plane + row * g.w;
    return g.w < kAhead ? next + kAhead : next;
}

struct Maximum {
    float value;
    std::int32_t code; ///< row in the window times kw plus column; -1: a zero pad won
};

inline bool isNan(float x) {
    return x != x;
}

inline Maximum windowMaximum(const PoolGeometry& g, const float* plane, std::int64_t row, Range rows,
                             std::int64_t column) {
    const Range columns = windowRange(column, g.sw, g.padLeft, g.kw, g.w);
    const std::int64_t top = row * g.sh - g.padTop, left = column * g.sw - g.padLeft;
    Maximum best{plane[rows.begin * g.w + columns.begin],
                 static_cast<std::int32_t>((rows.begin - top) * g.kw + columns.begin - left)};
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
        for (std::int64_t x = columns.begin; x < columns.end; ++x) {
            const float value = plane[y * g.w + x];
            if (!isNan(best.value) && !(value <= best.value))
                best = {value, static_cast<std::int32_t>((y - top) * g.kw + x - left)};
        }
    }
    if (g.zeroPad && rows.size() * columns.size() < g.kh * g.kw && best.value < 0.0F)
        return {0.0F, -1};
    return best;
}

inline float windowDivisor(const PoolGeometry& g, Range rows, std::int64_t column) {
    const Range columns = windowRange(column, g.sw, g.padLeft, g.kw, g.w);
    return static_cast<float>(g.countIncludePad ? g.kh * g.kw : rows.size() * columns.size());
}

inline float windowAverage(const PoolGeometry& g, const float* plane, Range rows, std::int64_t column) {
    const Range columns = windowRange(column, g.sw, g.padLeft, g.kw, g.w);
    float sum = 0.0F;
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
        for (std::int64_t x = columns.begin; x < columns.end; ++x)
            sum += plane[y * g.w + x];
    }
    return sum / windowDivisor(g, rows, column);
}

/// Calls vector(column) for groups of `width` columns that together cover [begin, end), the last group
/// overlapping the one before, or single(column) for each when there are fewer.
template <int width, class Vector, class Single>
inline void coverColumns(Range columns, const Vector& vector, const Single& single) {
    if (columns.size() < width) {
        for (std::int64_t x = columns.begin; x < columns.end; ++x)
            single(x);
        return;
    }
    std::int64_t x = columns.begin;
    for (; x + width <= columns.end; x += width)
        vector(x);
    if (x < columns.end)
        vector(columns.end - width);
}

} // namespace
} // namespace heteroscope::compute::openmp
