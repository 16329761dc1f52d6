// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3x3 and 5x5 windows with a stride of 1, and gradients of their input, by Winograd's minimal
// filtering: F(4x4, 3x3) and F(2x2, 5x5), which multiply 36 times where the definition multiplies 144 and 100
// times. Sums are of transformed numbers, so that rounding is larger than that of the definition, and whole
// numbers do not come out exactly.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <cstddef>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view winogradForwardRefusal(const ConvGeometry& g);
std::string_view winogradDataRefusal(const ConvGeometry& g);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double winogradForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double winogradDataCycles(const ConvGeometry& g, const DeviceLimits& device);

/// Scratch bytes: the transformed weights, and of some tiles at a time the transformed input and results.
std::size_t winogradForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t winogradDataWorkspace(const ConvGeometry& g, const DeviceLimits& device);

/// Operands as ConvForward and ConvBackwardData name them.
cudaError_t winogradForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t winogradBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
