// SPDX-License-Identifier: Apache-2.0
// The register-tiled matrix product of gemm_register_kernel.cuh with operands that are whatever a loader
// finds: weights as they lie, or the input under the windows of a convolution, which so is never written out
// (implicit GEMM).
//
// Elements go to shared memory one by one and asynchronously, past the registers, a tile of k ahead of the
// multiplication. Products with few tiles cut k into slices; a second kernel adds the slices in order. What
// limits it: one FFMA per scheduler and cycle, less the instructions that find the elements.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_register_kernel.cuh"
#include "compute/backends/nvidia/kernels/gemm/product_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime_api.h>
#include <type_traits>

namespace heteroscope::compute::nvidia {

/// A block computes BM x BN of C, a warp WM x WN of it, a thread TM x TN.
template <int BM, int BN, int WM, int WN, int TM, int TN, int Stages, int Blocks>
using ProductTile = register_gemm::Tiling<BM, BN, kTileSteps, WM, WN, TM, TN, Stages, 1, Blocks, TN, 1, 4>;

/// Where an element lies; outside of the operand it is zero.
struct Source {
    const float* from;
    bool inside;
};

/// C = A B, `groups` times. A and B are loaders: select(group), row(index) of m or n, and
/// - with kWhole (the elements of a tile of k lie equally far apart, all or none of them inside): tile(k),
///   at(row, tile) of the tile's first element, stride(); where a tile may have fewer than kTileSteps of
///   them, the rest of which is zero, also stepsOf(tile); where that holds of fewer steps, kChunk of them;
/// - else step(k), at(row, step), also for a k beyond the last. kFast: neighbours in k lie together, or each
///   step of k costs much to find.
/// kEnds: k may end within a tile. kCheap: few instructions find an element, so that whole tiles are copied
/// without looking whether k ends.
/// Or kPacked: rows of k with a stride of `rowStride` from `base` on, in whole tiles of both extents,
/// aligned to 16 bytes. Store: select(group), column(n), put(m, column, value); where `vec4`, putVec4(m,
/// column, values) of four columns from a multiple of four on.
template <class LoadA, class LoadB, class StoreC>
struct Product {
    /// Whether each group has `parts` products, `busyParts` of them not empty: n and k are the most there
    /// are, select() sets those of a part, perhaps 0.
    static constexpr bool kHasParts = false;
    unsigned m, n, k, groups;
    LoadA a;
    LoadB b;
    StoreC store;

    __device__ void select(unsigned group, unsigned) {
        a.select(group);
        b.select(group);
        store.select(group);
    }
};

/// Whether a product's store says kRowSums: that rows of A are summed too, as results of a last column.
template <class Problem>
constexpr bool hasRowSums() {
    if constexpr (requires { decltype(Problem::store)::kRowSums; })
        return decltype(Problem::store)::kRowSums;
    else
        return false;
}

/// Which product a block computes, and which tile of its columns.
struct BlockOfProduct {
    unsigned group, part = 0, tileN;
    unsigned index; ///< of all products

    template <class Problem>
    __device__ BlockOfProduct(const Problem& p, unsigned z, unsigned tile) : group(z), tileN(tile), index(z) {
        if constexpr (Problem::kHasParts) {
            part = tileN % p.parts;
            tileN /= p.parts;
            index = group * p.parts + part;
        }
    }
};

/// One operand's share of a thread: which elements it copies to shared memory.
template <int Extent, class T, class Loader>
struct OperandCopy {
    /// Threads beside each other copy neighbours: 8 steps of k of 4 rows fall into 32 different banks.
    static constexpr int Across = Loader::kFast ? 8 : Extent, Along = T::Threads / Across;
    static constexpr int Rows = Loader::kFast ? Extent / Along : 1;
    static constexpr int Steps = Loader::kFast ? T::BK / Across : T::BK / Along;
    static constexpr int Stride = Extent + 4;
    static_assert(T::Threads % Across == 0 && Rows >= 1 && Steps >= 1);

    typename Loader::Row rows[Rows];
    int across, along;

    __device__ OperandCopy(const Loader& loader, unsigned first, unsigned limit)
        : across(int(threadIdx.x) % Across), along(int(threadIdx.x) / Across) {
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const int inTile = Loader::kFast ? along + r * Along : across;
            rows[r] = loader.row(first + unsigned(register_gemm::rowToCopy(inTile, int(limit - first),
                                                                           first >= Extent ? Extent : 0)));
        }
    }

    /// Copies a tile of k, with zeros from `end` on. Threads of a warp agree on k0 and end.
    __device__ void start(const Loader& loader, unsigned k0, unsigned end, float* stage) const {
        if (!Loader::kEnds || (Loader::kCheap && k0 + T::BK <= end))
            copyTile<true>(loader, k0, end, stage);
        else
            copyTile<false>(loader, k0, end, stage);
    }

  private:
    static constexpr int chunkOf() {
        if constexpr (requires { Loader::kChunk; })
            return Loader::kChunk;
        else
            return T::BK;
    }

    template <bool Full>
    __device__ void copyTile(const Loader& loader, unsigned k0, unsigned end, float* stage) const {
        float* const to = Loader::kFast ? stage + across * Stride + along : stage + along * Stride + across;
        const unsigned first = k0 + unsigned(Loader::kFast ? across : along);
        constexpr int kStride = Loader::kFast ? Across : Along; // of the steps of a thread
        if constexpr (Loader::kWhole) {
            constexpr int kChunk = chunkOf();
            static_assert(T::BK % kChunk == 0 && kChunk % kStride == 0);
#pragma unroll
            for (int chunk = 0; chunk < T::BK; chunk += kChunk) {
                const auto tile = loader.tile(k0 + chunk);
                const Source source = loader.at(rows[0], tile);
                const float* from = source.from + std::size_t(along) * loader.stride();
#pragma unroll
                for (int s = 0; s < kChunk; s += kStride, from += kStride * loader.stride()) {
                    bool wanted = Full || first + chunk + s < end;
                    if constexpr (requires { loader.stepsOf(tile); })
                        wanted = wanted && unsigned(along + s) < loader.stepsOf(tile);
                    copy(to + (chunk + s) * Stride, {from, source.inside}, wanted);
                }
            }
        } else {
#pragma unroll
            for (int s = 0; s < Steps; ++s) {
                const auto step = loader.step(first + s * kStride);
#pragma unroll
                for (int r = 0; r < Rows; ++r)
                    copy(to + s * kStride * Stride + r * Along, loader.at(rows[r], step),
                         Full || first + s * kStride < end);
            }
        }
    }

    /// Where nothing is wanted nothing is read: the address may be any.
    static __device__ void copy(float* to, const Source& source, bool wanted) {
        __pipeline_memcpy_async(to, source.from, sizeof(float), source.inside && wanted ? 0 : sizeof(float));
    }
};

/// The largest power of two up to `value`.
constexpr int floorOfPowers(int value) {
    return value < 2 ? 1 : 2 * floorOfPowers(value / 2);
}

/// The same of a packed operand, 16 bytes at a time.
template <int Extent, class T, class Loader>
struct PackedCopy {
    static constexpr int Across = Extent / 4, Stride = Extent + 4;
    static constexpr int Along = floorOfPowers(T::Threads / Across < T::BK ? T::Threads / Across : T::BK);
    static_assert(Extent % 4 == 0 && T::BK % Along == 0);

    unsigned column;
    int across, along;

    __device__ PackedCopy(const Loader&, unsigned first, unsigned)
        : column(first + threadIdx.x % Across * 4),
          across(int(threadIdx.x) % Across * 4),
          along(int(threadIdx.x) / Across) {}

    __device__ void start(const Loader& loader, unsigned k0, unsigned, float* stage) const {
        if (T::Threads > Across * Along && along >= Along)
            return; // the others copy all of it
#pragma unroll
        for (int s = 0; s < T::BK; s += Along)
            __pipeline_memcpy_async(stage + (along + s) * Stride + across,
                                    loader.base + std::size_t(k0 + unsigned(along + s)) * loader.rowStride +
                                        column,
                                    sizeof(float4));
    }
};

template <class Loader>
constexpr bool isPacked() {
    if constexpr (requires { Loader::kPacked; })
        return Loader::kPacked;
    else
        return false;
}

template <int Extent, class T, class Loader>
using CopyOf =
    std::conditional_t<isPacked<Loader>(), PackedCopy<Extent, T, Loader>, OperandCopy<Extent, T, Loader>>;

/// A slice's results, whose rows are `columns` long.
struct SliceOfResult {
    float* first;
    unsigned columns;
    bool vec4;

    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        first[std::size_t(m) * columns + n] = value;
    }
    __device__ void putVec4(unsigned m, unsigned n, const float4& four) const {
        *reinterpret_cast<float4*>(first + std::size_t(m) * columns + n) = four;
    }
};

/// A tile whose columns do not lie in whole vectors of four: shared memory turns what threads hold into rows,
/// so that neighbouring threads store neighbours. For all threads of a block.
template <class T, class Store>
__device__ __forceinline__ void storeRows(const Store& store, const register_gemm::Accumulators<T>& sums,
                                          const register_gemm::ThreadPlace<T>& thread, unsigned firstM,
                                          unsigned firstN, unsigned rows, unsigned columns, float scale,
                                          float* shared) {
    constexpr int kRowsAtOnce = T::BM * 4 / T::TM, kStride = T::BN + 4, kTurns = T::Threads / T::BN;
    static_assert(kRowsAtOnce * kStride <= T::Stages * T::StageFloats && T::Threads % T::BN == 0);
    const unsigned n = firstN + threadIdx.x % T::BN;
    const unsigned column = n < columns ? store.column(n) : 0;
    float* const mine =
        shared + (thread.row / T::WM * 4 * T::LanesM + thread.row % T::WM) * kStride + thread.column;
#pragma unroll
    for (int first = 0; first < T::TM; first += 4) { // rows of a thread
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < T::TN; j += 4) {
                const float* const value = sums.value[first + i] + j;
                *reinterpret_cast<float4*>(mine + i * kStride + j * T::LanesN) =
                    make_float4(value[0] * scale, value[1] * scale, value[2] * scale, value[3] * scale);
            }
        __syncthreads();
#pragma unroll 4
        for (int held = int(threadIdx.x) / T::BN; held < kRowsAtOnce; held += kTurns) {
            const unsigned m = firstM + unsigned(held / (4 * T::LanesM) * T::WM + first * T::LanesM +
                                                 held % (4 * T::LanesM));
            if (m < rows && n < columns)
                store.put(m, column, shared[held * kStride + int(threadIdx.x) % T::BN]);
        }
    }
}

template <class T, class Store>
__device__ __forceinline__ void storeTile(const Store& store, const register_gemm::Accumulators<T>& sums,
                                          const register_gemm::ThreadPlace<T>& thread, unsigned firstM,
                                          unsigned firstN, unsigned rows, unsigned columns, float scale,
                                          float* shared) {
    if (!store.vec4)
        return storeRows<T>(store, sums, thread, firstM, firstN, rows, columns, scale, shared);
    sums.eachVec4(thread, scale, [&](unsigned i, unsigned j, const float4& four) {
        if (firstM + i < rows && firstN + j < columns)
            store.putVec4(firstM + i, store.column(firstN + j), four);
    });
}

/// The sums of the rows of A's tile, by all threads of a block: each a part of a row's steps.
template <class T>
struct RowSums {
    static constexpr int kParts = T::Threads / T::BM, kSteps = T::BK / kParts;
    static_assert(T::Threads % T::BM == 0 && T::BK % kParts == 0);
    bool wanted; ///< of the blocks of the first columns
    float sum = 0;

    __device__ void add(const float* stageA) {
        if (!wanted)
            return;
        const float* const mine =
            stageA + int(threadIdx.x) / T::BM * kSteps * T::StrideA + int(threadIdx.x) % T::BM;
#pragma unroll
        for (int step = 0; step < kSteps; ++step)
            sum += mine[step * T::StrideA];
    }
    /// Adds the parts in order; thread i has the sum of row i.
    __device__ float whole(float* shared) const {
        __syncthreads();
        shared[threadIdx.x] = sum;
        __syncthreads();
        float all = sum;
        if (threadIdx.x < T::BM)
#pragma unroll
            for (int part = 1; part < kParts; ++part)
                all += shared[part * T::BM + int(threadIdx.x)];
        return all;
    }
};

struct NoRowSums {
    bool wanted;
    __device__ void add(const float*) {}
};

template <class T, class Problem>
using SumsOf = std::conditional_t<hasRowSums<Problem>(), RowSums<T>, NoRowSums>;

/// A block's tile, and what it has of the sums of rows, to the results or to what its slice leaves.
template <class T, class Problem>
__device__ __forceinline__ void
storeResults(const Problem& p, const ProductCut& cut, std::size_t slice,
             const register_gemm::Accumulators<T>& sums, const SumsOf<T, Problem>& rowSums, unsigned firstM,
             unsigned firstN, unsigned columns, float scale, float* partial, float* shared) {
    constexpr bool kRowSums = hasRowSums<Problem>();
    const register_gemm::ThreadPlace<T> thread;
    const auto store = [&](const auto& results, unsigned sumColumn) {
        storeTile<T>(results, sums, thread, firstM, firstN, p.m, p.n, scale, shared);
        if constexpr (kRowSums)
            if (rowSums.wanted) {
                const float sum = rowSums.whole(shared);
                if (threadIdx.x < T::BM && firstM + threadIdx.x < p.m)
                    results.put(firstM + threadIdx.x, sumColumn, sum);
            }
    };
    if (cut.slices == 1)
        return store(p.store, p.n);
    store(SliceOfResult{partial + slice * p.m * columns, columns, columns % 4 == 0},
          unsigned(columnOfSums(p.n)));
}

/// Where it begins in shared memory.
template <class T>
constexpr int kLastStage = (T::Stages - 1) * T::StageFloats;

/// scale is 1: see registerGemm.
template <class T, class Problem>
__global__ void __launch_bounds__(T::Threads, T::Blocks)
    tileProduct(Problem p, ProductCut cut, float* partial, float scale) {
    __shared__ alignas(16) float shared[T::Stages * T::StageFloats];
    const unsigned slice = blockIdx.z % cut.slices;
    const BlockOfProduct block(p, blockIdx.z / cut.slices, blockIdx.x / cut.tilesM);
    const unsigned firstM = blockIdx.x % cut.tilesM * T::BM, firstN = block.tileN * T::BN;
    const auto columns = unsigned(columnsOfSlice(p.n, hasRowSums<Problem>()));
    p.select(block.group, block.part);
    if (Problem::kHasParts && firstN >= p.n)
        return;
    const unsigned begin = slice * cut.stepsPerSlice * T::BK;
    const unsigned end = min(p.k, begin + cut.stepsPerSlice * T::BK);
    const CopyOf<T::BM, T, decltype(p.a)> a(p.a, firstM, p.m);
    const CopyOf<T::BN, T, decltype(p.b)> b(p.b, firstN, p.n);
    unsigned copied = begin;
    const auto copyTile = [&](float* stage) {
        if (copied < end) {
            a.start(p.a, copied, end, stage);
            b.start(p.b, copied, end, stage + T::BK * T::StrideA);
            copied += T::BK;
        }
        __pipeline_commit();
    };
#pragma unroll
    for (int stage = 0; stage < T::Stages - 1; ++stage)
        copyTile(shared + stage * T::StageFloats);
    __pipeline_wait_prior(T::Stages - 2);
    __syncthreads();
    const register_gemm::ThreadPlace<T> thread;
    const float* const baseA = shared + thread.row;
    const float* const baseB = shared + T::BK * T::StrideA + thread.column;
    const auto next = [](int offset) { return offset == kLastStage<T> ? 0 : offset + T::StageFloats; };
    int read = 0, write = kLastStage<T>;
    register_gemm::Accumulators<T> sums;
    SumsOf<T, Problem> rowSums{block.tileN == 0};
    register_gemm::Fragment<T> fragments[2];
    fragments[0].load(baseA, baseB, 0);
#pragma unroll 1
    for (unsigned k = begin; k < end; k += T::BK) {
        const int stage = read;
        read = next(read);
        rowSums.add(shared + stage);
#pragma unroll
        for (int step = 0; step < T::BK; ++step) {
            const bool last = step == T::BK - 1;
            if (last) {
                __pipeline_wait_prior(T::Stages - 2);
                __syncthreads();
            }
            const int from = last ? read : stage;
            fragments[(step + 1) % 2].load(baseA + from, baseB + from, (step + 1) % T::BK);
            if (step == 0) { // that stage was read before the threads came here
                copyTile(shared + write);
                write = next(write);
            }
            sums.multiplyAdd(fragments[step % 2]);
        }
    }
    storeResults<T>(p, cut, std::size_t(block.index) * cut.slices + slice, sums, rowSums, firstM, firstN,
                    columns, scale, partial, shared);
}

constexpr int kAddThreads = 256, kManySlices = 32;

/// Adds the slices of every element: `Parts` threads of a block share those of one, and the first of them
/// adds what they have, in order.
template <int Parts, class Problem>
__global__ void __launch_bounds__(kAddThreads) addSlices(Problem p, unsigned slices, const float* partial) {
    constexpr unsigned kElements = kAddThreads / Parts;
    const unsigned element = threadIdx.x % kElements, part = threadIdx.x / kElements;
    constexpr bool kRowSums = hasRowSums<Problem>();
    const auto columns = unsigned(columnsOfSlice(p.n, kRowSums));
    const std::size_t all = std::size_t(p.m) * columns, index = std::size_t(blockIdx.x) * kElements + element;
    const auto m = unsigned(index / columns), n = unsigned(index % columns);
    const BlockOfProduct block(p, blockIdx.z, blockIdx.y);
    p.select(block.group, block.part);
    const bool ofRow = kRowSums && n == unsigned(columnOfSums(p.n)),
               there = index < all && (n < p.n || ofRow);
    float sum = 0;
    if (there) {
        const float* mine = partial + std::size_t(block.index) * slices * all + index;
#pragma unroll 4
        for (unsigned slice = part; slice < slices; slice += Parts)
            sum += mine[slice * all];
    }
    if constexpr (Parts > 1) {
        __shared__ float ofParts[kAddThreads];
        ofParts[threadIdx.x] = sum;
        __syncthreads();
        for (unsigned other = 1; part == 0 && other < Parts; ++other)
            sum += ofParts[other * kElements + element];
    }
    if (there && part == 0)
        p.store.put(m, p.store.column(ofRow ? p.n : n), sum);
}

using LargeTile = ProductTile<128, 128, 32, 64, 8, 8, 2, 2>;
using MiddleTile = ProductTile<64, 64, 32, 32, 8, 4, 3, 4>;
using SmallTile = ProductTile<32, 64, 16, 32, 4, 4, 3, 6>;
using HalfTile = ProductTile<64, 128, 32, 64, 8, 8, 2, 4>;
using FlatTile = ProductTile<16, 128, 16, 32, 4, 4, 3, 6>;
using NarrowTile = ProductTile<128, 16, 32, 16, 4, 4, 3, 6>;
using Rows48Tile = ProductTile<48, 128, 48, 32, 12, 4, 2, 5>;

template <class T, class Problem>
cudaError_t launchTiles(const Problem& p, const ProductCut& cut, float* partial, cudaStream_t stream) {
    unsigned parts = 1;
    if constexpr (Problem::kHasParts)
        parts = p.parts;
    const dim3 grid(cut.tilesM * cut.tilesN * parts, 1, p.groups * cut.slices);
    tileProduct<T, Problem><<<grid, T::Threads, 0, stream>>>(p, cut, partial, 1.0F);
    if (cut.slices > 1) {
        const std::size_t all = std::size_t(p.m) * std::size_t(columnsOfSlice(p.n, hasRowSums<Problem>()));
        const auto add = [&](auto* kernel, unsigned ofBlock) {
            const dim3 blocks(unsigned((all + ofBlock - 1) / ofBlock), parts, p.groups);
            kernel<<<blocks, kAddThreads, 0, stream>>>(p, cut.slices, partial);
        };
        if (cut.slices < kManySlices)
            add(addSlices<1, Problem>, kAddThreads);
        else
            add(addSlices<8, Problem>, kAddThreads / 8);
    }
    return cudaGetLastError();
}

/// Small, Half: as ProductSize says. Thin: with tiles of few rows and of few columns.
template <bool Small = false, bool Half = false, bool Thin = false, class Problem>
cudaError_t launchProduct(const Problem& p, void* workspace, const DeviceLimits& device,
                          cudaStream_t stream) {
    ProductSize size{p.m, p.n, p.k, p.groups, Small};
    size.half = Half, size.flat = size.narrow = Thin;
    if constexpr (Problem::kHasParts)
        size.parts = p.parts, size.busyParts = p.busyParts;
    else
        size.busyParts = 1;
    const ProductPlan plan = planProduct(size, device);
    auto* partial = static_cast<float*>(workspace);
    if constexpr (!Small)
        if (plan.tile == TileChoice::Large)
            return launchTiles<LargeTile>(p, plan.cut, partial, stream);
    if constexpr (Half)
        if (plan.tile == TileChoice::Half)
            return launchTiles<HalfTile>(p, plan.cut, partial, stream);
    if constexpr (Thin) {
        if (plan.tile == TileChoice::Flat)
            return launchTiles<FlatTile>(p, plan.cut, partial, stream);
        if (plan.tile == TileChoice::Narrow)
            return launchTiles<NarrowTile>(p, plan.cut, partial, stream);
    }
    return plan.tile == TileChoice::Middle ? launchTiles<MiddleTile>(p, plan.cut, partial, stream)
                                           : launchTiles<SmallTile>(p, plan.cut, partial, stream);
}

} // namespace heteroscope::compute::nvidia
