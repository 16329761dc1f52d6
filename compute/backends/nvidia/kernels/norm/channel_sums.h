// SPDX-License-Identifier: Apache-2.0
// What all convolutions and dense layers do with a bias.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/core/shape.h"

#include <cstddef>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// Scratch bytes of launchChannelSums().
std::size_t channelSumsWorkspace(const Shape4& shape, const DeviceLimits& device);
/// sums[c] = sum over n, h, w of values, taken in double precision.
cudaError_t launchChannelSums(const Shape4& shape, const float* values, float* sums, void* workspace,
                              const DeviceLimits& device, cudaStream_t stream);
/// values[n,c,h,w] += bias[c]
cudaError_t launchAddBias(const Shape4& shape, const float* bias, float* values, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
