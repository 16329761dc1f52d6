// SPDX-License-Identifier: Apache-2.0
// Dense layers and convolutions through cuBLAS: a convolution is the product of the weights with the unrolled
// input, a bounded number of images at a time. One thread, on the session's streams.
#pragma once

#include "compute/backends/nvidia/cublas/cublas_handle.h"
#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/device/shared_workspace.h"

#include <cublas_v2.h>
#include <memory>
#include <string>

namespace heteroscope::compute::nvidia {

/// "sgemm", "conv2d:unrolled", "dense": what cuBLAS computes; empty for what it does not.
std::string cublasProductName(const Op& op);
/// Scratch bytes of what has a name but the plain product, which needs none.
std::size_t cublasProductWorkspace(const Op& op, const DeviceLimits& device);
/// `op` is a convolution or a dense layer that networkRefusal() lets pass.
Result<std::unique_ptr<PreparedOp>> prepareCublasProduct(const CudaSession& session,
                                                         const CublasHandle& handle,
                                                         SharedWorkspace& workspace, const Op& op,
                                                         const std::string& implementation);

} // namespace heteroscope::compute::nvidia
