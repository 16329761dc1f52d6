// SPDX-License-Identifier: Apache-2.0
// Reading the elements of neighbouring windows as vectors of type S, and writing past the caches or not.
#pragma once

#include "compute/backends/openmp/pool_window.h"

namespace heteroscope::compute::openmp {
namespace {

template <class S, bool stream>
inline void put(float* p, typename S::V v) {
    if constexpr (stream)
        S::stream(p, v);
    else
        S::store(p, v);
}

/// Reads vectors that lie inside the input.
template <class S>
struct InsideReader {
    typename S::V load(const float* p) const { return S::load(p); }
    float element(const float* p) const { return *p; }
};

/// Reads vectors that reach beyond the row from `begin` to `end`; there the elements are `fill`.
template <class S>
struct EdgeReader {
    const float* begin;
    const float* end;
    float fill;
    typename S::V load(const float* p) const { return S::loadInside(p, begin - p, end - p, S::set(fill)); }
    float element(const float* p) const { return p >= begin && p < end ? *p : fill; }
};

/// Element `column` of S::kWidth neighbouring windows that start at p. Reads nothing beyond those windows.
template <class S, int stride, class Reader>
inline typename S::V windowElements(const Reader& reader, const float* p, std::int64_t column,
                                    std::int64_t runtimeStride) {
    if constexpr (stride == 1) {
        return reader.load(p + column);
    } else if constexpr (stride == 2) {
        if (column == 0)
            return S::even(reader.load(p), reader.load(p + S::kWidth));
        return S::odd(reader.load(p + column - 1), reader.load(p + column - 1 + S::kWidth));
    } else {
        alignas(64) float gathered[S::kWidth];
        for (int lane = 0; lane < S::kWidth; ++lane)
            gathered[lane] = reader.element(p + lane * runtimeStride + column);
        return S::load(gathered);
    }
}

} // namespace
} // namespace heteroscope::compute::openmp
