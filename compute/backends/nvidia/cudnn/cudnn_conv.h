// SPDX-License-Identifier: Apache-2.0
// Convolutions and dense layers through cuDNN.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_network.h"

namespace heteroscope::compute::nvidia {

/// `op` is a convolution or a dense layer that cudnnOpRefusal() lets pass. The algorithm stands in the
/// implementation's name: "cudnn:conv2d:implicit_precomp_gemm".
Result<std::unique_ptr<PreparedOp>> prepareCudnnConv(CudaSession& session, cudnnHandle_t handle,
                                                     SharedWorkspace& workspace, const Op& op);

} // namespace heteroscope::compute::nvidia
