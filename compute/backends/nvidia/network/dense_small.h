// SPDX-License-Identifier: Apache-2.0
// Dense layers of small batches, whose products would be too small for tiles.
#pragma once

#include "compute/backends/nvidia/network/epilogue.h"
#include "compute/core/ops/dense.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

bool takesSmallDense(const DenseParams& params, std::int64_t batch);

cudaError_t smallForward(const DenseParams& params, std::int64_t batch, const Epilogue& epilogue,
                         const float* src, const float* weights, float* dst, cudaStream_t stream);
cudaError_t smallBackwardData(const DenseParams& params, std::int64_t batch, const Epilogue& epilogue,
                              const float* dstGrad, const float* weights, float* srcGrad,
                              cudaStream_t stream);
/// biasGrad may be nullptr.
cudaError_t smallBackwardWeights(const DenseParams& params, std::int64_t batch, const float* src,
                                 const float* dstGrad, float* weightGrad, float* biasGrad,
                                 cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
