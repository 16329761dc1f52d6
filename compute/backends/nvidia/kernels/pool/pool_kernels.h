// SPDX-License-Identifier: Apache-2.0
// Our own pooling kernels: maximum and average, forward and backward, for any window, stride, padding and
// size. Pointers are device memory, dense NCHW float32, at least 4-byte aligned; tensors must not overlap.
// Nothing is allocated, every element of the result is written, and the same input always gives the same
// bits.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/core/op.h"

#include <cuda_runtime_api.h>
#include <string>

namespace heteroscope::compute::nvidia {

/// dst = pool(src). Launches on `stream` and returns. Maxima are bit for bit those of `sequential` (the
/// payload of a NaN excepted); averages are summed in float. Errors: cudaErrorInvalidValue where
/// poolOutputShape() has none, or what the launch says.
cudaError_t launchPoolForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              const DeviceLimits& device, cudaStream_t stream);

/// srcGrad = gradient of pool(src); the place of each maximum is found again from `srcData` (not read for
/// averages). Gradients of overlapping windows are added in the order `sequential` adds them, so both give
/// the same bits.
cudaError_t launchPoolBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream);

/// What the two functions above run: "cuda:pool:k3s2" where there is a kernel made for the window,
/// "cuda:pool:patches" and "cuda:pool:tiles" where what a block needs goes through shared memory,
/// "cuda:pool:wide" for large windows that do not overlap, "cuda:pool:separable" for gradients of large ones
/// that do, else "cuda:pool:any". For traces and messages.
std::string poolKernelName(const PoolParams& params, const Shape4& src, bool backward,
                           const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
