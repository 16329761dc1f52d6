// SPDX-License-Identifier: Apache-2.0
// Pooling by tiles: a block copies whole rows or whole planes, which lie in one piece in memory whatever
// their width, to shared memory and works there. For narrow planes, rows that are not aligned, and windows
// without a strip kernel.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Whether tiles are worth it: rows short enough that a block holds several times what its windows share.
bool hasTileKernel(const PoolParams& params, const Shape4& src, bool backward);

/// `plan`: what planTiles() says for this direction. Gradients of windows that do not overlap have a kernel
/// of their own.
cudaError_t launchTileForward(const PoolParams& params, TilePlan plan, const float* srcData, float* dst,
                              cudaStream_t stream);
cudaError_t launchTileBackward(const PoolParams& params, TilePlan plan, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream);

/// The same, planned for this launch; require hasTileKernel().
cudaError_t launchTileForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              cudaStream_t stream);
cudaError_t launchTileBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
