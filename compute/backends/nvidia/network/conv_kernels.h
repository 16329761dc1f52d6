// SPDX-License-Identifier: Apache-2.0
// The two ways to convolve: as an implicit matrix product, and directly for groups of few channels, whose
// products would be mostly empty.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/network/conv_geometry.h"
#include "compute/backends/nvidia/network/epilogue.h"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {

std::size_t gemmForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t gemmDataWorkspace(const ConvGeometry& g, const DeviceLimits& device);
std::size_t gemmWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);

/// Operands as ConvForward, ConvBackwardData and ConvBackwardWeights name them; the gradient of the bias is
/// not theirs.
cudaError_t gemmForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t gemmBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

cudaError_t directForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t directBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

/// What the library's kernels of this folder do with a convolution, whichever kind suits it. `pooled`: see
/// windowForward(); only where fusesPooling().
cudaError_t convForward(const ConvForward& op, const Epilogue& epilogue, float* pooled,
                        const KernelOperands& o);
cudaError_t convBackwardData(const ConvBackwardData& op, const Epilogue& epilogue, const KernelOperands& o);
bool fusesPooling(const ConvForward& op);

} // namespace heteroscope::compute::nvidia
