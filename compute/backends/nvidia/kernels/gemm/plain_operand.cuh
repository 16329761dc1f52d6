// SPDX-License-Identifier: Apache-2.0
// Operands and results of tile_product.cuh that are plain matrices.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"

#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::nvidia {

/// at(row, k) = base[row * rowStride + k], or with KFast = false base[k * rowStride + row]. Fewer than 2^32
/// elements.
template <bool KFast>
struct PlainOperand {
    static constexpr bool kFast = KFast, kWhole = !KFast, kEnds = true, kCheap = true;
    using Row = unsigned;
    struct Step {
        const float* at;
    };
    const float* base;
    std::size_t rowStride;
    std::size_t groupStride = 0;

    __device__ void select(unsigned group) { base += group * groupStride; }
    __device__ Row row(unsigned index) const { return KFast ? index * unsigned(rowStride) : index; }
    __device__ Step step(unsigned k) const { return {base + k}; }
    __device__ Step tile(unsigned k) const { return {base + k * rowStride}; }
    __device__ std::size_t stride() const { return rowStride; }
    __device__ Source at(Row row, const Step& step) const { return {step.at + row, true}; }
};

/// Whether rows of that many elements are made of whole groups of four that are written at once.
inline bool holdsVec4(const float* base, std::size_t columns) {
    return columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(base) % sizeof(float4) == 0;
}

/// base[m * columns + n]; n are the epilogue's channels.
struct PlainResult {
    float* base;
    std::size_t columns;
    Epilogue epilogue{};
    std::size_t groupStride = 0;
    bool vec4 = holdsVec4(base, columns);

    __device__ void select(unsigned group) { base += group * groupStride; }
    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        const std::size_t index = m * columns + n;
        base[index] = epilogue.of(value, n, index);
    }
    __device__ void putVec4(unsigned m, unsigned n, const float4& four) const {
        const std::size_t index = m * columns + n;
        *reinterpret_cast<float4*>(base + index) =
            make_float4(epilogue.of(four.x, n, index), epilogue.of(four.y, n + 1, index + 1),
                        epilogue.of(four.z, n + 2, index + 2), epilogue.of(four.w, n + 3, index + 3));
    }
};

} // namespace heteroscope::compute::nvidia
