// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3x3 and 5x5 windows with stride 1 and few channels, whose products would be too small to
// fill a device.
#pragma once

#include "compute/backends/nvidia/network/conv_geometry.h"
#include "compute/backends/nvidia/network/epilogue.h"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {

bool takesWindowForward(const ConvParams& params, const Shape4& src);
bool takesWindowData(const ConvParams& params, const Shape4& src);
bool takesWindowWeights(const ConvParams& params, const Shape4& src);

/// What a launch asks of the device: blocks, threads of a block, bytes of shared memory of a block.
struct LaunchShape {
    unsigned blocksX = 1, blocksY = 1, blocksZ = 1;
    int threads = 1, sharedBytes = 0;
};

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
