// SPDX-License-Identifier: Apache-2.0
// Fills shared memory with parts of planes, asynchronously: a thread keeps its place in a plane and walks
// over the planes, so that a copy costs an addition.
#pragma once

#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/common/wait_for_copies.cuh"

#include <algorithm>
#include <cstddef>
#include <cuda_pipeline.h>

namespace heteroscope::compute::nvidia {

/// `rows` x `columns` of a plane, with zeros where the plane ends, copied `kEach` floats at a time: 4 where
/// rows are whole numbers of 16 bytes and the part begins at such a one.
template <int kEach>
struct PlanePart {
    int height = 0, width = 0;          ///< of the plane
    int rowStride = 0, planeStride = 0; ///< in shared memory
    int places = 0;                     ///< copies of a plane
    int groups = 1;                     ///< of threads, each with other planes
    FastDivision overPlaces, overRow;

    PlanePart() = default;
    PlanePart(int height, int width, int rows, int columns, int rowStride, int planeStride, int threads)
        : height(height),
          width(width),
          rowStride(rowStride),
          planeStride(planeStride),
          places(rows * (columns / kEach)),
          groups(std::max(1, threads / places)),
          overPlaces(places),
          overRow(columns / kEach) {}

    /// Planes from `limit` on are zeros. Every thread of the block calls it; waitForCopies() follows.
    __device__ void stage(int firstRow, int firstColumn, const float* planes, int count, int limit,
                          float* to) const {
        const int planeFloats = height * width;
#pragma unroll 1
        for (unsigned item = threadIdx.x; item < unsigned(places * groups); item += blockDim.x) {
            unsigned column = item;
            const int group = int(overPlaces.split(column)), row = int(overRow.split(column));
            const int y = firstRow + row, x = firstColumn + int(column) * kEach;
            const bool inside = unsigned(y) < unsigned(height) && unsigned(x) < unsigned(width);
            const float* from = planes + (std::ptrdiff_t(y) * width + x);
            float* target = to + row * rowStride + int(column) * kEach;
            const int copied = inside ? min(count, limit) : 0;
            int plane = group;
#pragma unroll 2
            for (; plane < copied; plane += groups)
                __pipeline_memcpy_async(target + plane * planeStride,
                                        from + std::ptrdiff_t(plane) * planeFloats, kEach * sizeof(float));
#pragma unroll 1
            for (; plane < count; plane += groups)
#pragma unroll
                for (int i = 0; i < kEach; ++i)
                    target[plane * planeStride + i] = 0.0F;
        }
    }
};

} // namespace heteroscope::compute::nvidia
