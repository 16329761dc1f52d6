// SPDX-License-Identifier: Apache-2.0
// Matrix product by a single block that first brings its operands into shared memory.
//
// What it shows: the threads of a block load together what all of them need, a strip of k at a time; a thread
// loads elements that others use. It also shows memory sized at the launch (extern __shared__). What limits
// it: one multiprocessor of more than a hundred works, and 1024 threads are the limit, as in `block`. For
// small matrices the barriers cost more than the caches would.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <algorithm>
#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

/// Shared memory that every GPU gives a block without being asked for more.
constexpr int kSharedFloats = 48 * 1024 / int(sizeof(float));
constexpr int kMaxStrip = 32;

__global__ void __launch_bounds__(kGemmBlockThreads) gemmBlockShared(const GemmProblem p, int strip) {
    extern __shared__ float shared[];
    float* stripA = shared;               // m x strip
    float* stripB = shared + p.m * strip; // strip x n
    const int row = int(threadIdx.y), column = int(threadIdx.x);
    const int thread = row * p.n + column, threads = p.m * p.n;
    float sum = 0.0F;
    for (int first = 0; first < p.k; first += strip) {
        const int steps = min(strip, p.k - first);
        for (int e = thread; e < p.m * steps; e += threads)
            stripA[e / steps * strip + e % steps] = p.a[std::int64_t(e / steps) * p.k + first + e % steps];
        for (int e = thread; e < steps * p.n; e += threads)
            stripB[e] = p.b[std::int64_t(first) * p.n + e];
        __syncthreads();
        for (int i = 0; i < steps; ++i)
            sum = fmaf(stripA[row * strip + i], stripB[i * p.n + column], sum);
        __syncthreads();
    }
    p.c[thread] = sum;
}

} // namespace

cudaError_t launchGemmBlockShared(const GemmProblem& problem, cudaStream_t stream) {
    const int strip = std::min({problem.k, kMaxStrip, kSharedFloats / (problem.m + problem.n)});
    const std::size_t bytes = std::size_t(problem.m + problem.n) * strip * sizeof(float);
    gemmBlockShared<<<1, dim3(problem.n, problem.m), bytes, stream>>>(problem, strip);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
