// SPDX-License-Identifier: Apache-2.0
// The memory traffic of pooling with next to no work, over vectors of type S: what no kernel can beat.
#pragma once

#include "tests/bench/compute/limit_table.h"

#include <cstdint>

namespace heteroscope::bench {
namespace {

/// dst[i] = sum of four vectors of src: four reads to one write, past the caches or not.
template <class S, bool stream>
void fourToOne(const float* src, float* dst, std::int64_t outputs) {
    for (std::int64_t i = 0; i + S::kWidth <= outputs; i += S::kWidth) {
        const float* from = src + 4 * i;
        const auto sum = S::add(S::add(S::load(from), S::load(from + S::kWidth)),
                                S::add(S::load(from + 2 * S::kWidth), S::load(from + 3 * S::kWidth)));
        if constexpr (stream)
            S::stream(dst + i, sum);
        else
            S::store(dst + i, sum);
    }
}

/// dst = src + each gradient four times: five reads to four writes.
template <class S, bool stream>
void fiveToFour(const float* src, const float* grad, float* dst, std::int64_t gradients) {
    for (std::int64_t i = 0; i + S::kWidth <= gradients; i += S::kWidth) {
        const auto gradient = S::load(grad + i);
        for (int part = 0; part < 4; ++part) {
            const std::int64_t at = 4 * i + part * S::kWidth;
            if constexpr (stream)
                S::stream(dst + at, S::add(S::load(src + at), gradient));
            else
                S::store(dst + at, S::add(S::load(src + at), gradient));
        }
    }
}

/// dst = src + grad: two reads to one write.
template <class S, bool stream>
void twoToOne(const float* src, const float* grad, float* dst, std::int64_t count) {
    for (std::int64_t i = 0; i + S::kWidth <= count; i += S::kWidth) {
        if constexpr (stream)
            S::stream(dst + i, S::add(S::load(src + i), S::load(grad + i)));
        else
            S::store(dst + i, S::add(S::load(src + i), S::load(grad + i)));
    }
}

template <class S, bool stream>
void copyVectors(const float* src, float* dst, std::int64_t count) {
    for (std::int64_t i = 0; i + S::kWidth <= count; i += S::kWidth) {
        if constexpr (stream)
            S::stream(dst + i, S::load(src + i));
        else
            S::store(dst + i, S::load(src + i));
    }
}

template <class S>
LimitKernels limitKernels() {
    return {copyVectors<S, false>, copyVectors<S, true>, fourToOne<S, false>, fourToOne<S, true>,
            fiveToFour<S, false>,  fiveToFour<S, true>,  twoToOne<S, false>,  twoToOne<S, true>};
}

} // namespace
} // namespace heteroscope::bench
