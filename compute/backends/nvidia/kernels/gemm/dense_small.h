// SPDX-License-Identifier: Apache-2.0
// Dense layers of small batches, whose products would be too small for tiles.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/core/ops/dense.h"

#include <cuda_runtime_api.h>
#include <string>

namespace heteroscope::compute::nvidia {

/// Why these kernels do not compute it, with their limits; empty when they do.
std::string smallDenseRefusal(const DenseParams& params, std::int64_t batch);

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
