// SPDX-License-Identifier: Apache-2.0
// Our own kernels as prepared operations: all that the implementation `cuda` has, and what the others fall
// back on openly (the name that is reported stays "cuda:...").
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/device/shared_workspace.h"

#include <memory>

namespace heteroscope::compute::nvidia {

/// Whether our kernels compute it: pooling and every operation of networks, but not the plain matrix product,
/// of which there are several.
Support ownSupport(const Op& op, const DeviceLimits& device);
std::size_t ownWorkspaceBytes(const Op& op, const DeviceLimits& device);
/// For what ownSupport() lets pass. Session and workspace outlive the op.
Result<std::unique_ptr<PreparedOp>> prepareOwn(CudaSession& session, SharedWorkspace& workspace,
                                               const Op& op);

} // namespace heteroscope::compute::nvidia
