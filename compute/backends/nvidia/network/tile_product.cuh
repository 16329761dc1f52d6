// SPDX-License-Identifier: Apache-2.0
// A register-tiled matrix product whose operands are whatever a loader finds: weights as they lie, or the
// input under the windows of a convolution, which so is never written out (implicit GEMM).
//
// A block computes BM x BN of C, a thread TM x TN. k is taken in tiles of BK through two stages of shared
// memory: the next tile is on its way to registers while this one is multiplied. Products with few tiles cut
// k into slices; a second kernel adds the slices in order. What limits it: fp32 issue, less the instructions
// that find and check the elements of the gathered operand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

template <int BM_, int BN_, int BK_, int TM_, int TN_>
struct ProductTile {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, TM = TM_, TN = TN_;
    static constexpr int WarpM = 4 * TM, WarpN = 8 * TN; ///< 4 x 8 threads
    static constexpr int Threads = (BM / WarpM) * (BN / WarpN) * 32;
    static_assert(TM % 4 == 0 && TN % 4 == 0 && BM % WarpM == 0 && BN % WarpN == 0);
};

/// C = A B, `groups` times. A and B are loaders: `kFast` (neighbours in k lie together), select(group),
/// row(index) of m or n, step(k), and at(row, step). Store: select(group), column(n), put(m, column, value).
template <class LoadA, class LoadB, class StoreC>
struct Product {
    unsigned m, n, k, groups;
    LoadA a;
    LoadB b;
    StoreC store;
};

/// How a product is cut.
struct ProductCut {
    unsigned tilesM = 1, tilesN = 1, slices = 1, stepsPerSlice = 1; ///< steps of BK
};

/// One operand's share of a thread: which elements it moves to shared memory.
template <int Extent, class Tile, class Loader>
struct OperandTile {
    static constexpr int BK = Tile::BK, Elements = Extent * BK / Tile::Threads, Stride = Extent + 4;
    static constexpr int Across = Loader::kFast ? BK : Extent; ///< of a pass of all threads
    static constexpr int Along = Tile::Threads / Across;
    static_assert(Tile::Threads % Across == 0 && Elements >= 1 && Extent * BK % Tile::Threads == 0);

    typename Loader::Row rows[Loader::kFast ? Elements : 1];
    float values[Elements];
    int inTile, along;

    __device__ OperandTile(const Loader& loader, unsigned first, unsigned limit)
        : inTile(int(threadIdx.x) % Across), along(int(threadIdx.x) / Across) {
        constexpr int kRows = Loader::kFast ? Elements : 1;
#pragma unroll
        for (int e = 0; e < kRows; ++e) {
            const unsigned index = first + (Loader::kFast ? along + e * Along : inTile);
            rows[e] = loader.row(min(index, limit - 1)); // what comes of rows beyond is not stored
        }
    }

    __device__ void load(const Loader& loader, unsigned k0, unsigned limit) {
        if constexpr (Loader::kFast) {
            const unsigned k = k0 + inTile;
            const auto step = loader.step(min(k, limit - 1));
#pragma unroll
            for (int e = 0; e < Elements; ++e)
                values[e] = k < limit ? loader.at(rows[e], step) : 0.0F;
        } else {
#pragma unroll
            for (int e = 0; e < Elements; ++e) {
                const unsigned k = k0 + along + e * Along;
                values[e] = k < limit ? loader.at(rows[0], loader.step(k)) : 0.0F;
            }
        }
    }

    __device__ void write(float* stage) const {
#pragma unroll
        for (int e = 0; e < Elements; ++e) {
            const int other = along + e * Along;
            stage[Loader::kFast ? inTile * Stride + other : other * Stride + inTile] = values[e];
        }
    }
};

/// The elements `first`, first + 1, ... of one step of k: groups of four, `Apart` apart.
template <int Count, int Apart>
__device__ inline void readFragment(const float* from, float (&fragment)[Count]) {
#pragma unroll
    for (int i = 0; i < Count / 4; ++i)
        *reinterpret_cast<float4*>(fragment + i * 4) = *reinterpret_cast<const float4*>(from + i * Apart);
}

template <class Tile>
struct TileSums {
    float value[Tile::TM][Tile::TN] = {};

    __device__ void multiply(const float* stageA, const float* stageB, int row, int column) {
        alignas(16) float a[Tile::TM], b[Tile::TN];
#pragma unroll
        for (int step = 0; step < Tile::BK; ++step) {
            readFragment<Tile::TM, 16>(stageA + step * (Tile::BM + 4) + row, a);
            readFragment<Tile::TN, 32>(stageB + step * (Tile::BN + 4) + column, b);
#pragma unroll
            for (int i = 0; i < Tile::TM; ++i)
#pragma unroll
                for (int j = 0; j < Tile::TN; ++j)
                    value[i][j] = fmaf(a[i], b[j], value[i][j]);
        }
    }

    /// Calls put(row, column, value) for each element; column by column.
    template <class Put>
    __device__ void each(int row, int column, Put put) const {
#pragma unroll
        for (int j = 0; j < Tile::TN; ++j)
#pragma unroll
            for (int i = 0; i < Tile::TM; ++i)
                put(unsigned(row + i / 4 * 16 + i % 4), unsigned(column + j / 4 * 32 + j % 4), value[i][j]);
    }
};

template <class Tile, class Problem>
__global__ void __launch_bounds__(Tile::Threads) tileProduct(Problem p, ProductCut cut, float* partial) {
    __shared__ alignas(16) float stagesA[2][Tile::BK * (Tile::BM + 4)];
    __shared__ alignas(16) float stagesB[2][Tile::BK * (Tile::BN + 4)];
    const unsigned group = blockIdx.z / cut.slices, slice = blockIdx.z % cut.slices;
    const unsigned firstM = blockIdx.x % cut.tilesM * Tile::BM, firstN = blockIdx.x / cut.tilesM * Tile::BN;
    p.a.select(group);
    p.b.select(group);
    p.store.select(group);
    const unsigned begin = slice * cut.stepsPerSlice * Tile::BK;
    const unsigned end = min(p.k, begin + cut.stepsPerSlice * Tile::BK);
    OperandTile<Tile::BM, Tile, decltype(p.a)> a(p.a, firstM, p.m);
    OperandTile<Tile::BN, Tile, decltype(p.b)> b(p.b, firstN, p.n);
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    constexpr int kWarpsN = Tile::BN / Tile::WarpN;
    const int row = warp / kWarpsN * Tile::WarpM + lane / 8 * 4;
    const int column = warp % kWarpsN * Tile::WarpN + lane % 8 * 4;
    TileSums<Tile> sums;
    int stage = 0;
    a.load(p.a, begin, end);
    b.load(p.b, begin, end);
#pragma unroll 1
    for (unsigned k = begin; k < end; k += Tile::BK, stage ^= 1) {
        a.write(stagesA[stage]);
        b.write(stagesB[stage]);
        __syncthreads(); // the other stage was read before the threads came here
        if (k + Tile::BK < end) {
            a.load(p.a, k + Tile::BK, end);
            b.load(p.b, k + Tile::BK, end);
        }
        sums.multiply(stagesA[stage], stagesB[stage], row, column);
    }
    sums.each(row, column, [&](unsigned i, unsigned j, float value) {
        const unsigned m = firstM + i, n = firstN + j;
        if (m >= p.m || n >= p.n)
            return;
        if (cut.slices == 1)
            p.store.put(m, p.store.column(n), value);
        else
            partial[(std::size_t(blockIdx.z) * p.m + m) * p.n + n] = value;
    });
}

/// Adds the slices of every element, in order.
template <class Problem>
__global__ void __launch_bounds__(256) addSlices(Problem p, unsigned slices, const float* partial) {
    const std::size_t all = std::size_t(p.m) * p.n, index = std::size_t(blockIdx.x) * 256 + threadIdx.x;
    if (index >= all)
        return;
    p.store.select(blockIdx.y);
    const float* mine = partial + blockIdx.y * slices * all + index;
    float sum = 0;
    for (unsigned slice = 0; slice < slices; ++slice)
        sum += mine[slice * all];
    p.store.put(unsigned(index / p.n), p.store.column(unsigned(index % p.n)), sum);
}

/// Sizes of a product, which decide how it is cut.
struct ProductSize {
    std::int64_t m, n, k, groups = 1;
};

enum class TileChoice { Large, Wide, Small };

using LargeTile = ProductTile<128, 128, 8, 8, 8>;
using WideTile = ProductTile<64, 128, 16, 8, 8>;
using SmallTile = ProductTile<32, 64, 16, 4, 4>;

/// The largest tile that still gives every multiprocessor a block.
TileChoice chooseTile(const ProductSize& size, int multiprocessors);
ProductCut cutProduct(const ProductSize& size, TileChoice tile, int multiprocessors);
/// Scratch bytes of the slices.
std::size_t productWorkspace(const ProductSize& size, int multiprocessors);

template <class Tile, class Problem>
cudaError_t launchTiles(const Problem& p, const ProductCut& cut, float* partial, cudaStream_t stream) {
    const dim3 grid(cut.tilesM * cut.tilesN, 1, p.groups * cut.slices);
    tileProduct<Tile, Problem><<<grid, Tile::Threads, 0, stream>>>(p, cut, partial);
    if (cut.slices > 1) {
        const std::size_t all = std::size_t(p.m) * p.n;
        addSlices<Problem>
            <<<dim3(unsigned((all + 255) / 256), p.groups), 256, 0, stream>>>(p, cut.slices, partial);
    }
    return cudaGetLastError();
}

template <class Problem>
cudaError_t launchProduct(const Problem& p, void* workspace, int multiprocessors, cudaStream_t stream) {
    const ProductSize size{p.m, p.n, p.k, p.groups};
    const TileChoice tile = chooseTile(size, multiprocessors);
    const ProductCut cut = cutProduct(size, tile, multiprocessors);
    auto* partial = static_cast<float*>(workspace);
    if (tile == TileChoice::Large)
        return launchTiles<LargeTile>(p, cut, partial, stream);
    if (tile == TileChoice::Wide)
        return launchTiles<WideTile>(p, cut, partial, stream);
    return launchTiles<SmallTile>(p, cut, partial, stream);
}

} // namespace heteroscope::compute::nvidia
