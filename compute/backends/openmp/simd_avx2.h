// SPDX-License-Identifier: Apache-2.0
// Eight floats at a time. Only for sources compiled for AVX2 and FMA.
#pragma once

#include "compute/backends/openmp/simd_vec4.h"
#include "compute/backends/openmp/simd_vec8.h"

#include <cstdint>
#include <immintrin.h>

namespace heteroscope::compute::openmp {
namespace {

struct Simd {
    static constexpr int kWidth = 8;
    static constexpr int kGemmRows = 6;
    static constexpr int kDotRows = 2, kTransposed = 8;
    static constexpr int kWeightRows = 3, kWeightColumns = 4;
    using V = __m256;
    using I = __m256i;
    using M = __m256;

    static V load(const float* p) { return _mm256_loadu_ps(p); }
    static I loadInt(const std::int32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const I*>(p)); }
    static void store(float* p, V v) { _mm256_storeu_ps(p, v); }
    static void storeInt(std::int32_t* p, I v) { _mm256_storeu_si256(reinterpret_cast<I*>(p), v); }
    static void stream(float* p, V v) { _mm256_stream_ps(p, v); }
    static V set(float x) { return _mm256_set1_ps(x); }
    static I setInt(std::int32_t x) { return _mm256_set1_epi32(x); }
    static V add(V a, V b) { return _mm256_add_ps(a, b); }
    static V divide(V a, V b) { return _mm256_div_ps(a, b); }
    static V multiplyAdd(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
    static M less(V a, V b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
    static M equal(I a, I b) { return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)); }
    /// Where `v` takes the place of maximum `m`: it is larger or NaN, and m is not NaN.
    static M replaces(V m, V v) {
        return _mm256_and_ps(_mm256_cmp_ps(m, m, _CMP_ORD_Q), _mm256_cmp_ps(v, m, _CMP_NLE_UQ));
    }
    /// The larger; `m` when they are equal or either is NaN.
    static V larger(V m, V v) { return _mm256_max_ps(v, m); }
    static M unordered(V a, V b) { return _mm256_cmp_ps(a, b, _CMP_UNORD_Q); }
    static M either(M a, M b) { return _mm256_or_ps(a, b); }
    static bool any(M mask) { return _mm256_movemask_ps(mask) != 0; }
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
    static V select(M mask, V yes, V no) { return _mm256_blendv_ps(no, yes, mask); }
    static I selectInt(M mask, I yes, I no) {
        return _mm256_castps_si256(select(mask, _mm256_castsi256_ps(yes), _mm256_castsi256_ps(no)));
    }
    static V onlyWhere(M mask, V v) { return _mm256_and_ps(mask, v); }
    static V addWhere(V sum, M mask, V v) { return _mm256_add_ps(sum, _mm256_and_ps(mask, v)); }
    static M firstLane() { return maskOf(1); }
    static unsigned bits(M mask) { return static_cast<unsigned>(_mm256_movemask_ps(mask)); }
    /// Lanes whose bits are set in a line of bits, one for each element; `at` is a multiple of kWidth.
    static M loadBits(const std::uint64_t* line, std::int64_t at) {
        return maskOf(reinterpret_cast<const unsigned char*>(line)[at / 8]);
    }
    /// Elements 0, 2, 4 ... of a followed by b, and 1, 3, 5 ...
    static V even(V a, V b) { return sorted(_mm256_shuffle_ps(a, b, 0x88)); }
    static V odd(V a, V b) { return sorted(_mm256_shuffle_ps(a, b, 0xdd)); }
    /// The last element of `before`, then `v` without its last.
    static V follow(V before, V v) {
        const __m256i middle = _mm256_castps_si256(_mm256_permute2f128_ps(before, v, 0x21));
        return _mm256_castsi256_ps(_mm256_alignr_epi8(_mm256_castps_si256(v), middle, 12));
    }
    /// a0 b0 a1 b1 ...: the first and the second half.
    static V zipLow(V a, V b) {
        return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
    }
    static V zipHigh(V a, V b) {
        return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
    }
    /// The transpose of 8 x 4 floats: see transpose8x4().
    static void transpose(const float* from, std::int64_t step, float* to, std::int64_t width) {
        transpose8x4(from, step, to, width);
    }
    /// Each vector's sum of elements, in one order: halves are added until four are left.
    static void sumsOfVectors(V a, V b, V c, V d, float* sums) {
        sumsOfVec4(quarter(a), quarter(b), quarter(c), quarter(d), sums);
    }

  private:
    static __m128 quarter(V v) { return _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)); }
    static M maskOf(int bits) {
        const I lane = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
        return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits), lane), lane));
    }
    static V sorted(V shuffled) { // pairs a0 b0 a1 b1 of the two lanes to a0 a1 b0 b1
        return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(shuffled), 0xd8));
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
