// SPDX-License-Identifier: Apache-2.0
// Max pooling backward for the most frequent window, 2x2 with stride 2 and no padding, in one pass: every
// pair of input rows belongs to one row of windows.
#pragma once

#include "compute/backends/openmp/pool_forward.h"

namespace heteroscope::compute::openmp {
namespace {

/// Where the gradient of S::kWidth windows goes: vectors of the two rows, left and right half.
template <class S>
struct PairVectors {
    typename S::V topLeft, topRight, bottomLeft, bottomRight;
};

template <class S>
inline PairVectors<S> pairGradient(const float* top, const float* bottom, const float* gradient) {
    using V = typename S::V;
    const V t0 = S::load(top), t1 = S::load(top + S::kWidth);
    const V b0 = S::load(bottom), b1 = S::load(bottom + S::kWidth);
    const V zero = S::set(0.0F);
    const V value = S::add(S::load(gradient), zero); // -0 becomes +0, as in a sum that starts from +0
    V best = S::even(t0, t1);
    V first = value, second = zero, third = zero, fourth = zero;
    const auto take = [&](V element, V& place) {
        const auto replace = S::replaces(best, element);
        best = S::select(replace, element, best);
        place = S::onlyWhere(replace, value);
        return replace;
    };
    const auto bySecond = take(S::odd(t0, t1), second);
    first = S::select(bySecond, zero, first);
    const auto byThird = take(S::even(b0, b1), third);
    first = S::select(byThird, zero, first);
    second = S::select(byThird, zero, second);
    const auto byFourth = take(S::odd(b0, b1), fourth);
    first = S::select(byFourth, zero, first);
    second = S::select(byFourth, zero, second);
    third = S::select(byFourth, zero, third);
    return {S::zipLow(first, second), S::zipHigh(first, second), S::zipLow(third, fourth),
            S::zipHigh(third, fourth)};
}

/// The columns of one pair of rows that windows cover. Streaming asks for whole half vectors (see
/// PoolKernels).
template <class S, bool stream>
void pairColumns(const PoolGeometry& g, const float* src, const float* gradient, float* dst) {
    std::int64_t x = 0;
    const float* next = fetchFrom(g, src, 2);
    for (; x + S::kWidth <= g.outW; x += S::kWidth) {
        if (g.fetchAhead)
            fetch(next + 4 * x, 4 * S::kWidth);
        const PairVectors<S> v = pairGradient<S>(src + 2 * x, src + g.w + 2 * x, gradient + x);
        put<S, stream>(dst + 2 * x, v.topLeft);
        put<S, stream>(dst + 2 * x + S::kWidth, v.topRight);
        put<S, stream>(dst + g.w + 2 * x, v.bottomLeft);
        put<S, stream>(dst + g.w + 2 * x + S::kWidth, v.bottomRight);
    }
    if (x == g.outW)
        return;
    x = g.outW - S::kWidth; // again the last ones; streaming leaves out what is already there
    const PairVectors<S> v = pairGradient<S>(src + 2 * x, src + g.w + 2 * x, gradient + x);
    if constexpr (!stream) {
        S::store(dst + 2 * x, v.topLeft);
        S::store(dst + g.w + 2 * x, v.bottomLeft);
    }
    put<S, stream>(dst + 2 * x + S::kWidth, v.topRight);
    put<S, stream>(dst + g.w + 2 * x + S::kWidth, v.bottomRight);
}

inline void clear(float* p, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        p[i] = 0.0F;
}

template <class S>
void poolBackwardPairs(const PoolGeometry& g, const float* plane, const float* dstGrad, std::int64_t pair,
                       float* dst, bool stream) {
    if (pair >= g.outH) { // an odd height leaves one row without windows
        clear(dst, g.w);
        return;
    }
    const float* src = plane + 2 * pair * g.w;
    if (stream)
        pairColumns<S, true>(g, src, dstGrad + pair * g.outW, dst);
    else
        pairColumns<S, false>(g, src, dstGrad + pair * g.outW, dst);
    const std::int64_t covered = 2 * g.outW;
    clear(dst + covered, g.w - covered);
    clear(dst + g.w + covered, g.w - covered);
}

} // namespace
} // namespace heteroscope::compute::openmp
