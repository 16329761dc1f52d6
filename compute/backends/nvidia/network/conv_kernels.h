// SPDX-License-Identifier: Apache-2.0
// The two ways to convolve: as an implicit matrix product, and directly for groups of few channels, whose
// products would be mostly empty.
#pragma once

#include "compute/backends/nvidia/network/conv_geometry.h"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {

std::size_t gemmForwardWorkspace(const ConvGeometry& g, int multiprocessors);
std::size_t gemmDataWorkspace(const ConvGeometry& g, int multiprocessors);
std::size_t gemmWeightsWorkspace(const ConvGeometry& g, int multiprocessors);

/// Operands as ConvForward, ConvBackwardData and ConvBackwardWeights name them; the gradient of the bias is
/// not theirs.
cudaError_t gemmForward(const ConvGeometry& g, const float* bias, const KernelOperands& o);
cudaError_t gemmBackwardData(const ConvGeometry& g, const KernelOperands& o);
cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

cudaError_t directForward(const ConvGeometry& g, const float* bias, const KernelOperands& o);
cudaError_t directBackwardData(const ConvGeometry& g, const KernelOperands& o);
cudaError_t directBackwardWeights(const ConvGeometry& g, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
