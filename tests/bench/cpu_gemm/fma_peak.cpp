// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/cpu_gemm/fma_peak.h"

#include "compute/base/clock.h"
#include "compute/core/cpu.h"

#include <cstdint>
#include <immintrin.h>

namespace heteroscope::bench {
namespace {

constexpr int kChains = 12; ///< more than latency times units, fewer than AVX2's registers
constexpr std::int64_t kSteps = 1 << 16;
constexpr double kSeconds = 0.05;

__attribute__((target("avx512f"))) double stepsAvx512(double factor) {
    __m512 sums[kChains];
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i)
        sums[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 x = _mm512_set1_ps(static_cast<float>(factor)), y = _mm512_set1_ps(1e-3F);
    for (std::int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 16
        for (int i = 0; i < kChains; ++i)
            sums[i] = _mm512_fmadd_ps(sums[i], x, y);
    float lanes[16];
    double total = 0;
    for (const __m512 sum : sums) {
        _mm512_storeu_ps(lanes, sum);
        total += static_cast<double>(lanes[0]);
    }
    return total;
}

__attribute__((target("avx2,fma"))) double stepsAvx2(double factor) {
    __m256 sums[kChains];
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i)
        sums[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 x = _mm256_set1_ps(static_cast<float>(factor)), y = _mm256_set1_ps(1e-3F);
    for (std::int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 16
        for (int i = 0; i < kChains; ++i)
            sums[i] = _mm256_fmadd_ps(sums[i], x, y);
    float lanes[8];
    double total = 0;
    for (const __m256 sum : sums) {
        _mm256_storeu_ps(lanes, sum);
        total += static_cast<double>(lanes[0]);
    }
    return total;
}

double stepsBaseline(double factor) {
    __m128 sums[kChains];
    for (int i = 0; i < kChains; ++i)
        sums[i] = _mm_set1_ps(static_cast<float>(i));
    const __m128 x = _mm_set1_ps(static_cast<float>(factor)), y = _mm_set1_ps(1e-3F);
    for (std::int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 16
        for (int i = 0; i < kChains; ++i)
            sums[i] = _mm_add_ps(_mm_mul_ps(sums[i], x), y);
    float lanes[4];
    double total = 0;
    for (const __m128 sum : sums) {
        _mm_storeu_ps(lanes, sum);
        total += static_cast<double>(lanes[0]);
    }
    return total;
}

struct Loop {
    double (*steps)(double);
    int width;
};

Loop bestLoop() {
    switch (compute::detectSimd()) {
    case compute::SimdLevel::Avx512:
        return {stepsAvx512, 16};
    case compute::SimdLevel::Avx2:
        return {stepsAvx2, 8};
    case compute::SimdLevel::Baseline:
        break;
    }
    return {stepsBaseline, 4};
}

} // namespace

double fmaPeak(int threads) {
    const Loop loop = bestLoop();
    double rate = 0, kept = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate, kept)
    {
        kept += loop.steps(0.999); // the clock speeds up
#pragma omp barrier
        const std::int64_t start = steadyNowNs();
        std::int64_t rounds = 0, now = start;
        for (; static_cast<double>(now - start) < kSeconds * 1e9; now = steadyNowNs(), ++rounds)
            kept += loop.steps(0.999);
        rate += 2.0 * kChains * loop.width * static_cast<double>(kSteps * rounds) /
                static_cast<double>(now - start);
    }
    return kept > 0 ? rate : 0;
}

} // namespace heteroscope::bench
