// SPDX-License-Identifier: Apache-2.0
// Sums are kept in eight doubles, so that their order is that of the elements alone.
#pragma once

#include <cstdint>

namespace heteroscope::compute::openmp {
namespace {

constexpr int kLanes = 8;

/// Calls term(i) for each element, in lanes.
template <class Term>
double total(std::int64_t n, Term term) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            lanes[lane] += term(i + lane);
    for (int lane = 0; i < n; ++i, ++lane)
        lanes[lane] += term(i);
    double sum = 0.0;
    for (const double lane : lanes)
        sum += lane;
    return sum;
}

} // namespace
} // namespace heteroscope::compute::openmp
