// SPDX-License-Identifier: Apache-2.0
// What is done with eight floats at a time whatever the ldTo of the vectors. Only for sources compiled for
// AVX2 and more.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace heteroscope::compute::openmp {
namespace {

/// The transpose of 8 x 4 floats, whose leading dimensions are `ldFrom` and `ldTo`.
inline void transpose8x4(const float* from, std::int64_t ldFrom, float* to, std::int64_t ldTo) {
    const float* const after = from + 4 * ldFrom;
    const auto both = [](const float* row, const float* fourth) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row)), _mm_loadu_ps(fourth), 1);
    };
    const __m256 r0 = both(from, after), r1 = both(from + ldFrom, after + ldFrom);
    const __m256 r2 = both(from + 2 * ldFrom, after + 2 * ldFrom),
                 r3 = both(from + 3 * ldFrom, after + 3 * ldFrom);
    const __m256 low01 = _mm256_unpacklo_ps(r0, r1), high01 = _mm256_unpackhi_ps(r0, r1);
    const __m256 low23 = _mm256_unpacklo_ps(r2, r3), high23 = _mm256_unpackhi_ps(r2, r3);
    _mm256_storeu_ps(to, _mm256_shuffle_ps(low01, low23, 0x44));
    _mm256_storeu_ps(to + ldTo, _mm256_shuffle_ps(low01, low23, 0xee));
    _mm256_storeu_ps(to + 2 * ldTo, _mm256_shuffle_ps(high01, high23, 0x44));
    _mm256_storeu_ps(to + 3 * ldTo, _mm256_shuffle_ps(high01, high23, 0xee));
}

} // namespace
} // namespace heteroscope::compute::openmp
