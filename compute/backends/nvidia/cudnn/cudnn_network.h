// SPDX-License-Identifier: Apache-2.0
// Convolutions, activations and softmax through cuDNN. One thread, on the session's streams.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_conv.h"

#include <string>

namespace heteroscope::compute::nvidia {

/// "conv2d", "activation", ...: what cuDNN computes here; empty for what our own kernels do.
std::string cudnnOpName(const Op& op);
/// Why cuDNN cannot compute what has a name; empty when it can.
std::string cudnnOpRefusal(const Op& op);
/// An operation that cudnnOpRefusal() lets pass. A convolution's engine computes in fp32, is none that cuDNN
/// says to transform (unless the choice says so) and needs at most kConvWorkspaceBytes. Engine 17, gradients
/// of weights, of cuDNN 9.14 rounds as a Winograd transform does (whole numbers come out with fractions),
/// though cuDNN says nothing of one.
Result<std::unique_ptr<PreparedOp>> prepareCudnnOp(const CudaSession& session, cudnnHandle_t handle,
                                                   SharedWorkspace& workspace, const Op& op,
                                                   const EngineChoice& choice);

} // namespace heteroscope::compute::nvidia
