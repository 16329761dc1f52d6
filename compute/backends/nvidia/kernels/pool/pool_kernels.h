// SPDX-License-Identifier: Apache-2.0
// Our own pooling kernels: maximum and average, forward and backward, for any window, stride, padding and
// size. Pointers are device memory, dense NCHW float32, at least 4-byte aligned; tensors must not overlap.
// Nothing is allocated, every element of the result is written, and the same input always gives the same
// bits.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/core/op.h"

#include <cuda_runtime_api.h>
#include <functional>
#include <string>

namespace heteroscope::compute::nvidia {

struct PoolOperands {
    const float* src;
    const float* dstGrad; ///< backward only
    float* result;        ///< dst or srcGrad
};

/// One of our kernels for a pooling.
struct PoolKernel {
    std::string name; ///< "strips", "patches", "tiles", "wide", "separable" or "any"
    /// For traces and messages: "cuda:pool:" and the name, but "cuda:pool:k3s2" of strips, which are made for
    /// the window.
    std::string implementation;
    std::string refusal; ///< a clause; empty: it computes the pooling
    /// Launches on the stream and returns. Holds the plan: what is launched again is not planned again.
    std::function<cudaError_t(const PoolOperands&, cudaStream_t)> launch;
};

/// Calls visit(kernel) for each of them, the one expected to be fastest first, until it returns false. Those
/// that no pooling in this direction has are not among them. None where poolOutputShape() has an error.
void visitPoolKernels(const PoolParams& params, const Shape4& src, bool backward, const DeviceLimits& device,
                      const std::function<bool(PoolKernel)>& visit);

/// dst = pool(src), by the first of these kernels. Launches on `stream` and returns. Maxima are bit for bit
/// those of `sequential` (the payload of a NaN excepted); averages are summed in float. Errors:
/// cudaErrorInvalidValue where poolOutputShape() has none, or what the launch says.
cudaError_t launchPoolForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              const DeviceLimits& device, cudaStream_t stream);

/// srcGrad = gradient of pool(src); the place of each maximum is found again from `srcData` (not read for
/// averages). Gradients of overlapping windows are added in the order `sequential` adds them, so both give
/// the same bits.
cudaError_t launchPoolBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream);

/// What the two functions above run, as PoolKernel::implementation.
std::string poolKernelName(const PoolParams& params, const Shape4& src, bool backward,
                           const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
