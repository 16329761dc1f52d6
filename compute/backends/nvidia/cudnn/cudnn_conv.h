// SPDX-License-Identifier: Apache-2.0
// Convolutions through cuDNN.
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/shared_workspace.h"

#include <cudnn.h>
#include <memory>

namespace heteroscope::compute::nvidia {

/// Which of cuDNN's algorithms are taken. Target options "tf32" and "deterministic".
struct ConvChoice {
    bool tf32 = false;
    bool deterministic = true; ///< else the fastest of all, as measured when the operation is prepared
};

inline constexpr std::size_t kConvWorkspaceBytes = std::size_t{256} << 20;

/// `op` is a convolution that cudnnOpRefusal() lets pass. The algorithm stands in the
/// implementation's name: "cudnn:conv2d:implicit_precomp_gemm".
Result<std::unique_ptr<PreparedOp>> prepareCudnnConv(const CudaSession& session, cudnnHandle_t handle,
                                                     SharedWorkspace& workspace, const Op& op,
                                                     const ConvChoice& choice);

} // namespace heteroscope::compute::nvidia
