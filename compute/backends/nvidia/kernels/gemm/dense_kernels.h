// SPDX-License-Identifier: Apache-2.0
// Dense layers with what follows them, by the kernel that is named. Operands as the operations name them; the
// bias is the epilogue's.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <optional>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// SmallBatch, where smallDenseRefusal() has no reason, is the faster.
enum class DenseKernel { SmallBatch, Gemm };
/// "small-batch", "gemm".
std::string_view denseKernelName(DenseKernel kernel);
/// Nothing for another name.
std::optional<DenseKernel> denseKernelFromName(std::string_view name);

/// Scratch bytes.
std::size_t denseWorkspace(const DenseForward& op, DenseKernel kernel, const DeviceLimits& device);
std::size_t denseWorkspace(const DenseBackwardData& op, DenseKernel kernel, const DeviceLimits& device);
std::size_t denseWorkspace(const DenseBackwardWeights& op, DenseKernel kernel, const DeviceLimits& device);

/// Start the work on the stream; do not wait.
cudaError_t denseForward(const DenseForward& op, DenseKernel kernel, const Epilogue& epilogue,
                         const KernelOperands& o);
cudaError_t denseBackwardData(const DenseBackwardData& op, DenseKernel kernel, const Epilogue& epilogue,
                              const KernelOperands& o);
cudaError_t denseBackwardWeights(const DenseBackwardWeights& op, DenseKernel kernel, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
