// SPDX-License-Identifier: Apache-2.0
// Matrix product whose operands have few steps of k (at most 64), as a sum of outer products.
//
// What it shows: with a short k hardly anything is computed for an element of the result, and the memory that
// takes the results decides. So nothing is loaded ahead within a block; small blocks, many of them on a
// multiprocessor, load, compute and store at different times, and every row is stored in whole lines whether
// or not it is aligned.
// What limits it: the bandwidth of the device memory; from about 16 steps on, the arithmetic.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kWarps = 8, kThreads = kWarps * 32;
constexpr int kRows = kSkinnyKRows, kRowsOfWarp = kRows / kWarps, kColumns = kSkinnyKColumns; ///< of a block
constexpr int kDepth = 32; ///< steps in shared memory
/// Padded by four floats: a warp copies 8 steps of 4 rows, which so fall into 32 different banks.
constexpr int kStrideA = kRows + 4;

struct Tile {
    float a[kDepth][kStrideA]; ///< transposed
    float b[kDepth][kColumns];
};

/// Zeros stand for what lies beyond the last row of A; what comes of columns of B beyond the last is not
/// stored.
template <bool Vector>
__device__ inline void copyTile(const GemmProblem& p, int row0, int column0, int k0, int steps, Tile& tile) {
    const int thread = int(threadIdx.x);
    for (int step = thread % 8; step < steps; step += 8)
#pragma unroll
        for (int row = thread / 8; row < kRows; row += kThreads / 8)
            tile.a[step][row] = row0 + row < p.m ? p.a[std::int64_t(row0 + row) * p.k + k0 + step] : 0.0F;
    const float* const b = p.b + std::int64_t(k0) * p.n;
    if constexpr (Vector) {
        const int column = min(column0 + thread % 32 * 4, p.n - 4);
        for (int step = thread / 32; step < steps; step += kWarps)
            reinterpret_cast<float4*>(tile.b[step])[thread % 32] =
                *reinterpret_cast<const float4*>(b + std::int64_t(step) * p.n + column);
    } else {
        const int column = min(column0 + thread % kColumns, p.n - 1);
        for (int step = thread / kColumns; step < steps; step += kThreads / kColumns)
            tile.b[step][thread % kColumns] = b[std::int64_t(step) * p.n + column];
    }
}

/// Columns of a lane: four beside each other where rows can be stored in vectors, else 32 apart.
template <bool Vector>
__global__ void __launch_bounds__(kThreads, kSkinnyKResident) skinnyK(const GemmProblem p, int tilesN) {
    __shared__ alignas(16) Tile tile;
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int row0 = int(blockIdx.x) / tilesN * kRows, column0 = int(blockIdx.x) % tilesN * kColumns;
    float sums[kRowsOfWarp][4] = {};
    for (int k0 = 0; k0 < p.k; k0 += kDepth) {
        const int steps = min(kDepth, p.k - k0);
        if (k0 > 0)
            __syncthreads();
        copyTile<Vector>(p, row0, column0, k0, steps, tile);
        __syncthreads();
#pragma unroll 4
        for (int step = 0; step < steps; ++step) {
            alignas(16) float a[kRowsOfWarp], b[4];
#pragma unroll
            for (int i = 0; i < kRowsOfWarp; i += 4)
                *reinterpret_cast<float4*>(a + i) =
                    *reinterpret_cast<const float4*>(&tile.a[step][warp * kRowsOfWarp + i]);
            if constexpr (Vector) {
                *reinterpret_cast<float4*>(b) = reinterpret_cast<const float4*>(tile.b[step])[lane];
            } else {
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    b[j] = tile.b[step][lane + 32 * j];
            }
#pragma unroll
            for (int i = 0; i < kRowsOfWarp; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < kRowsOfWarp; ++i) {
        const int row = row0 + warp * kRowsOfWarp + i;
        if (row >= p.m)
            return;
        float* const line = p.c + std::int64_t(row) * p.n;
        if constexpr (Vector) {
            if (column0 + lane * 4 < p.n)
                *reinterpret_cast<float4*>(line + column0 + lane * 4) =
                    make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (column0 + lane + 32 * j < p.n)
                    line[column0 + lane + 32 * j] = sums[i][j];
        }
    }
}

} // namespace

cudaError_t launchGemmSkinnyK(const GemmProblem& problem, cudaStream_t stream) {
    const auto aligned = [](const float* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    };
    const int tilesN = (problem.n + kColumns - 1) / kColumns;
    const std::int64_t tiles = std::int64_t{(problem.m + kRows - 1) / kRows} * tilesN;
    if (tiles > std::numeric_limits<int>::max())
        return cudaErrorInvalidConfiguration;
    const bool vectors = problem.n % 4 == 0 && aligned(problem.b) && aligned(problem.c);
    const auto kernel = vectors ? skinnyK<true> : skinnyK<false>;
    kernel<<<unsigned(tiles), kThreads, 0, stream>>>(problem, tilesN);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
