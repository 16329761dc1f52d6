// SPDX-License-Identifier: Apache-2.0
// The inner tile of matrix multiplication on vectors of type S: S::kGemmRows rows by two vectors of columns,
// held in registers over the whole depth.
#pragma once

#include <cstdint>

namespace heteroscope::compute::openmp {
namespace {

template <class S>
void gemmTile(std::int64_t k, const float* a, const float* b, float* c, std::int64_t ldc, bool add) {
    constexpr int rows = S::kGemmRows;
    typename S::V low[rows], high[rows];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
        low[i] = high[i] = S::set(0.0F);
    for (std::int64_t p = 0; p < k; ++p, a += rows, b += 2 * S::kWidth) {
        const typename S::V b0 = S::load(b), b1 = S::load(b + S::kWidth);
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            const typename S::V factor = S::set(a[i]);
            low[i] = S::multiplyAdd(factor, b0, low[i]);
            high[i] = S::multiplyAdd(factor, b1, high[i]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
        float* row = c + i * ldc;
        if (add) {
            low[i] = S::add(low[i], S::load(row));
            high[i] = S::add(high[i], S::load(row + S::kWidth));
        }
        S::store(row, low[i]);
        S::store(row + S::kWidth, high[i]);
    }
}

} // namespace
} // namespace heteroscope::compute::openmp
