// SPDX-License-Identifier: Apache-2.0
// Matrix product with a grid of fixed size, whose threads stride over rows and columns.
//
// What it shows: a grid need not match the matrix. Each thread starts at its own row and column and goes on
// by the size of the grid until the matrix ends, so any size works with any grid, without a limit on rows.
// What limits it: the same two loads for each multiply-add as in `guarded`, and a grid that is too small for
// the GPU or does not divide the matrix leaves multiprocessors waiting for the last elements.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <algorithm>
#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

/// Blocks in each direction: 256 blocks of 1024 threads, about what the largest GPUs of today hold at once.
constexpr int kGridEdge = 16;

__global__ void gemmLoops(const GemmProblem p) {
    const int firstRow = int(blockIdx.y * blockDim.y + threadIdx.y);
    const int firstColumn = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int rowStride = int(gridDim.y * blockDim.y);
    const int columnStride = int(gridDim.x * blockDim.x);
    for (int row = firstRow; row < p.m; row += rowStride) {
        const float* a = p.a + std::int64_t(row) * p.k;
        for (int column = firstColumn; column < p.n; column += columnStride) {
            float sum = 0.0F;
            for (int i = 0; i < p.k; ++i)
                sum = fmaf(a[i], p.b[std::int64_t(i) * p.n + column], sum);
            p.c[std::int64_t(row) * p.n + column] = sum;
        }
    }
}

} // namespace

cudaError_t launchGemmLoops(const GemmProblem& problem, cudaStream_t stream) {
    const dim3 block(kGemmBlockEdge, kGemmBlockEdge);
    const dim3 grid(std::min(kGridEdge, (problem.n + kGemmBlockEdge - 1) / kGemmBlockEdge),
                    std::min(kGridEdge, (problem.m + kGemmBlockEdge - 1) / kGemmBlockEdge));
    gemmLoops<<<grid, block, 0, stream>>>(problem);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
