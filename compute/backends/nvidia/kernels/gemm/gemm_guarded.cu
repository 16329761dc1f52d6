// SPDX-License-Identifier: Apache-2.0
// Matrix product, one thread an element, threads beyond the matrix turned away by a check.
//
// What it shows: the plain translation of the two outer loops into a grid. Neighbouring threads have
// neighbouring columns, so B is read and C written in whole lines, and one value of A serves a whole warp.
// What limits it: two loads for each multiply-add. They hit the caches, but the load units give a warp at
// most one line a cycle, far less than the arithmetic could use. Small products also leave most of the last
// blocks idle.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

__global__ void gemmGuarded(const GemmProblem p) {
    const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
    const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (row < p.m && column < p.n) {
        const float* a = p.a + std::int64_t(row) * p.k;
        const float* b = p.b + column;
        float sum = 0.0F;
        for (int i = 0; i < p.k; ++i)
            sum = fmaf(a[i], b[std::int64_t(i) * p.n], sum);
        p.c[std::int64_t(row) * p.n + column] = sum;
    }
}

} // namespace

cudaError_t launchGemmGuarded(const GemmProblem& problem, cudaStream_t stream) {
    const dim3 block(kGemmBlockEdge, kGemmBlockEdge);
    const dim3 grid((problem.n + kGemmBlockEdge - 1) / kGemmBlockEdge,
                    (problem.m + kGemmBlockEdge - 1) / kGemmBlockEdge);
    gemmGuarded<<<grid, block, 0, stream>>>(problem);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
