// SPDX-License-Identifier: Apache-2.0
// Our own matrix products on the GPU: a ladder from the plainest kernel to one that stands beside cuBLAS. All
// compute in fp32 (fused multiply-add, no TF32) and give the same bits for the same sizes, and the same
// alignment of A to 16 bytes, on the same GPU.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_plan.h"

#include <cstdint>
#include <cuda_runtime_api.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// In the order of GemmKernel.
std::span<const GemmKernel> gemmKernels();
/// The names of the option `kernel=`: guarded, loops, tiled, block, block-shared, register, split-k,
/// skinny-m, skinny-n, skinny-k.
std::optional<GemmKernel> gemmKernelFromName(std::string_view name);
std::string_view gemmKernelName(GemmKernel kernel);

/// Why this kernel cannot compute C (m x n) = A (m x k) * B (k x n), with its limit, for people; empty when
/// it can.
std::string gemmRefusal(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k);

/// Operands of C = A * B, row-major and dense, on the current device: device pointers, aligned to 4 bytes; 16
/// bytes are faster.
struct GemmOperands {
    const float* a;
    const float* b;
    float* c;
    /// gemmWorkspaceBytes() of the plan, aligned to 16 bytes; may be nullptr where that is 0.
    void* workspace = nullptr;
};

/// Starts the product as the plan, made for these sizes, says; does not wait. cudaErrorInvalidValue for what
/// gemmRefusal refuses.
cudaError_t launchGemm(const GemmPlan& plan, std::int64_t m, std::int64_t n, std::int64_t k,
                       const GemmOperands& operands, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
