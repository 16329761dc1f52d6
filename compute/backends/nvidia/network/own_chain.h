// SPDX-License-Identifier: Apache-2.0
// Chains of operations that our kernels compute as one.
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/shared_workspace.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "compute/core/implementation_list.h"

#include <span>

namespace heteroscope::compute::nvidia {

/// Calls visit(candidate) for each of our kernels of the chain's first operation until it returns false:
/// convolution or dense layer, batch normalisation with given statistics, sum, ReLU, maxima of 2x2 windows;
/// backward the gradient of a convolution's or dense layer's input, or of such maxima, and of the ReLU
/// before. A candidate is used before the chain, `src` and `dst` go; session and workspace outlive what it
/// prepares.
void visitOwnChains(const CudaSession& session, SharedWorkspace& workspace, const OpChain& chain,
                    std::span<const int> src, std::span<const int> dst, Transforms transforms,
                    const CandidateVisitor& visit);

} // namespace heteroscope::compute::nvidia
