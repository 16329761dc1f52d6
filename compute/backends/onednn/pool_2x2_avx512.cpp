// SPDX-License-Identifier: Apache-2.0
// CMakeLists.txt gives this file its instruction set; nothing else may be compiled here.
#include "compute/backends/onednn/pool_2x2.h"

#include <immintrin.h>

namespace heteroscope::compute::onednn {
namespace {

constexpr std::int64_t kLanes = 16;

/// The largest so far and its place in the window.
struct Largest {
    __m512 value;
    __m512i place;

    void take(__m512 next, int number) {
        const __mmask16 known = _mm512_cmp_ps_mask(value, value, _CMP_ORD_Q);
        const __mmask16 none = _mm512_mask_cmp_ps_mask(known, next, next, _CMP_UNORD_Q);
        const __mmask16 larger = _mm512_cmp_ps_mask(next, value, _CMP_GT_OQ) | none;
        value = _mm512_mask_mov_ps(value, larger, next);
        place = _mm512_mask_mov_epi32(place, larger, _mm512_set1_epi32(number));
    }
};

void poolRow(std::int64_t pixels, const float* above, const float* below, float* dst, std::uint8_t* indices) {
    for (std::int64_t at = 0; at < pixels * kLanes; at += kLanes) {
        Largest largest{_mm512_loadu_ps(above + 2 * at), _mm512_setzero_si512()};
        largest.take(_mm512_loadu_ps(above + 2 * at + kLanes), 1);
        largest.take(_mm512_loadu_ps(below + 2 * at), 2);
        largest.take(_mm512_loadu_ps(below + 2 * at + kLanes), 3);
        _mm512_storeu_ps(dst + at, largest.value);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(indices + at), _mm512_cvtepi32_epi8(largest.place));
    }
}

void storeAt(float* to, __m512i place, int number, __m512 gradient) {
    const __mmask16 here = _mm512_cmpeq_epi32_mask(place, _mm512_set1_epi32(number));
    _mm512_storeu_ps(to, _mm512_maskz_mov_ps(here, gradient));
}

void unpoolRow(std::int64_t pixels, const float* dst, const float* dstGrad, const std::uint8_t* indices,
               float* above, float* below) {
    for (std::int64_t at = 0; at < pixels * kLanes; at += kLanes) {
        __m512 gradient = _mm512_loadu_ps(dstGrad + at);
        if (dst != nullptr)
            gradient = _mm512_maskz_mov_ps(
                _mm512_cmp_ps_mask(_mm512_loadu_ps(dst + at), _mm512_setzero_ps(), _CMP_GT_OQ), gradient);
        const __m512i place =
            _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(indices + at)));
        storeAt(above + 2 * at, place, 0, gradient);
        storeAt(above + 2 * at + kLanes, place, 1, gradient);
        storeAt(below + 2 * at, place, 2, gradient);
        storeAt(below + 2 * at + kLanes, place, 3, gradient);
    }
}

void clear(float* from, std::int64_t pixels) {
    for (std::int64_t at = 0; at < pixels * kLanes; at += kLanes)
        _mm512_storeu_ps(from + at, _mm512_setzero_ps());
}

} // namespace

void pool2x2Forward(const Pool2x2Planes& planes, std::int64_t first, std::int64_t last, const float* src,
                    float* dst, std::uint8_t* indices) {
    const std::int64_t rows = planes.height / 2, pixels = planes.width / 2, row = planes.width * kLanes;
    for (std::int64_t plane = first; plane < last; ++plane)
        for (std::int64_t y = 0; y < rows; ++y) {
            const float* above = src + (plane * planes.height + 2 * y) * row;
            const std::int64_t at = (plane * rows + y) * pixels * kLanes;
            poolRow(pixels, above, above + row, dst + at, indices + at);
        }
}

void pool2x2Backward(const Pool2x2Planes& planes, std::int64_t first, std::int64_t last, const float* dst,
                     const float* dstGrad, const std::uint8_t* indices, float* srcGrad) {
    const std::int64_t rows = planes.height / 2, pixels = planes.width / 2, row = planes.width * kLanes;
    for (std::int64_t plane = first; plane < last; ++plane) {
        float* const gradients = srcGrad + plane * planes.height * row;
        for (std::int64_t y = 0; y < rows; ++y) {
            float* const above = gradients + 2 * y * row;
            const std::int64_t at = (plane * rows + y) * pixels * kLanes;
            unpoolRow(pixels, dst == nullptr ? nullptr : dst + at, dstGrad + at, indices + at, above,
                      above + row);
        }
        for (std::int64_t y = 0; planes.width % 2 != 0 && y < planes.height; ++y)
            clear(gradients + (y + 1) * row - kLanes, 1);
        if (planes.height % 2 != 0)
            clear(gradients + (planes.height - 1) * row, planes.width);
    }
}

} // namespace heteroscope::compute::onednn
