// SPDX-License-Identifier: Apache-2.0
// Operands and results of tile_product.cuh that are plain matrices.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"

#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::nvidia {

/// at(row, k) = base[row * apart + k], or with KFast = false base[k * apart + row]. Fewer than 2^32 elements.
template <bool KFast>
struct PlainOperand {
    static constexpr bool kFast = KFast, kWhole = !KFast, kEnds = true, kCheap = true;
    using Row = unsigned;
    struct Step {
        const float* at;
    };
    const float* base;
    std::size_t rowApart;
    std::size_t groupApart = 0;

    __device__ void select(unsigned group) { base += group * groupApart; }
    __device__ Row row(unsigned index) const { return KFast ? index * unsigned(rowApart) : index; }
    __device__ Step step(unsigned k) const { return {base + k}; }
    __device__ Step tile(unsigned k) const { return {base + k * rowApart}; }
    __device__ std::size_t apart() const { return rowApart; }
    __device__ Source at(Row row, const Step& step) const { return {step.at + row, true}; }
};

/// Whether rows of that many elements are made of whole groups of four that are written at once.
inline bool inFours(const float* base, std::size_t columns) {
    return columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(base) % sizeof(float4) == 0;
}

/// base[m * columns + n]; n are the epilogue's channels.
struct PlainResult {
    float* base;
    std::size_t columns;
    Epilogue epilogue{};
    std::size_t groupApart = 0;
    bool fours = inFours(base, columns);

    __device__ void select(unsigned group) { base += group * groupApart; }
    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        const std::size_t index = m * columns + n;
        base[index] = epilogue.of(value, n, index);
    }
    __device__ void putFour(unsigned m, unsigned n, const float4& four) const {
        const std::size_t index = m * columns + n;
        *reinterpret_cast<float4*>(base + index) =
            make_float4(epilogue.of(four.x, n, index), epilogue.of(four.y, n + 1, index + 1),
                        epilogue.of(four.z, n + 2, index + 2), epilogue.of(four.w, n + 3, index + 3));
    }
};

} // namespace heteroscope::compute::nvidia
