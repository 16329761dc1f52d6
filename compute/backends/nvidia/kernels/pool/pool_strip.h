// SPDX-License-Identifier: Apache-2.0
// Pooling by strips, for square windows of a few sizes known at compile time (K > S or K == S, S = 1 or 2).
//
// A strip is a band of rows of one plane and at most 32 quads (4 neighbouring columns) wide. Each lane of a
// warp owns one quad and walks down the band; a row is read once, as 16-byte vectors, and what neighbours
// need of it (columns to the left, gradients of windows to the right) goes from lane to lane. Narrow planes
// put several strips in one warp. A window belongs to the quad that holds its last column, so that every lane
// owns 4 / S windows of each row.
#pragma once

#include "compute/core/op.h"

#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

inline constexpr int kStripBlock = 128; ///< threads a block

/// Everything a strip kernel is told. Rows and columns fit 31 bits here; elements of the tensor need not.
struct StripPlan {
    const float* src = nullptr;
    const float* dstGrad = nullptr; ///< backward only
    float* result = nullptr;        ///< dst or srcGrad
    std::int64_t planes = 0, strips = 0, blocks = 0;
    int height = 0, width = 0, outHeight = 0, outWidth = 0, padTop = 0, padLeft = 0;
    int lanes = 32;       ///< of a strip
    int together = 1;     ///< strips in a warp
    int quads = 32;       ///< quads a strip owns
    int lanesBefore = 0;  ///< lanes before the first owned quad, which only read
    int columnStrips = 1; ///< strips beside one another in a plane
    int steps = 0;     ///< output rows to walk through in a plane, with those that only complete input rows
    int bandSteps = 0; ///< of them, in one strip
    int bands = 1;
    bool aligned = false;     ///< all rows of src (and srcGrad) begin at a multiple of 16 bytes
    bool pairAligned = false; ///< stride 2: both windows of a lane lie in one 8-byte word of dst (dstGrad)
    bool cutColumns = false;  ///< some lane holds columns that are no part of the plane but of a window
    bool zeroPad = false, countPad = true;
};

/// The windows there are strip kernels for.
bool hasStripKernel(const PoolParams& params, const Shape4& src);

/// Requires hasStripKernel(). `bandSteps` 0: as many rows as fill the device well.
cudaError_t launchStripForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                               cudaStream_t stream, int bandSteps = 0);
cudaError_t launchStripBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                                const float* dstGrad, float* srcGrad, cudaStream_t stream, int bandSteps = 0);

} // namespace heteroscope::compute::nvidia
