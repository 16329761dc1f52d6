// SPDX-License-Identifier: Apache-2.0
// What gemm_kernels.cu and the files of the single kernels share.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_plan.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// C (m x n) = A (m x k) * B (k x n), row-major, dense, on the device. Sizes are those that gemmRefusal lets
/// pass. vectorC: rows of C, or of its slices, are aligned to 16 bytes.
struct GemmProblem {
    int m, n, k;
    const float* a;
    const float* b;
    float* c;
    bool vectorC = false;
};

/// k in slices that different blocks multiply: `count` of `depth` steps, the last one may be shorter. With
/// more than one, slice s of C is written to partial + s * m * n, and launchAddSlices() adds them; else C
/// itself is.
struct GemmSlices {
    int count, depth;
    float* partial;
};

/// Threads of a block in each direction in the kernels that give a thread one element: 32 x 32 is the most
/// there is.
inline constexpr int kGemmBlockEdge = 32;
/// Threads, and so elements of C, of the kernels that use a single block.
inline constexpr int kGemmBlockThreads = 1024;

cudaError_t launchGemmGuarded(const GemmProblem& problem, cudaStream_t stream);
cudaError_t launchGemmLoops(const GemmProblem& problem, cudaStream_t stream);
cudaError_t launchGemmTiled(const GemmProblem& problem, cudaStream_t stream);
cudaError_t launchGemmBlock(const GemmProblem& problem, cudaStream_t stream);
cudaError_t launchGemmBlockShared(const GemmProblem& problem, cudaStream_t stream);
/// These write slices as the plan says.
cudaError_t launchGemmRegister(const GemmProblem& problem, const GemmPlan& plan, const GemmSlices& slices,
                               cudaStream_t stream);
cudaError_t launchGemmSkinnyM(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream);
cudaError_t launchGemmSkinnyN(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream);
/// C = the sum of the slices, always in the same order.
cudaError_t launchAddSlices(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream);
cudaError_t launchGemmSkinnyK(const GemmProblem& problem, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
