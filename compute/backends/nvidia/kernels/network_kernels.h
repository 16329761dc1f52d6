// SPDX-License-Identifier: Apache-2.0
// Our own kernels of the operations of networks. Tensors hold fewer than 2^31 elements (networkRefusal()).
// Every sum is taken in an order that sizes and device alone decide: the same inputs give the same bits.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/core/op.h"

#include <array>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <string>

namespace heteroscope::compute::nvidia {

/// Device pointers in the order of the operation, scratch memory of workspaceOf() bytes (256-byte aligned),
/// and the limits of the device, which decide how work is cut.
struct KernelOperands {
    std::array<const float*, 6> src{};
    std::array<float*, 6> dst{};
    void* workspace = nullptr;
    DeviceLimits device;
    cudaStream_t stream = nullptr;
};

/// Why our kernels cannot compute it, for people; empty when they can.
std::string networkRefusal(const Op& op);

/// Scratch bytes; 0 for most operations. The same for the launch as for the question.
std::size_t workspaceOf(const BatchNormTrain& op, const DeviceLimits& device);
std::size_t workspaceOf(const BatchNormBackward& op, const DeviceLimits& device);
std::size_t workspaceOf(const LayerNormForward& op, const DeviceLimits& device);
std::size_t workspaceOf(const LayerNormBackward& op, const DeviceLimits& device);
std::size_t workspaceOf(const MultiplyBackward& op, const DeviceLimits& device);
std::size_t workspaceOf(const SumOfSquares& op, const DeviceLimits& device);
std::size_t workspaceOf(const Loss& op, const DeviceLimits& device);

/// Start the work on the stream; do not wait. Convolutions: conv_kernels.h, dense layers: dense_kernels.h.
cudaError_t launch(const ActivationForward& op, const KernelOperands& operands);
cudaError_t launch(const ActivationBackward& op, const KernelOperands& operands);
cudaError_t launch(const SoftmaxForward& op, const KernelOperands& operands);
cudaError_t launch(const SoftmaxBackward& op, const KernelOperands& operands);
cudaError_t launch(const BatchNormTrain& op, const KernelOperands& operands);
cudaError_t launch(const BatchNormInfer& op, const KernelOperands& operands);
cudaError_t launch(const BatchNormBackward& op, const KernelOperands& operands);
cudaError_t launch(const LayerNormForward& op, const KernelOperands& operands);
cudaError_t launch(const LayerNormBackward& op, const KernelOperands& operands);
cudaError_t launch(const Dropout& op, const KernelOperands& operands);
cudaError_t launch(const Add& op, const KernelOperands& operands);
cudaError_t launch(const Multiply& op, const KernelOperands& operands);
cudaError_t launch(const MultiplyBackward& op, const KernelOperands& operands);
cudaError_t launch(const CopyChannels& op, const KernelOperands& operands);
cudaError_t launch(const SumOfSquares& op, const KernelOperands& operands);
cudaError_t launch(const AdaptivePoolForward& op, const KernelOperands& operands);
cudaError_t launch(const AdaptivePoolBackward& op, const KernelOperands& operands);
cudaError_t launch(const Loss& op, const KernelOperands& operands);
cudaError_t launch(const Sgd& op, const KernelOperands& operands);
cudaError_t launch(const Adam& op, const KernelOperands& operands);

} // namespace heteroscope::compute::nvidia
