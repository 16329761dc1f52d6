// SPDX-License-Identifier: Apache-2.0
// Convolutions with 1x1 kernels and stride 1, and the gradients of their input, whose groups have
// few planes on one side: the tiles of a matrix product would be mostly empty or mostly beginning and end.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view pointwiseRefusal(const ConvGeometry& g);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double pointwiseForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double pointwiseDataCycles(const ConvGeometry& g, const DeviceLimits& device);

cudaError_t pointwiseForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t pointwiseBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
