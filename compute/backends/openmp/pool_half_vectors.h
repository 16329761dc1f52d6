// SPDX-License-Identifier: Apache-2.0
// Max pooling forward for 2x2 windows with stride 2 and no padding, past the caches, when rows of outputs are
// short and end within a cache line: a vector of outputs is two halves, each from a row of its own, so that
// every line is written at once and whole.
#pragma once

#include "compute/backends/openmp/pool_vectors.h"

namespace heteroscope::compute::openmp {
namespace {

/// Walks over half vectors of windows, row after row.
template <class S>
struct HalfVectors {
    static constexpr std::int64_t kHalf = S::kWidth / 2;
    const float* p; ///< of the next half: its first window
    std::int64_t outW, skip, left;

    HalfVectors(const PoolGeometry& g, const float* first)
        : p(first), outW(g.outW), skip(2 * (g.w - g.outW)), left(g.outW) {}
    const float* next() {
        const float* half = p;
        p += S::kWidth;
        left -= kHalf;
        if (left == 0) {
            p += skip;
            left = outW;
        }
        return half;
    }
};

/// Maxima of the windows of two halves; the plain instruction loses NaN, so with one they are done with care.
template <class S>
inline typename S::V maximaOf2x2(const float* left, const float* right, std::int64_t width) {
    using V = typename S::V;
    const V t0 = S::load(left), t1 = S::load(right);
    const V b0 = S::load(left + width), b1 = S::load(right + width);
    const V first = S::even(t0, t1), second = S::odd(t0, t1), third = S::even(b0, b1),
            fourth = S::odd(b0, b1);
    if (__builtin_expect(S::any(S::either(S::unordered(first, second), S::unordered(third, fourth))), 0)) {
        V best = first;
        for (const V& element : {second, third, fourth})
            best = S::select(S::replaces(best, element), element, best);
        return best;
    }
    return S::larger(S::larger(first, second), S::larger(third, fourth));
}

/// Output rows [rowBegin, rowEnd) past the caches; dst is a multiple of half a vector away from a cache line.
template <class S>
void streamHalfVectors(const PoolGeometry& g, const float* plane, std::int64_t rowBegin, std::int64_t rowEnd,
                       float* dst) {
    constexpr std::int64_t kAhead = 4096; // 16 KiB; 4 KiB took 1.09 times as long
    constexpr std::int64_t half = S::kWidth / 2;
    HalfVectors<S> halves(g, plane + 2 * rowBegin * g.w);
    std::int64_t count = (rowEnd - rowBegin) * g.outW;
    const auto one = [&] {
        const float* p = halves.next();
        S::storeFirst(dst, maximaOf2x2<S>(p, p, g.w), half);
        dst += half;
        count -= half;
    };
    if (reinterpret_cast<std::uintptr_t>(dst) % (S::kWidth * sizeof(float)) != 0)
        one();
    const float* ahead = plane + 2 * rowBegin * g.w + kAhead;
    for (; count >= S::kWidth; count -= S::kWidth, dst += S::kWidth) {
        fetch(ahead, 4 * S::kWidth);
        ahead += 4 * S::kWidth;
        const float* left = halves.next();
        S::stream(dst, maximaOf2x2<S>(left, halves.next(), g.w));
    }
    if (count > 0)
        one();
}

} // namespace
} // namespace heteroscope::compute::openmp
