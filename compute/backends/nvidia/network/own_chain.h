// SPDX-License-Identifier: Apache-2.0
// Chains of operations that our kernels compute as one.
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/shared_workspace.h"
#include "compute/core/linked_op.h"

#include <memory>
#include <span>

namespace heteroscope::compute::nvidia {

/// Convolution or dense layer, batch normalisation with given statistics, sum, ReLU, maxima of 2x2 windows;
/// backward the gradient of a convolution's or dense layer's input, or of such maxima, and of the ReLU
/// before.
Support ownChainSupport(const OpChain& chain, std::span<const int> results, const DeviceLimits& device);
/// For what ownChainSupport() lets pass. Session and workspace outlive the op.
Result<std::unique_ptr<PreparedOp>> prepareOwnChain(CudaSession& session, SharedWorkspace& workspace,
                                                    const OpChain& chain, std::span<const int> src,
                                                    std::span<const int> dst);

} // namespace heteroscope::compute::nvidia
