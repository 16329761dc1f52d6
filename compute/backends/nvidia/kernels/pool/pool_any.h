// SPDX-License-Identifier: Apache-2.0
// Pooling with any window: one thread (or, for large windows that hardly overlap, one warp) a window, and for
// gradients one block a tile of the input that first finds the maximum of every window that reaches the tile.
#pragma once

#include "compute/core/op.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Whether windows are so large and overlap so little that a warp each reads them best. No error in the
/// shape.
bool isWideWindow(const PoolParams& params, const Shape4& src);

/// Require that poolOutputShape() has no error.
cudaError_t launchAnyForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                             cudaStream_t stream);
cudaError_t launchAnyBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                              const float* dstGrad, float* srcGrad, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
