// SPDX-License-Identifier: Apache-2.0
// Convolutions, activations, softmax and batch normalisation
// through cuDNN, in plain fp32. One thread, on the session's stream.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_conv.h"

#include <string>

namespace heteroscope::compute::nvidia {

/// "conv2d", "activation", ...: what cuDNN computes here; empty for what our own kernels do.
std::string cudnnOpName(const Op& op);
/// Why cuDNN cannot compute what has a name; empty when it can.
std::string cudnnOpRefusal(const Op& op);
/// An operation that cudnnOpRefusal() lets pass. A convolution's algorithm is, unless the choice says
/// otherwise, the first of cuDNN's heuristics that gives the same bits each time, sums the products
/// themselves in fp32 (no Winograd or Fourier transform, whose rounding is larger; no TF32) and needs at most
/// kConvWorkspaceBytes.
Result<std::unique_ptr<PreparedOp>> prepareCudnnOp(const CudaSession& session, cudnnHandle_t handle,
                                                   SharedWorkspace& workspace, const Op& op,
                                                   const ConvChoice& choice);

} // namespace heteroscope::compute::nvidia
