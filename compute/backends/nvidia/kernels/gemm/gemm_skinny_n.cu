// SPDX-License-Identifier: Apache-2.0
// Matrix product whose result has few columns (at most 16): A passes through the registers once, each element
// is multiplied with every column of B.
//
// What it shows: the counterpart of gemm_skinny_m.cu. Rows of A lie along k, so the lanes of a warp share out
// k and their sums are added at the end; a chunk of B is transposed into shared memory, where all rows
// of a block find it. What limits it: the bandwidth of the device memory; where k is short, the addition over
// the lanes.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kWarps = 8, kThreads = kWarps * 32;
constexpr int kChunk = kThreads; ///< steps of k that shared memory holds
constexpr int kSteps = 4;        ///< of a lane at once

/// Adds the `Count` values of all 32 lanes, always in the same order: each round gives half of them away, so
/// that about Count shuffles suffice in all, not 5 * Count. Afterwards lane l holds the sums from (l * Count)
/// / 32 on; with fewer than 32 values several lanes hold the same.
template <int Count, int Distance = 16>
__device__ inline void addLanes(float* values, int lane) {
    if constexpr (Distance > 0) {
        if constexpr (Count > 1) {
            const bool upper = (lane & Distance) != 0;
#pragma unroll
            for (int i = 0; i < Count / 2; ++i) {
                const float given = upper ? values[i] : values[i + Count / 2];
                const float kept = upper ? values[i + Count / 2] : values[i];
                values[i] = kept + __shfl_xor_sync(~0U, given, Distance);
            }
            addLanes<Count / 2, Distance / 2>(values, lane);
        } else {
            values[0] += __shfl_xor_sync(~0U, values[0], Distance);
            addLanes<1, Distance / 2>(values, lane);
        }
    }
}

/// The next chunk of B as columns, with zeros beyond `end` and beyond the last column.
template <int N>
__device__ inline void copyChunk(const GemmProblem& p, int k0, int end, float (&shared)[N][kChunk]) {
    const int k = k0 + int(threadIdx.x);
    const float* row = p.b + std::int64_t(min(k, end - 1)) * p.n;
#pragma unroll
    for (int j = 0; j < N; ++j)
        shared[j][threadIdx.x] = k < end && j < p.n ? __ldg(row + j) : 0.0F;
}

/// A warp's rows; those beyond the last are read from it instead: what comes of them is not stored.
template <int R, bool Vector>
struct Rows {
    const float* a;
    unsigned offset[R];

    __device__ Rows(const GemmProblem& p, int first) : a(p.a + std::int64_t(min(first, p.m - 1)) * p.k) {
#pragma unroll
        for (int r = 0; r < R; ++r)
            offset[r] = unsigned(min(first + r, p.m - 1) - min(first, p.m - 1)) * unsigned(p.k);
    }
    /// A lane's steps of the 128 from k0 on: four beside each other, or 32 apart; zeros from `end` on.
    __device__ void load(int k0, int end, int lane, float (&x)[R][kSteps]) const {
#pragma unroll
        for (int r = 0; r < R; ++r) {
            if constexpr (Vector) {
                const int k = k0 + lane * kSteps;
                *reinterpret_cast<float4*>(x[r]) =
                    k < end ? __ldcs(reinterpret_cast<const float4*>(a + offset[r] + k))
                            : make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            } else {
#pragma unroll
                for (int s = 0; s < kSteps; ++s) {
                    const int k = k0 + lane + 32 * s;
                    x[r][s] = k < end ? __ldcs(a + offset[r] + k) : 0.0F;
                }
            }
        }
    }
};

/// Vector: k is a multiple of 4 and rows of A are aligned to 16 bytes.
template <int N, int R, bool Vector>
__global__ void __launch_bounds__(kThreads, kSkinnyNResident)
    skinnyN(const GemmProblem p, const GemmSlices slices) {
    __shared__ alignas(16) float shared[N][kChunk];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int firstRow = (int(blockIdx.x) * kWarps + warp) * R;
    const int first = int(blockIdx.y) * slices.depth, end = min(p.k, first + slices.depth);
    const Rows<R, Vector> rows(p, firstRow);
    float sums[R * N] = {};
    for (int chunk = first; chunk < end; chunk += kChunk) {
        if (chunk > first)
            __syncthreads();
        copyChunk<N>(p, chunk, end, shared);
        __syncthreads();
#pragma unroll
        for (int part = 0; part < kChunk; part += 32 * kSteps) {
            alignas(16) float x[R][kSteps];
            rows.load(chunk + part, end, lane, x);
#pragma unroll
            for (int j = 0; j < N; ++j) {
                alignas(16) float b[kSteps];
                if constexpr (Vector) {
                    *reinterpret_cast<float4*>(b) =
                        *reinterpret_cast<const float4*>(&shared[j][part + lane * kSteps]);
                } else {
#pragma unroll
                    for (int s = 0; s < kSteps; ++s)
                        b[s] = shared[j][part + lane + 32 * s];
                }
#pragma unroll
                for (int r = 0; r < R; ++r)
#pragma unroll
                    for (int s = 0; s < kSteps; ++s)
                        sums[r * N + j] = fmaf(x[r][s], b[s], sums[r * N + j]);
            }
        }
    }
    addLanes<R * N>(sums, lane);
    float* const c = slices.count > 1 ? slices.partial + std::int64_t(blockIdx.y) * p.m * p.n : p.c;
    constexpr int kHeld = R * N > 32 ? R * N / 32 : 1, kShared = R * N < 32 ? 32 / (R * N) : 1;
    if (lane % kShared != 0)
        return;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
        const int value = lane / kShared * kHeld + i, row = firstRow + value / N, column = value % N;
        if (row < p.m && column < p.n)
            c[std::int64_t(row) * p.n + column] = sums[i];
    }
}

template <int N>
cudaError_t launch(const GemmProblem& p, const GemmSlices& slices, cudaStream_t stream) {
    constexpr int R = (N > 8 ? kSkinnyNRowsOfMany : kSkinnyNRows) / kWarps;
    const bool vectors = p.k % 4 == 0 && reinterpret_cast<std::uintptr_t>(p.a) % 16 == 0;
    const auto kernel = vectors ? skinnyN<N, R, true> : skinnyN<N, R, false>;
    const dim3 grid(unsigned((p.m + kWarps * R - 1) / (kWarps * R)), unsigned(slices.count));
    kernel<<<grid, kThreads, 0, stream>>>(p, slices);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchGemmSkinnyN(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream) {
    static_assert(kMostSkinny == 16);
    if (problem.n == 1)
        return launch<1>(problem, slices, stream);
    if (problem.n == 2)
        return launch<2>(problem, slices, stream);
    if (problem.n <= 4)
        return launch<4>(problem, slices, stream);
    if (problem.n <= 8)
        return launch<8>(problem, slices, stream);
    return launch<16>(problem, slices, stream);
}

} // namespace heteroscope::compute::nvidia
