// SPDX-License-Identifier: Apache-2.0
// Convolutions whose groups have few results, and the gradients of few weights: without matrix products.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view directForwardRefusal(const ConvGeometry& g, const DeviceLimits& device);
std::string_view directDataRefusal(const ConvGeometry& g, const DeviceLimits& device);
std::string_view directWeightsRefusal(const ConvGeometry& g, const DeviceLimits& device);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double directForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double directDataCycles(const ConvGeometry& g, const DeviceLimits& device);
double directWeightsCycles(const ConvGeometry& g, const DeviceLimits& device);

cudaError_t directForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t directBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

std::size_t directWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);
cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
