// SPDX-License-Identifier: Apache-2.0
// Our own kernels as implementations of operations: all that the implementation `cuda` has, and what the
// others fall back on openly (the name that is reported stays "cuda:...").
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/shared_workspace.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"
#include "compute/core/implementation_list.h"

#include <functional>
#include <string>

namespace heteroscope::compute::nvidia {

/// One of our kernels for an operation.
struct OwnKernel {
    std::string name;                            ///< as ?impl= takes it: "direct"
    std::string implementation;                  ///< "cuda:conv2d:direct"
    std::string refusal;                         ///< a clause; empty: it computes the operation
    double cycles = 0;                           ///< expected, where there is a choice by them
    std::function<std::size_t()> workspaceBytes; ///< none: 0; called before op and device go
    /// Starts the work, does not wait. Outlives the operation it was made of.
    std::function<cudaError_t(const KernelOperands&)> launch;
};

/// Whether kernels that sum other products than those of the definition, and so round more, refuse. Target
/// option "transforms".
enum class Transforms { Refuse, Admit };

/// Calls visit(kernel) for each of our kernels of the operation, the one expected to be fastest first, until
/// it returns false: pooling and every operation of networks, but not the plain matrix product, which is
/// cuda_backend's. None for an operation that has no kernel.
void visitOwnKernels(const Op& op, const DeviceLimits& device, Transforms transforms,
                     const std::function<bool(OwnKernel)>& visit);

/// The same as candidates. Session and workspace outlive what they prepare.
void visitOwnCandidates(const CudaSession& session, SharedWorkspace& workspace, const Op& op,
                        Transforms transforms, const CandidateVisitor& visit);

} // namespace heteroscope::compute::nvidia
