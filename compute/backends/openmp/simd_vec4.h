// SPDX-License-Identifier: Apache-2.0
// Blocks of four floats, with the instructions that every x86-64 processor has. Every set is compiled with
// its own encoding of them.
#pragma once

#include <cstdint>
#include <xmmintrin.h>

namespace heteroscope::compute::openmp {
namespace {

/// The transpose of 4 x 4 floats. Rows of the source are `step` floats apart, those of the result `width`.
inline void transpose4x4(const float* from, std::int64_t step, float* to, std::int64_t width) {
    __m128 r0 = _mm_loadu_ps(from), r1 = _mm_loadu_ps(from + step);
    __m128 r2 = _mm_loadu_ps(from + 2 * step), r3 = _mm_loadu_ps(from + 3 * step);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(to, r0);
    _mm_storeu_ps(to + width, r1);
    _mm_storeu_ps(to + 2 * width, r2);
    _mm_storeu_ps(to + 3 * width, r3);
}

inline void copyVec4(const float* from, float* to) {
    _mm_storeu_ps(to, _mm_loadu_ps(from));
}

/// The sums of the elements of four vectors.
inline void sumsOfVec4(__m128 a, __m128 b, __m128 c, __m128 d, float* sums) {
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(sums, _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d)));
}

} // namespace
} // namespace heteroscope::compute::openmp
