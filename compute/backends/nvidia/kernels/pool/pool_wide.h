// SPDX-License-Identifier: Apache-2.0
// Pooling with large windows that do not overlap, such as one window for a whole plane: a warp or a block a
// window.
#pragma once

#include "compute/core/op.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Whether windows are large enough and apart. No error in the shape.
bool hasWideKernel(const PoolParams& params, const Shape4& src);

/// Require hasWideKernel().
cudaError_t launchWideForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              cudaStream_t stream);
cudaError_t launchWideBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
