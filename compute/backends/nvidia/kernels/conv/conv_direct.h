// SPDX-License-Identifier: Apache-2.0
// Convolutions whose groups have few results, and the gradients of few weights: without matrix products.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

namespace heteroscope::compute::nvidia {

/// Cycles that the kernels are expected to take; infinite where they cannot: windows of thousands of elements
/// do not fit.
double directForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double directDataCycles(const ConvGeometry& g, const DeviceLimits& device);
double directWeightsCycles(const ConvGeometry& g, const DeviceLimits& device);

cudaError_t directForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t directBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

std::size_t directWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);
cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
