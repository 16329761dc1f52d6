// SPDX-License-Identifier: Apache-2.0
// Convolutions through cuDNN.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_graph.h"
#include "compute/backends/nvidia/cudnn/cudnn_op.h"
#include "compute/backends/nvidia/device/shared_workspace.h"
#include "compute/core/linked_op.h"

#include <cudnn.h>
#include <memory>

namespace heteroscope::compute::nvidia {

/// `op` is a convolution that cudnnOpRefusal() lets pass. The engine stands in the implementation's name:
/// "cudnn:conv2d:engine70".
Result<std::unique_ptr<PreparedOp>> prepareCudnnConv(const CudaSession& session, cudnnHandle_t handle,
                                                     SharedWorkspace& workspace, const Op& op,
                                                     const EngineChoice& choice);

/// Why prepareCudnnChain() does not compute the chain as one, in a clause; empty: it does. It computes a
/// convolution with a ReLU after it. `results`: what is wanted of it.
std::string cudnnChainRefusal(const OpChain& chain, std::span<const int> results);
/// `src` and `dst`: the numbers of the operands in the chain.
Result<std::unique_ptr<PreparedOp>> prepareCudnnChain(const CudaSession& session, cudnnHandle_t handle,
                                                      SharedWorkspace& workspace, const OpChain& chain,
                                                      std::span<const int> src, std::span<const int> dst,
                                                      const EngineChoice& choice);

} // namespace heteroscope::compute::nvidia
