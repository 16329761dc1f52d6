// SPDX-License-Identifier: Apache-2.0
// Convolutions and gradients of their input as implicit matrix products with weights that a kernel before them
// puts in the order in which the product reads them.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <cstddef>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view packedForwardRefusal(const ConvGeometry& g);
std::string_view packedDataRefusal(const ConvGeometry& g);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double packedForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double packedDataCycles(const ConvGeometry& g, const DeviceLimits& device);

/// Scratch bytes: the weights in their other order and what slices of the product leave.
std::size_t packedForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t packedDataWorkspace(const ConvGeometry& g, const DeviceLimits& device);

/// Operands as ConvForward and ConvBackwardData name them.
cudaError_t packedForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t packedBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
