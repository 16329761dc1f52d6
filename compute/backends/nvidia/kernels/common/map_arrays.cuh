// SPDX-License-Identifier: Apache-2.0
// Functions of one element of several arrays: four elements a thread, 16 bytes at a time where the arrays
// allow it. An output may be an input's memory: a thread reads its elements before it writes them.
#pragma once

#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

inline constexpr int kMapThreads = 256;

template <int Inputs, int Outputs>
struct MappedArrays {
    const float* in[Inputs];
    float* out[Outputs];

    bool vectors() const {
        const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
        return std::all_of(in, in + Inputs, aligned) && std::all_of(out, out + Outputs, aligned);
    }
};

/// f(first element, x[Inputs][4], y[Outputs][4]) computes the four elements from `first` on.
template <bool Vector, int Inputs, int Outputs, class Function>
__global__ void __launch_bounds__(kMapThreads)
    mapArrays(MappedArrays<Inputs, Outputs> arrays, unsigned elements, Function f) {
    waitForEarlier();
    const unsigned first = (blockIdx.x * kMapThreads + threadIdx.x) * 4;
    if (first >= elements)
        return;
    alignas(16) float x[Inputs][4] = {}, y[Outputs][4];
    const unsigned count = min(4U, elements - first);
    if (Vector && count == 4) {
#pragma unroll
        for (int j = 0; j < Inputs; ++j)
            *reinterpret_cast<float4*>(x[j]) = *reinterpret_cast<const float4*>(arrays.in[j] + first);
    } else {
#pragma unroll
        for (int j = 0; j < Inputs; ++j)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                if (i < count)
                    x[j][i] = arrays.in[j][first + i];
    }
    f(first, x, y);
    if (Vector && count == 4) {
#pragma unroll
        for (int j = 0; j < Outputs; ++j)
            *reinterpret_cast<float4*>(arrays.out[j] + first) = *reinterpret_cast<const float4*>(y[j]);
    } else {
#pragma unroll
        for (int j = 0; j < Outputs; ++j)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                if (i < count)
                    arrays.out[j][first + i] = y[j][i];
    }
}

template <int Inputs, int Outputs, class Function>
cudaError_t launchMap(const MappedArrays<Inputs, Outputs>& arrays, std::int64_t elements, Function f,
                      cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((elements + 4 * kMapThreads - 1) / (4 * kMapThreads));
    const auto kernel = arrays.vectors() ? mapArrays<true, Inputs, Outputs, Function>
                                         : mapArrays<false, Inputs, Outputs, Function>;
    return startDependent(kernel, blocks, kMapThreads, 0, stream, arrays, static_cast<unsigned>(elements), f);
}

} // namespace heteroscope::compute::nvidia
