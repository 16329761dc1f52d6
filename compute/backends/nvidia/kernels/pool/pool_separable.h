// SPDX-License-Identifier: Apache-2.0
// Gradients of maxima in large windows that overlap.
#pragma once

#include "compute/core/op.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Whether the windows are of maxima, overlap, and fit into what a block has of shared memory.
bool hasSeparableKernel(const PoolParams& params, const Shape4& src);

/// As launchPoolBackward(), for what hasSeparableKernel() allows.
cudaError_t launchSeparableBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                                    const float* dstGrad, float* srcGrad, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
