// SPDX-License-Identifier: Apache-2.0
// Fills shared memory with parts of planes, asynchronously: a thread keeps its places in a plane and walks
// over the planes, so that a copy costs an addition.
#pragma once

#include <cstddef>
#include <cuda_pipeline.h>

namespace heteroscope::compute::nvidia {

/// `rows` x `columns` of a plane from (firstRow, firstColumn) on, with zeros where the plane ends.
struct PlanePart {
    int height, width; ///< of the plane
    int rows, columns, firstRow, firstColumn;
    int rowApart, planeApart; ///< in shared memory
};

/// Planes from `limit` on are zeros. Every thread of the block calls it; waitForStage() follows.
__device__ inline void stagePlanes(const PlanePart& p, const float* planes, int count, int limit, float* to) {
    for (int place = int(threadIdx.x); place < p.rows * p.columns; place += int(blockDim.x)) {
        const int row = place / p.columns, column = place - row * p.columns;
        const int y = p.firstRow + row, x = p.firstColumn + column;
        const bool inside = unsigned(y) < unsigned(p.height) && unsigned(x) < unsigned(p.width);
        const float* from = planes + std::ptrdiff_t(y) * p.width + x;
        float* target = to + row * p.rowApart + column;
        const int copied = inside ? min(count, limit) : 0;
        const int apart = p.height * p.width;
#pragma unroll 4
        for (int plane = 0; plane < copied; ++plane)
            __pipeline_memcpy_async(target + plane * p.planeApart, from + std::ptrdiff_t(plane) * apart,
                                    sizeof(float));
        for (int plane = copied; plane < count; ++plane)
            target[plane * p.planeApart] = 0.0F;
    }
}

/// Four columns at a time: planes whose rows are whole numbers of 16 bytes, from their first column on.
__device__ inline void stagePlanes4(const PlanePart& p, const float* planes, int count, int limit,
                                    float* to) {
    const int across = p.columns / 4;
    for (int place = int(threadIdx.x); place < p.rows * across; place += int(blockDim.x)) {
        const int row = place / across, column = (place - row * across) * 4, y = p.firstRow + row;
        const float* from = planes + std::ptrdiff_t(y) * p.width + column;
        float* target = to + row * p.rowApart + column;
        const int copied = unsigned(y) < unsigned(p.height) ? min(count, limit) : 0;
        const int apart = p.height * p.width;
#pragma unroll 4
        for (int plane = 0; plane < copied; ++plane)
            __pipeline_memcpy_async(target + plane * p.planeApart, from + std::ptrdiff_t(plane) * apart,
                                    4 * sizeof(float));
        for (int plane = copied; plane < count; ++plane)
            *reinterpret_cast<float4*>(target + plane * p.planeApart) = float4{};
    }
}

__device__ inline void waitForStage() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

} // namespace heteroscope::compute::nvidia
