// SPDX-License-Identifier: Apache-2.0
// One window of the gradient of a 2x2 maximum: what Unpooling says, for kernels that have that gradient in a
// register.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/pool/pool_compare.cuh"

namespace heteroscope::compute::nvidia {

/// Four values that were pooled. Windows are loaded before the first is written: their loads overlap.
struct PooledWindow {
    float values[4];

    __device__ void load(const float* corner, int width) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            values[i] = __ldg(corner + i / 2 * width + i % 2);
    }
    /// The first maximum gets the gradient, unless it is a ReLU's and not above zero.
    __device__ void write(float gradient, bool relu, float* corner, int width) const {
        float best = values[0];
        int place = 0;
#pragma unroll
        for (int i = 1; i < 4; ++i)
            if (beats(values[i], best)) {
                best = values[i];
                place = i;
            }
        if (relu && !(best > 0.0F))
            gradient = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            corner[i / 2 * width + i % 2] = i == place ? gradient : 0.0F;
    }
};

/// Of what was pooled: the corner of the window of a maximum in (y, x).
__device__ inline std::size_t cornerOf(const Unpooling& u, std::size_t plane, int y, int x) {
    return (plane * u.height + 2 * y) * u.width + 2 * x;
}

/// Zeros in the odd last column and row, which no window covers, as far as they lie beside that of (y, x).
__device__ inline void zeroEdges(const Unpooling& u, float* corner, int y, int x) {
    const bool column = 2 * x + 3 == u.width, row = 2 * y + 3 == u.height;
    if (column)
        corner[2] = corner[u.width + 2] = 0;
    if (row)
        corner[2 * u.width] = corner[2 * u.width + 1] = 0;
    if (column && row)
        corner[2 * u.width + 2] = 0;
}

} // namespace heteroscope::compute::nvidia
