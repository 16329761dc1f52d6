// SPDX-License-Identifier: Apache-2.0
// Sixteen floats at a time. Only for sources compiled for AVX-512 (F, BW, DQ, VL).
#pragma once

#include "compute/backends/openmp/simd_vec4.h"
#include "compute/backends/openmp/simd_vec8.h"

#include <cstdint>
#include <immintrin.h>

namespace heteroscope::compute::openmp {
namespace {

struct Simd {
    static constexpr int kWidth = 16;
    static constexpr int kGemmRows = 12;
    static constexpr int kDotRows = 4, kTransposed = 8;
    static constexpr int kWeightRows = 4, kWeightColumns = 6;
    using V = __m512;
    using I = __m512i;
    using M = __mmask16;

    static V load(const float* p) { return _mm512_loadu_ps(p); }
    static I loadInt(const std::int32_t* p) { return _mm512_loadu_si512(p); }
    static void store(float* p, V v) { _mm512_storeu_ps(p, v); }
    static void storeInt(std::int32_t* p, I v) { _mm512_storeu_si512(p, v); }
    static void stream(float* p, V v) { _mm512_stream_ps(p, v); }
    static V set(float x) { return _mm512_set1_ps(x); }
    static I setInt(std::int32_t x) { return _mm512_set1_epi32(x); }
    static V add(V a, V b) { return _mm512_add_ps(a, b); }
    static V divide(V a, V b) { return _mm512_div_ps(a, b); }
    static V multiplyAdd(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
    static M less(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
    static M equal(I a, I b) { return _mm512_cmpeq_epi32_mask(a, b); }
    /// Where `v` takes the place of maximum `m`: it is larger or NaN, and m is not NaN.
    static M replaces(V m, V v) {
        return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(m, m, _CMP_ORD_Q), v, m, _CMP_NLE_UQ);
    }
    /// The larger; `m` when they are equal or either is NaN.
    static V larger(V m, V v) { return _mm512_max_ps(v, m); }
    static M unordered(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q); }
    static M either(M a, M b) { return static_cast<M>(a | b); }
    static bool any(M mask) { return mask != 0; }
    /// Lanes from `low` to before `high` from memory, the others `fill`; nothing else is read.
    static V loadInside(const float* p, std::int64_t low, std::int64_t high, V fill) {
        return _mm512_mask_loadu_ps(fill, static_cast<M>(lanesBelow(high) & ~lanesBelow(low)), p);
    }
    static void storeFirst(float* p, V v, std::int64_t count) {
        _mm512_mask_storeu_ps(p, static_cast<M>(lanesBelow(count)), v);
    }
    static V select(M mask, V yes, V no) { return _mm512_mask_mov_ps(no, mask, yes); }
    static I selectInt(M mask, I yes, I no) { return _mm512_mask_mov_epi32(no, mask, yes); }
    static V onlyWhere(M mask, V v) { return _mm512_maskz_mov_ps(mask, v); }
    static V addWhere(V sum, M mask, V v) { return _mm512_mask_add_ps(sum, mask, sum, v); }
    static M firstLane() { return 1; }
    static unsigned bits(M mask) { return mask; }
    /// Lanes whose bits are set in a line of bits, one for each element; `at` is a multiple of kWidth.
    static M loadBits(const std::uint64_t* line, std::int64_t at) {
        M mask;
        __builtin_memcpy(&mask, reinterpret_cast<const char*>(line) + at / 8, sizeof mask);
        return mask;
    }
    /// Elements 0, 2, 4 ... of a followed by b, and 1, 3, 5 ...
    static V even(V a, V b) {
        const I index = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
        return _mm512_permutex2var_ps(a, index, b);
    }
    static V odd(V a, V b) {
        const I index = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
        return _mm512_permutex2var_ps(a, index, b);
    }
    /// The last element of `before`, then `v` without its last.
    static V follow(V before, V v) {
        return _mm512_castsi512_ps(
            _mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_castps_si512(before), kWidth - 1));
    }
    /// a0 b0 a1 b1 ...: the first and the second half.
    static V zipLow(V a, V b) {
        const I index = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
        return _mm512_permutex2var_ps(a, index, b);
    }
    static V zipHigh(V a, V b) {
        const I index = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
        return _mm512_permutex2var_ps(a, index, b);
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
    static __m128 quarter(V v) {
        const __m256 half =
            _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xff, v, 0), _mm512_maskz_extractf32x8_ps(0xff, v, 1));
        return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    }
    static unsigned lanesBelow(std::int64_t count) {
        return count <= 0 ? 0U : count >= kWidth ? 0xffffU : (1U << count) - 1U;
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
