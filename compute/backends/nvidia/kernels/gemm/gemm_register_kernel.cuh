// SPDX-License-Identifier: Apache-2.0
// The fast matrix product, generic over its tile sizes: every thread keeps a TM x TN piece of C in registers
// and feeds it from shared memory, which asynchronous copies fill several tiles ahead.
//
// What it shows: once data is reused enough, fp32 arithmetic is limited by instruction issue, so everything
// here saves instructions beside the multiply-adds. A step of k reads TM + TN floats from shared memory (16
// bytes at a time) for TM * TN multiply-adds; copies go from device to shared memory past the registers; the
// operands of the next step are read while this one is multiplied.
// What limits it: one FFMA per scheduler and cycle, less the share of all other instructions.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"
#include "compute/backends/nvidia/kernels/gemm/gemm_tiling.h"

#include <cstdint>
#include <cuda_pipeline_primitives.h>

namespace heteroscope::compute::nvidia::register_gemm {

/// First row and column of this block's tile. Blocks that run together form squares of C rather than lines,
/// so that they share rows of A and columns of B in the L2 cache.
template <class T>
struct BlockPlace {
    int row, column;

    __device__ explicit BlockPlace(const GemmProblem& p) {
        const int tilesM = (p.m + T::BM - 1) / T::BM;
        const int tilesN = (p.n + T::BN - 1) / T::BN;
        const int perGroup = T::GroupRows * tilesN;
        const int group = int(blockIdx.x) / perGroup;
        const int inGroup = int(blockIdx.x) - group * perGroup;
        const int rows = min(T::GroupRows, tilesM - group * T::GroupRows);
        row = (group * T::GroupRows + inGroup % rows) * T::BM;
        column = inGroup / rows * T::BN;
    }
};

/// Which row or column of a tile that has only `left` of them to copy in place of that one: what comes of
/// those beyond is never stored. Those of the tile before, `before` rows or columns long (0: there is none),
/// or the ones that are left: copies of one address by many threads take their turns, and copies under a
/// condition cost more than needless ones.
__device__ inline int rowToCopy(int row, int left, int before) {
    if (row < left)
        return row;
    return before > 0 ? row - before
                      : row & int((0x80000000U >> __clz(left)) - 1); // below a power of two up to `left`
}

/// This thread's share of copying tiles of A (transposed on the way, float by float) and of B into shared
/// memory: of B `Width` floats at a time.
template <class T, int Width>
struct TileCopy {
    static constexpr int RowStride = T::Threads / 8, CopiesA = T::BM / RowStride;
    static constexpr int PerRow = T::BN / Width;
    static constexpr int StepStride = T::Threads / PerRow;
    /// Where a tile has fewer steps than the block has rows of threads, some copy nothing of B.
    static constexpr bool AllCopyB = StepStride <= T::BK;
    static constexpr int CopiesB = AllCopyB ? T::BK / StepStride : 1;
    static_assert(PerRow <= T::Threads && T::BM % RowStride == 0 && (!AllCopyB || T::BK % StepStride == 0));

    const float* a;
    const float* b;
    int offsetA[CopiesA]; // from the first row of the tile
    std::int64_t copyStrideB;
    int ldb;
    int stepA, stepB;
    int sharedA, sharedB;

    __device__ TileCopy(const GemmProblem& p, const BlockPlace<T>& place) {
        stepA = int(threadIdx.x) % 8;
        stepB = int(threadIdx.x) / PerRow;
        const int rowInTile = int(threadIdx.x) / 8;
        const int columnInTile = int(threadIdx.x) % PerRow * Width;
        a = p.a + std::int64_t(place.row) * p.k + stepA;
        b = p.b + std::int64_t(stepB) * p.n + place.column +
            rowToCopy(columnInTile, p.n - place.column, place.column > 0 ? T::BN : 0);
#pragma unroll
        for (int i = 0; i < CopiesA; ++i)
            offsetA[i] =
                rowToCopy(rowInTile + i * RowStride, p.m - place.row, place.row > 0 ? T::BM : 0) * p.k;
        ldb = p.n;
        copyStrideB = std::int64_t(StepStride) * p.n;
        sharedA = stepA * T::StrideA + rowInTile;
        sharedB = T::BK * T::StrideA + stepB * T::BN + columnInTile;
    }

    __device__ void whole(float* stage) {
#pragma unroll
        for (int part = 0; part < T::BK / 8; ++part)
#pragma unroll
            for (int i = 0; i < CopiesA; ++i)
                __pipeline_memcpy_async(stage + sharedA + part * 8 * T::StrideA + i * RowStride,
                                        a + part * 8 + offsetA[i], 4);
        if (AllCopyB || stepB < T::BK) {
#pragma unroll
            for (int i = 0; i < CopiesB; ++i)
                __pipeline_memcpy_async(stage + sharedB + i * StepStride * T::BN, b + i * copyStrideB,
                                        Width * 4);
        }
        advance(T::BK);
    }

    /// Starts the copies of all stages but one. The tile that may be incomplete, of `steps` steps, comes
    /// first, so that the loop over the others has no checks.
    __device__ void firstTiles(float* shared, int steps, int tiles) {
        part(shared, steps);
        __pipeline_commit();
#pragma unroll
        for (int tile = 1; tile < T::Stages - 1; ++tile) {
            if (tile < tiles)
                whole(shared + tile * T::StageFloats);
            __pipeline_commit();
        }
    }

  private:
    /// The first `steps` steps of k, and zeros for the rest of the tile.
    __device__ void part(float* stage, int steps) {
#pragma unroll
        for (int part = 0; part < T::BK / 8; ++part)
#pragma unroll
            for (int i = 0; i < CopiesA; ++i) {
                float* target = stage + sharedA + part * 8 * T::StrideA + i * RowStride;
                if (stepA + part * 8 < steps)
                    __pipeline_memcpy_async(target, a + part * 8 + offsetA[i], 4);
                else
                    *target = 0.0F;
            }
#pragma unroll
        for (int i = 0; i < CopiesB; ++i) {
            float* target = stage + sharedB + i * StepStride * T::BN;
            if (stepB + i * StepStride < steps) {
                __pipeline_memcpy_async(target, b + i * copyStrideB, Width * 4);
            } else if (AllCopyB || stepB < T::BK) {
                for (int j = 0; j < Width; ++j)
                    target[j] = 0.0F;
            }
        }
        advance(steps);
    }

    __device__ void advance(int steps) {
        a += steps;
        b += std::int64_t(steps) * ldb;
    }
};

/// A thread's place in its block: its slice of the steps, and its first row and column in the tile. Its rows
/// are groups of four, 4 * LanesM apart, so that a warp reads consecutive groups; columns likewise.
template <class T>
struct ThreadPlace {
    int slice, inGroup, row, column;

    __device__ ThreadPlace() {
        slice = int(threadIdx.x) / T::GroupThreads;
        inGroup = int(threadIdx.x) % T::GroupThreads;
        const int warp = inGroup / 32, lane = inGroup % 32;
        constexpr int kWarpsN = T::BN / T::WN;
        row = warp / kWarpsN * T::WM + lane / T::LanesN * 4;
        column = warp % kWarpsN * T::WN + lane % T::LanesN * 4;
    }
};

/// The operands of one step of k: TM values of A and TN of B.
template <class T>
struct Fragment {
    alignas(16) float a[T::TM], b[T::TN];

    __device__ void load(const float* stageA, const float* stageB, int step) {
#pragma unroll
        for (int i = 0; i < T::TM / 4; ++i)
            reinterpret_cast<float4*>(a)[i] =
                *reinterpret_cast<const float4*>(stageA + step * T::StrideA + i * 4 * T::LanesM);
#pragma unroll
        for (int j = 0; j < T::TN / 4; ++j)
            reinterpret_cast<float4*>(b)[j] =
                *reinterpret_cast<const float4*>(stageB + step * T::StrideB + j * 4 * T::LanesN);
    }
};

template <class T>
struct Accumulators {
    float value[T::TM][T::TN] = {};

    /// Goes to and fro, so that each multiply-add shares an operand with the one before. It reads three
    /// registers, and the register file delivers one a cycle from each of its two banks; the shared one is
    /// not read again.
    __device__ void multiplyAdd(const Fragment<T>& fragment) {
#pragma unroll
        for (int pass = 0; pass < T::TN / T::Pass; ++pass)
#pragma unroll
            for (int row = 0; row < T::TM; ++row)
#pragma unroll
                for (int column = 0; column < T::Pass; ++column) {
                    const int i = pass % 2 == 0 ? row : T::TM - 1 - row;
                    const int j = pass * T::Pass + (row % 2 == 0 ? column : T::Pass - 1 - column);
                    value[i][j] = fmaf(fragment.a[i], fragment.b[j], value[i][j]);
                }
    }

    /// Adds the sums of the other slices to those of slice 0, always in the same order.
    __device__ void sumSlices(float* shared, const ThreadPlace<T>& thread) {
#pragma unroll
        for (int half = T::Slices / 2; half > 0; half /= 2) {
            __syncthreads();
            float* mine = shared + thread.slice % half * T::BM * T::BN + thread.inGroup;
            if (thread.slice / half == 1) {
#pragma unroll
                for (int e = 0; e < T::TM * T::TN; ++e)
                    mine[e * T::GroupThreads] = value[e / T::TN][e % T::TN];
            }
            __syncthreads();
            if (thread.slice < half) {
#pragma unroll
                for (int e = 0; e < T::TM * T::TN; ++e)
                    value[e / T::TN][e % T::TN] += mine[e * T::GroupThreads];
            }
        }
    }

    /// Calls put(row, column, values) for four elements beside each other, times `scale` (see registerGemm).
    template <class Put>
    __device__ void eachVec4(const ThreadPlace<T>& thread, float scale, Put put) const {
#pragma unroll
        for (int i = 0; i < T::TM; ++i)
#pragma unroll
            for (int j = 0; j < T::TN; j += 4)
                put(unsigned(thread.row + i / 4 * 4 * T::LanesM + i % 4),
                    unsigned(thread.column + j * T::LanesN),
                    make_float4(value[i][j] * scale, value[i][j + 1] * scale, value[i][j + 2] * scale,
                                value[i][j + 3] * scale));
    }

    /// Rows of C that are aligned to vectors, by the threads of slice 0.
    __device__ void store(const GemmProblem& p, float scale, int row0, int column0) const {
#pragma unroll
        for (int i = 0; i < T::TM; ++i) {
            const int row = row0 + i / 4 * 4 * T::LanesM + i % 4;
            if (row >= p.m)
                continue;
            float* line = p.c + std::int64_t(row) * p.n;
#pragma unroll
            for (int j = 0; j < T::TN; j += 4) {
                const int column = column0 + j * T::LanesN;
                if (column < p.n)
                    *reinterpret_cast<float4*>(line + column) = four(i, j, scale);
            }
        }
    }

    /// Any rows of C, by all threads: shared memory turns what threads hold into whole rows, so that
    /// neighbouring threads store neighbours.
    __device__ void storeRows(const GemmProblem& p, float scale, float* shared, const ThreadPlace<T>& thread,
                              const BlockPlace<T>& block) const {
        constexpr int kRowsAtOnce = T::BM * 4 / T::TM, kStride = T::BN + 16;
        static_assert(kRowsAtOnce * kStride <= T::Stages * T::StageFloats);
#pragma unroll
        for (int first = 0; first < T::TM; first += 4) { // rows of a thread
            __syncthreads();
            if (thread.slice == 0) {
                const int row = thread.row / T::WM * 4 * T::LanesM + thread.row % T::WM;
#pragma unroll
                for (int i = 0; i < 4; ++i)
#pragma unroll
                    for (int j = 0; j < T::TN; j += 4)
                        *reinterpret_cast<float4*>(shared + (row + i) * kStride + thread.column +
                                                   j * T::LanesN) = four(first + i, j, scale);
            }
            __syncthreads();
            for (int e = int(threadIdx.x); e < kRowsAtOnce * T::BN; e += T::Threads) {
                const int held = e / T::BN, ofWarp = held % (4 * T::LanesM);
                const int row = block.row + held / (4 * T::LanesM) * T::WM + first * T::LanesM + ofWarp;
                const int column = block.column + e % T::BN;
                if (row < p.m && column < p.n)
                    p.c[std::int64_t(row) * p.n + column] = shared[held * kStride + e % T::BN];
            }
        }
    }

  private:
    __device__ float4 four(int i, int j, float scale) const {
        return make_float4(value[i][j] * scale, value[i][j + 1] * scale, value[i][j + 2] * scale,
                           value[i][j + 3] * scale);
    }
};

/// Makes `p` the product of that slice; gives its depth.
__device__ inline int selectSlice(GemmProblem& p, const GemmSlices& slices, int slice) {
    const int first = slice * slices.depth;
    p.a += first;
    p.b += std::int64_t(first) * p.n;
    p.c = slices.partial + std::int64_t(slice) * p.m * p.n;
    return min(slices.depth, p.k - first);
}

/// WidthB: rows of B move so many floats at a time, 1, 2 or 4: n is a multiple of it, b aligned to as many.
/// The sums are multiplied by `scale`,
/// which is 1: stored directly, four neighbours would have to sit in consecutive registers all along, and
/// with that in the banks of the values of B that they are multiplied with.
template <class T, int WidthB, bool Split>
__global__ void __launch_bounds__(T::Threads, T::Blocks)
    registerGemm(GemmProblem p, float scale, GemmSlices slices) {
    extern __shared__ float4 sharedVectors[];
    float* shared = reinterpret_cast<float*>(sharedVectors);
    int depth = p.k;
    if constexpr (Split)
        depth = selectSlice(p, slices, int(blockIdx.y));
    const BlockPlace<T> block(p);
    const ThreadPlace<T> thread;
    TileCopy<T, WidthB> copy(p, block);
    const int tiles = (depth + T::BK - 1) / T::BK;

    copy.firstTiles(shared, depth - (tiles - 1) * T::BK, tiles);
    __pipeline_wait_prior(T::Stages - 2);
    __syncthreads();

    constexpr int kLastStage = (T::Stages - 1) * T::StageFloats;
    const int first = thread.slice * T::Steps;
    const int placeA = first * T::StrideA + thread.row;
    const int placeB = T::BK * T::StrideA + first * T::BN + thread.column;
    const float* const baseA = shared + placeA;
    const float* const baseB = shared + placeB;
    const auto next = [](int offset) { return offset == kLastStage ? 0 : offset + T::StageFloats; };
    int read = 0, write = kLastStage, copiesLeft = tiles - (T::Stages - 1);
    Accumulators<T> sums;
    Fragment<T> fragments[2];
    fragments[0].load(baseA, baseB, 0);
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const float* stageA = baseA + read;
        const float* stageB = baseB + read;
        read = next(read);
        const float* nextA = baseA + read;
        const float* nextB = baseB + read;
#pragma unroll
        for (int step = 0; step < T::Steps; ++step) {
            const bool last = step == T::Steps - 1;
            if (last) {
                __pipeline_wait_prior(T::Stages - 2);
                __syncthreads();
            }
            fragments[(step + 1) % 2].load(last ? nextA : stageA, last ? nextB : stageB,
                                           (step + 1) % T::Steps);
            if (step == 0) {
                if (copiesLeft > 0)
                    copy.whole(shared + write);
                __pipeline_commit();
                --copiesLeft;
                write = next(write);
            }
            sums.multiplyAdd(fragments[step % 2]);
        }
    }
    sums.sumSlices(shared, thread);
    if (!p.vectorC)
        sums.storeRows(p, scale, shared, thread, block);
    else if (thread.slice == 0)
        sums.store(p, scale, block.row + thread.row, block.column + thread.column);
}

} // namespace heteroscope::compute::nvidia::register_gemm
