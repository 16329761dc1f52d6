// SPDX-License-Identifier: Apache-2.0
// The tile sizes that the register-tiled product is compiled for, and its launch.
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"
#include "compute/backends/nvidia/kernels/gemm/gemm_register_kernel.cuh"

#include <cstdint>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

using register_gemm::Tiling;

using Large = Tiling<64, 256, 16, 32, 64, 8, 8, 2, 1, 2, 8, 16>;
using Medium = Tiling<64, 128, 16, 32, 64, 8, 8, 3, 2, 2, 4, 16>;
using Small = Tiling<32, 64, 16, 32, 64, 8, 8, 4, 4, 4, 4, 16>;
using Sliced = Tiling<32, 64, 32, 32, 64, 8, 8, 3, 8, 2, 4, 16>;
using Tiny = Tiling<32, 32, 32, 32, 32, 8, 4, 3, 4, 4, 4, 16>;
using Tall = Tiling<128, 64, 16, 64, 32, 8, 8, 3, 2, 2, 4, 16>;
using Square = Tiling<64, 64, 16, 32, 64, 8, 8, 4, 4, 2, 4, 16>;
using TallNarrow = Tiling<128, 32, 16, 64, 32, 8, 8, 4, 4, 2, 4, 16>;
using Narrow = Tiling<64, 32, 16, 64, 32, 8, 8, 4, 4, 4, 4, 16>;

template <class T, int WidthB>
auto kernelOf(bool split) {
    using register_gemm::registerGemm;
    return split ? registerGemm<T, WidthB, true> : registerGemm<T, WidthB, false>;
}

template <class T>
cudaError_t launch(GemmProblem p, const GemmSlices& slices, cudaStream_t stream) {
    const std::int64_t tilesM = (p.m + T::BM - 1) / T::BM, tilesN = (p.n + T::BN - 1) / T::BN;
    if (tilesM * tilesN > std::numeric_limits<int>::max())
        return cudaErrorInvalidConfiguration;
    if (!offsetsFit(T::BM, p.k))
        return cudaErrorInvalidValue;
    const auto movesBy = [](const float* pointer, int columns, int width) {
        return columns % width == 0 &&
               reinterpret_cast<std::uintptr_t>(pointer) % (width * sizeof(float)) == 0;
    };
    p.vectorC = movesBy(slices.count > 1 ? slices.partial : p.c, p.n, 4);
    const bool split = slices.count > 1;
    const auto kernel = movesBy(p.b, p.n, 4)   ? kernelOf<T, 4>(split)
                        : movesBy(p.b, p.n, 2) ? kernelOf<T, 2>(split)
                                               : kernelOf<T, 1>(split);
    const dim3 grid(unsigned(tilesM * tilesN), unsigned(slices.count));
    kernel<<<grid, T::Threads, T::SharedBytes, stream>>>(p, 1.0F, slices);
    return cudaGetLastError();
}

template <class T>
constexpr bool kIs(GemmTile tile) {
    const GemmTileSize& size = kGemmTiles[static_cast<std::size_t>(tile)];
    return size.tile == tile && T::BM == size.rows && T::BN == size.columns && T::Blocks == size.resident;
}
static_assert(kIs<Large>(GemmTile::Large) && kIs<Medium>(GemmTile::Medium) && kIs<Small>(GemmTile::Small));
static_assert(kIs<Sliced>(GemmTile::Sliced) && kIs<Tiny>(GemmTile::Tiny) && kIs<Tall>(GemmTile::Tall));
static_assert(kIs<Square>(GemmTile::Square) && kIs<TallNarrow>(GemmTile::TallNarrow) &&
              kIs<Narrow>(GemmTile::Narrow));

} // namespace

cudaError_t launchGemmRegister(const GemmProblem& problem, const GemmPlan& plan, const GemmSlices& slices,
                               cudaStream_t stream) {
    switch (plan.tile) {
    case GemmTile::Large:
        return launch<Large>(problem, slices, stream);
    case GemmTile::Medium:
        return launch<Medium>(problem, slices, stream);
    case GemmTile::Small:
        return launch<Small>(problem, slices, stream);
    case GemmTile::Sliced:
        return launch<Sliced>(problem, slices, stream);
    case GemmTile::Tiny:
        return launch<Tiny>(problem, slices, stream);
    case GemmTile::Tall:
        return launch<Tall>(problem, slices, stream);
    case GemmTile::Square:
        return launch<Square>(problem, slices, stream);
    case GemmTile::TallNarrow:
        return launch<TallNarrow>(problem, slices, stream);
    case GemmTile::Narrow:
        return launch<Narrow>(problem, slices, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace heteroscope::compute::nvidia
