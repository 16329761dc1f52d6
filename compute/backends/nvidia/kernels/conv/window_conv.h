// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3x3 and 5x5 windows with stride 1: for few channels, whose products would be too small to
// fill a device.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {

/// Why the kernels do not compute it, a clause for people; empty where they do.
std::string_view windowForwardRefusal(const ConvGeometry& g, const DeviceLimits& device);
std::string_view windowDataRefusal(const ConvGeometry& g, const DeviceLimits& device);
std::string_view windowWeightsRefusal(const ConvGeometry& g, const DeviceLimits& device);

/// Cycles that the kernels are expected to take; infinite where they refuse.
double windowForwardCycles(const ConvGeometry& g, const DeviceLimits& device);
double windowDataCycles(const ConvGeometry& g, const DeviceLimits& device);
double windowWeightsCycles(const ConvGeometry& g, const DeviceLimits& device);

inline constexpr std::string_view kOtherWindow = "it takes windows of 3x3 and 5x5 with stride 1, no dilation "
                                                 "and one group, padded by less than the window";

/// What a launch asks of the device: blocks, threads of a block, bytes of shared memory of a block.
struct LaunchShape {
    unsigned blocksX = 1, blocksY = 1, blocksZ = 1;
    int threads = 1, sharedBytes = 0;
};

/// Registers of a thread of these kernels, for which 512 threads of a block leave room.
inline constexpr int kWindowRegisters = 128;
/// Blocks of such a launch that a multiprocessor holds.
inline int residentBlocks(const LaunchShape& shape, const DeviceLimits& device) {
    constexpr int kReserved =
        1024; ///< bytes of shared memory that the system keeps of each block (8.0 and later)
    return std::max(1, std::min({(device.sharedPerBlock + kReserved) / (shape.sharedBytes + kReserved),
                                 device.threadsPerMultiprocessor / shape.threads,
                                 device.registersPerBlock / (kWindowRegisters * shape.threads)}));
}

/// The launch that the functions below would make.
LaunchShape windowForwardShape(const ConvGeometry& g, const DeviceLimits& device);
LaunchShape windowDataShape(const ConvGeometry& g, const DeviceLimits& device);
LaunchShape windowWeightsShape(const ConvGeometry& g, const DeviceLimits& device);

/// `dst` and `pooled` (its maxima of 2x2 windows, stride 2) may be nullptr, not both.
cudaError_t windowForward(const ConvGeometry& g, const Epilogue& epilogue, const float* src,
                          const float* weights, float* dst, float* pooled, const DeviceLimits& device,
                          cudaStream_t stream);
cudaError_t windowBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const float* dstGrad,
                               const float* weights, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream);
/// With the gradient of the bias where biasGrad is given.
cudaError_t windowBackwardWeights(const ConvGeometry& g, const float* src, const float* dstGrad,
                                  float* weightGrad, float* biasGrad, void* workspace,
                                  const DeviceLimits& device, cudaStream_t stream);
std::size_t windowWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
