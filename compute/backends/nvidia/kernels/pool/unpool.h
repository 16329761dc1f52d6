// SPDX-License-Identifier: Apache-2.0
// The gradient of a ReLU and of the pooling of 2x2 windows after it, as one.
#pragma once

#include "compute/core/shape.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// `values`: the ReLU's result, of shape `src`; `pooledGrad`: its maxima's gradient. Writes all of `grad`.
cudaError_t launchUnpoolRelu(const Shape4& src, const float* values, const float* pooledGrad, float* grad,
                             cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
