// SPDX-License-Identifier: Apache-2.0
// Our own matrix products on the GPU: a ladder from the plainest kernel to one that stands beside cuBLAS. All
// compute in fp32 (fused multiply-add, no TF32) and give the same bits for the same sizes on the same GPU.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <optional>
#include <string>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// In the order in which the ladder is climbed; the comment at the top of each gemm_*.cu says what it shows.
enum class GemmKernel { Guarded, Loops, Tiled, Block, BlockShared, Register };

/// The names of the option `kernel=`: guarded, loops, tiled, block, block-shared, register.
std::optional<GemmKernel> gemmKernelFromName(std::string_view name);
std::string_view gemmKernelName(GemmKernel kernel);

/// Why this kernel cannot compute C (m x n) = A (m x k) * B (k x n), with its limit, for people; empty when
/// it can.
std::string gemmRefusal(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k);

/// Starts C = A * B, row-major and dense, on the current device; does not wait. a, b and c are device
/// pointers, aligned to 4 bytes; 16 bytes are faster. cudaErrorInvalidValue for what gemmRefusal refuses.
cudaError_t launchGemm(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                       const float* b, float* c, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
