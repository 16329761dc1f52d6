// SPDX-License-Identifier: Apache-2.0
// Sums over the threads of a block, always in the same order.
#pragma once

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

inline constexpr int kSumThreads = 256;

struct Pair {
    double a = 0, b = 0;
    __device__ void add(const Pair& other) {
        a += other.a;
        b += other.b;
    }
};

/// Both sums over the block's threads, in every thread. Every thread of the block calls it.
template <int Threads = kSumThreads>
__device__ inline Pair blockSum(Pair value) {
    __shared__ Pair ofWarps[Threads / 32];
    for (int offset = 16; offset > 0; offset /= 2)
        value.add({__shfl_xor_sync(~0U, value.a, offset), __shfl_xor_sync(~0U, value.b, offset)});
    __syncthreads(); // the sums of an earlier call have been read
    if (threadIdx.x % 32 == 0)
        ofWarps[threadIdx.x / 32] = value;
    __syncthreads();
    constexpr int kWarps = Threads / 32;
    Pair sum = ofWarps[threadIdx.x % kWarps];
#pragma unroll
    for (int offset = kWarps / 2; offset > 0; offset /= 2)
        sum.add({__shfl_xor_sync(~0U, sum.a, offset), __shfl_xor_sync(~0U, sum.b, offset)});
    return sum;
}

/// Calls add() for partial[0] to partial[count - 1], shared out over the block, and sums.
__device__ inline Pair blockSumOf(const Pair* partial, int count) {
    Pair sum;
    for (int i = int(threadIdx.x); i < count; i += kSumThreads)
        sum.add(partial[i]);
    return blockSum(sum);
}

} // namespace heteroscope::compute::nvidia
