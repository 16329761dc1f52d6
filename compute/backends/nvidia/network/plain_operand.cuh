// SPDX-License-Identifier: Apache-2.0
// Operands and results of tile_product.cuh that are plain matrices.
#pragma once

#include <cstddef>

namespace heteroscope::compute::nvidia {

/// at(row, k) = base[row * Apart + k], or with KFast = false base[k * apart + row].
template <bool KFast>
struct PlainOperand {
    static constexpr bool kFast = KFast;
    using Row = const float*;
    struct Step {
        std::size_t offset;
    };
    const float* base;
    std::size_t apart;
    std::size_t groupApart = 0;

    __device__ void select(unsigned group) { base += group * groupApart; }
    __device__ Row row(unsigned index) const { return base + (KFast ? index * apart : index); }
    __device__ Step step(unsigned k) const { return {KFast ? k : k * apart}; }
    __device__ float at(Row row, const Step& step) const { return row[step.offset]; }
};

/// base[m * columns + n], with a bias for each n where there is one.
struct PlainResult {
    float* base;
    std::size_t columns;
    const float* bias = nullptr;
    std::size_t groupApart = 0;

    __device__ void select(unsigned group) { base += group * groupApart; }
    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        base[m * columns + n] = bias == nullptr ? value : value + bias[n];
    }
};

} // namespace heteroscope::compute::nvidia
