// SPDX-License-Identifier: Apache-2.0
// Four floats at a time, on every x86-64 processor (SSE2).
#pragma once

#include "compute/backends/openmp/simd_vec4.h"

#include <cstdint>
#include <emmintrin.h>

namespace heteroscope::compute::openmp {
namespace {

struct Simd {
    static constexpr int kWidth = 4;
    static constexpr int kGemmRows = 6;
    static constexpr int kDotRows = 2, kTransposed = 4;
    static constexpr int kWeightRows = 3, kWeightColumns = 3;
    using V = __m128;
    using I = __m128i;
    using M = __m128;

    static V load(const float* p) { return _mm_loadu_ps(p); }
    static I loadInt(const std::int32_t* p) { return _mm_loadu_si128(reinterpret_cast<const I*>(p)); }
    static void store(float* p, V v) { _mm_storeu_ps(p, v); }
    static void storeInt(std::int32_t* p, I v) { _mm_storeu_si128(reinterpret_cast<I*>(p), v); }
    static void stream(float* p, V v) { _mm_stream_ps(p, v); }
    static V set(float x) { return _mm_set1_ps(x); }
    static I setInt(std::int32_t x) { return _mm_set1_epi32(x); }
    static V add(V a, V b) { return _mm_add_ps(a, b); }
    static V divide(V a, V b) { return _mm_div_ps(a, b); }
    static V multiplyAdd(V a, V b, V c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
    static M less(V a, V b) { return _mm_cmplt_ps(a, b); }
    static M equal(I a, I b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
    /// Where `v` takes the place of maximum `m`: it is larger or NaN, and m is not NaN.
    static M replaces(V m, V v) { return _mm_and_ps(_mm_cmpord_ps(m, m), _mm_cmpnle_ps(v, m)); }
    /// The larger; `m` when they are equal or either is NaN.
    static V larger(V m, V v) { return _mm_max_ps(v, m); }
    static M unordered(V a, V b) { return _mm_cmpunord_ps(a, b); }
    static M either(M a, M b) { return _mm_or_ps(a, b); }
    static bool any(M mask) { return _mm_movemask_ps(mask) != 0; }
    /// Lanes from `low` to before `high` from memory, the others `fill`; nothing else is read.
    static V loadInside(const float* p, std::int64_t low, std::int64_t high, V fill) {
        alignas(64) float lanes[kWidth];
        store(lanes, fill);
        for (std::int64_t lane = low > 0 ? low : 0; lane < high && lane < kWidth; ++lane)
            lanes[lane] = p[lane];
        return load(lanes);
    }
    static void storeFirst(float* p, V v, std::int64_t count) {
        alignas(64) float lanes[kWidth];
        store(lanes, v);
        for (std::int64_t lane = 0; lane < count && lane < kWidth; ++lane)
            p[lane] = lanes[lane];
    }
    static V select(M mask, V yes, V no) { return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)); }
    static I selectInt(M mask, I yes, I no) {
        return _mm_castps_si128(select(mask, _mm_castsi128_ps(yes), _mm_castsi128_ps(no)));
    }
    static V onlyWhere(M mask, V v) { return _mm_and_ps(mask, v); }
    static V addWhere(V sum, M mask, V v) { return _mm_add_ps(sum, _mm_and_ps(mask, v)); }
    static M firstLane() { return maskOf(1); }
    static unsigned bits(M mask) { return static_cast<unsigned>(_mm_movemask_ps(mask)); }
    /// Lanes whose bits are set in a line of bits, one for each element; `at` is a multiple of kWidth.
    static M loadBits(const std::uint64_t* line, std::int64_t at) {
        return maskOf(reinterpret_cast<const unsigned char*>(line)[at / 8] >> at % 8);
    }
    /// Elements 0, 2, 4 ... of a followed by b, and 1, 3, 5 ...
    static V even(V a, V b) { return _mm_shuffle_ps(a, b, 0x88); }
    static V odd(V a, V b) { return _mm_shuffle_ps(a, b, 0xdd); }
    /// The last element of `before`, then `v` without its last.
    static V follow(V before, V v) { return _mm_shuffle_ps(_mm_shuffle_ps(before, v, 0x0f), v, 0x98); }
    /// a0 b0 a1 b1 ...: the first and the second half.
    static V zipLow(V a, V b) { return _mm_unpacklo_ps(a, b); }
    static V zipHigh(V a, V b) { return _mm_unpackhi_ps(a, b); }
    /// The transpose of 4 x 4 floats. Rows of the source are `step` floats apart, those of the result
    /// `width`.
    static void transpose(const float* from, std::int64_t step, float* to, std::int64_t width) {
        transpose4x4(from, step, to, width);
    }
    /// Each vector's sum of elements.
    static void sumsOfVectors(V a, V b, V c, V d, float* sums) { sumsOfVec4(a, b, c, d, sums); }

  private:
    static M maskOf(int bits) {
        const I lane = _mm_set_epi32(8, 4, 2, 1);
        return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(bits), lane), lane));
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
