// SPDX-License-Identifier: Apache-2.0
// Operands and results of tile_product.cuh that are plain matrices.
#pragma once

#include "compute/backends/nvidia/network/epilogue.h"

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

/// base[m * columns + n]; n are the epilogue's channels.
struct PlainResult {
    float* base;
    std::size_t columns;
    Epilogue epilogue{};
    std::size_t groupApart = 0;

    __device__ void select(unsigned group) { base += group * groupApart; }
    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        const std::size_t index = m * columns + n;
        base[index] = epilogue.of(value, n, index);
    }
};

} // namespace heteroscope::compute::nvidia
