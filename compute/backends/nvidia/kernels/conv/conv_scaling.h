// SPDX-License-Identifier: Apache-2.0
// Convolutions with 1x1 kernels, and the gradients of their input, whose groups read few planes:
// depthwise ones above all, which are planes times a weight each.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <string_view>

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view scalingForwardRefusal(const ConvGeometry& g);
std::string_view scalingDataRefusal(const ConvGeometry& g);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double scalingForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double scalingDataCycles(const ConvGeometry& g, const DeviceLimits& device);

cudaError_t scalingForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t scalingBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
