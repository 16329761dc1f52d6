// SPDX-License-Identifier: Apache-2.0
// Matrix product by a single block with one thread an element: the first CUDA program most people write.
//
// What it shows: threadIdx alone names the element, no block index is needed, and why that does not scale: a
// block has at most 1024 threads, so a result of 50 x 50 is refused. What limits it: one multiprocessor of
// more than a hundred works.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

__global__ void __launch_bounds__(kGemmBlockThreads) gemmBlock(const GemmProblem p) {
    const int row = int(threadIdx.y), column = int(threadIdx.x);
    float sum = 0.0F;
    for (int i = 0; i < p.k; ++i)
        sum = fmaf(p.a[std::int64_t(row) * p.k + i], p.b[std::int64_t(i) * p.n + column], sum);
    p.c[row * p.n + column] = sum;
}

} // namespace

cudaError_t launchGemmBlock(const GemmProblem& problem, cudaStream_t stream) {
    gemmBlock<<<1, dim3(problem.n, problem.m), 0, stream>>>(problem);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
