// SPDX-License-Identifier: Apache-2.0
// Matrix product whose result has few rows (at most 16), as a batch of matrix-vector products: B passes
// through the registers once, each element is multiplied with every row of A.
//
// What it shows: a product with few rows reuses an element of B only that many times, so the memory decides,
// not the arithmetic. Nothing is gained by shared memory; what counts is that many loads of B are on their
// way. A block's warps take groups of four rows of B in turn, and blocks take slices of k. What limits it:
// the bandwidth of the device memory; with 16 rows nearly the arithmetic.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kWarps = 8, kThreads = kWarps * 32;
constexpr int kColumns = kSkinnyMColumns; ///< of a block: four for each lane
static_assert(kColumns == 4 * 32);
constexpr int kSteps = 4; ///< of k that a warp takes at once

/// Columns of a lane: four beside each other, or 32 apart where rows of B are not aligned.
template <bool Vector>
struct LaneColumns {
    int first;

    __device__ explicit LaneColumns(int n, int lane) {
        first = int(blockIdx.x) * kColumns + (Vector ? lane * 4 : lane);
        if (Vector)
            first = min(first, n - 4); // what comes of columns beyond is not stored
    }
    __device__ void load(const float* row, int n, float (&values)[4]) const {
        if constexpr (Vector) {
            *reinterpret_cast<float4*>(values) = __ldcs(reinterpret_cast<const float4*>(row + first));
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                values[j] = __ldcs(row + min(first + 32 * j, n - 1));
        }
    }
};

template <int M, bool VectorB>
struct RowSums {
    float of[M][4] = {};

    template <bool VectorA>
    __device__ void add(const float* const a, const unsigned (&offset)[M], const float (&b)[kSteps][4]) {
#pragma unroll
        for (int i = 0; i < M; ++i) {
            alignas(16) float x[kSteps];
            if constexpr (VectorA) {
                *reinterpret_cast<float4*>(x) = __ldg(reinterpret_cast<const float4*>(a + offset[i]));
            } else {
#pragma unroll
                for (int s = 0; s < kSteps; ++s)
                    x[s] = __ldg(a + offset[i] + s);
            }
#pragma unroll
            for (int s = 0; s < kSteps; ++s)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    of[i][j] = fmaf(x[s], b[s][j], of[i][j]);
        }
    }

    /// The last steps of k, fewer than kSteps.
    __device__ void addOne(const float* const a, const unsigned (&offset)[M], const float (&b)[4]) {
#pragma unroll
        for (int i = 0; i < M; ++i) {
            const float x = __ldg(a + offset[i]);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                of[i][j] = fmaf(x, b[j], of[i][j]);
        }
    }

    /// Adds the warps' sums, always in the same order, and stores them.
    __device__ void store(const GemmProblem& p, float* c, int lane, int warp) const {
        constexpr int kRows = M < 4 ? M : 4; // at once
        __shared__ alignas(16) float shared[kWarps][kRows][kColumns];
#pragma unroll
        for (int first = 0; first < M; first += kRows) {
            if (first > 0)
                __syncthreads();
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                if constexpr (VectorB) {
                    reinterpret_cast<float4*>(shared[warp][i])[lane] =
                        make_float4(of[first + i][0], of[first + i][1], of[first + i][2], of[first + i][3]);
                } else {
#pragma unroll
                    for (int j = 0; j < 4; ++j)
                        shared[warp][i][lane + 32 * j] = of[first + i][j];
                }
            }
            __syncthreads();
            for (int e = int(threadIdx.x); e < kRows * kColumns; e += kThreads) {
                const int row = first + e / kColumns, column = int(blockIdx.x) * kColumns + e % kColumns;
                if (row >= p.m || column >= p.n)
                    continue;
                float sum = 0.0F;
#pragma unroll
                for (int other = 0; other < kWarps; ++other)
                    sum += shared[other][e / kColumns][e % kColumns];
                c[std::int64_t(row) * p.n + column] = sum;
            }
        }
    }
};

template <int M, bool VectorA, bool VectorB>
__global__ void __launch_bounds__(kThreads, kSkinnyMResident)
    skinnyM(const GemmProblem p, const GemmSlices slices) {
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int first = int(blockIdx.y) * slices.depth, end = min(p.k, first + slices.depth);
    unsigned offset[M];
#pragma unroll
    for (int i = 0; i < M; ++i)
        offset[i] = unsigned(min(i, p.m - 1)) * unsigned(p.k);
    const LaneColumns<VectorB> columns(p.n, lane);
    RowSums<M, VectorB> sums;
    int k = first + warp * kSteps;
    const float* a = p.a + k;
    const float* b = p.b + std::int64_t(k) * p.n;
#pragma unroll(M > 8 ? 1 : 2)
    for (; k + kSteps <= end; k += kWarps * kSteps, a += kWarps * kSteps) {
        alignas(16) float values[kSteps][4];
#pragma unroll
        for (int s = 0; s < kSteps; ++s)
            columns.load(b + std::int64_t(s) * p.n, p.n, values[s]);
        sums.template add<VectorA>(a, offset, values);
        b += std::int64_t(kWarps * kSteps) * p.n;
    }
    for (; k < end; ++k, ++a, b += p.n) { // one warp's, at the end of k
        alignas(16) float values[4];
        columns.load(b, p.n, values);
        sums.addOne(a, offset, values);
    }
    float* const c = slices.count > 1 ? slices.partial + std::int64_t(blockIdx.y) * p.m * p.n : p.c;
    sums.store(p, c, lane, warp);
}

template <int M>
cudaError_t launch(const GemmProblem& p, const GemmSlices& slices, cudaStream_t stream) {
    const auto aligned = [](const float* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    };
    const bool vectorA = p.k % 4 == 0 && aligned(p.a), vectorB = p.n % 4 == 0 && aligned(p.b);
    const auto kernel = vectorA   ? vectorB ? skinnyM<M, true, true> : skinnyM<M, true, false>
                          : vectorB ? skinnyM<M, false, true>
                                  : skinnyM<M, false, false>;
    const dim3 grid(unsigned((p.n + kColumns - 1) / kColumns), unsigned(slices.count));
    kernel<<<grid, kThreads, 0, stream>>>(p, slices);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchGemmSkinnyM(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream) {
    static_assert(kMostSkinny == 16);
    if (problem.m == 1)
        return launch<1>(problem, slices, stream);
    if (problem.m == 2)
        return launch<2>(problem, slices, stream);
    if (problem.m <= 4)
        return launch<4>(problem, slices, stream);
    if (problem.m <= 8)
        return launch<8>(problem, slices, stream);
    return launch<16>(problem, slices, stream);
}

} // namespace heteroscope::compute::nvidia
