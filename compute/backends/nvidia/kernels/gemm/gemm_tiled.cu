// SPDX-License-Identifier: Apache-2.0
// Matrix product in tiles of 32 x 32 that a block keeps in shared memory.
//
// What it shows: data is read from device memory once for 32 uses. A block loads a tile of A and one of B
// together, waits, multiplies them, waits again (nobody may overwrite a tile that another still reads), and
// goes on along k. Edges are filled with zeros, so the inner loop needs no checks. What limits it: shared
// memory now takes the place of the caches: still two loads for each multiply-add. With matrices smaller than
// a tile (the 2 x 2 windows of pooling) most of the work is on zeros.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kTile = kGemmBlockEdge;

__global__ void gemmTiled(const GemmProblem p) {
    __shared__ float tileA[kTile][kTile];
    __shared__ float tileB[kTile][kTile];
    const int x = int(threadIdx.x), y = int(threadIdx.y);
    const int row = int(blockIdx.y) * kTile + y;
    const int column = int(blockIdx.x) * kTile + x;
    float sum = 0.0F;
    for (int first = 0; first < p.k; first += kTile) {
        const bool insideA = row < p.m && first + x < p.k;
        const bool insideB = first + y < p.k && column < p.n;
        tileA[y][x] = insideA ? p.a[std::int64_t(row) * p.k + first + x] : 0.0F;
        tileB[y][x] = insideB ? p.b[std::int64_t(first + y) * p.n + column] : 0.0F;
        __syncthreads();
        for (int i = 0; i < kTile; ++i)
            sum = fmaf(tileA[y][i], tileB[i][x], sum);
        __syncthreads();
    }
    if (row < p.m && column < p.n)
        p.c[std::int64_t(row) * p.n + column] = sum;
}

} // namespace

cudaError_t launchGemmTiled(const GemmProblem& problem, cudaStream_t stream) {
    const dim3 block(kTile, kTile);
    const dim3 grid((problem.n + kTile - 1) / kTile, (problem.m + kTile - 1) / kTile);
    gemmTiled<<<grid, block, 0, stream>>>(problem);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
