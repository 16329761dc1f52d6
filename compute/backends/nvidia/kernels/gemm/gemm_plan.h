// SPDX-License-Identifier: Apache-2.0
// Which kernel computes a matrix product, with which tiles, and into how many slices k is cut. Host code:
// needs no GPU.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::nvidia {

/// In the order in which the ladder is climbed; the comment at the top of each gemm_*.cu says what it shows.
/// Register: one block a tile. SplitK: the same, with k in slices. SkinnyM, SkinnyN: for results of few rows
/// or few columns, k in slices where that pays. SkinnyK: for operands of few steps of k.
enum class GemmKernel {
    Guarded,
    Loops,
    Tiled,
    Block,
    BlockShared,
    Register,
    SplitK,
    SkinnyM,
    SkinnyN,
    SkinnyK
};

/// Tiles of C that a block of the register-tiled kernel computes. Large: most reuse, for results that fill
/// the GPU with such tiles. Medium and Small: half and an eighth of it, with two and four groups of warps
/// that share a tile's k. Sliced: eight groups, for results with fewer tiles than the GPU could hold. Tiny:
/// for results with few tiles of any kind. Tall, TallNarrow and Narrow: for results of few columns. Square:
/// between Medium and Small.
enum class GemmTile { Large, Medium, Small, Sliced, Tiny, Tall, Square, TallNarrow, Narrow };

struct GemmTileSize {
    GemmTile tile;
    int rows, columns;
    int resident; ///< blocks on a multiprocessor at most; devices with little shared memory hold fewer
};
inline constexpr std::array kGemmTiles{
    GemmTileSize{GemmTile::Large, 64, 256, 2}, GemmTileSize{GemmTile::Medium, 64, 128, 2},
    GemmTileSize{GemmTile::Small, 32, 64, 4},  GemmTileSize{GemmTile::Sliced, 32, 64, 2},
    GemmTileSize{GemmTile::Tiny, 32, 32, 4},   GemmTileSize{GemmTile::Tall, 128, 64, 2},
    GemmTileSize{GemmTile::Square, 64, 64, 2}, GemmTileSize{GemmTile::TallNarrow, 128, 32, 2},
    GemmTileSize{GemmTile::Narrow, 64, 32, 4}};

/// Whether offsets from the first row of such a tile of A, k elements a row, to any of its own and of the
/// tile before fit 32 bits with their sign.
constexpr bool offsetsFit(std::int64_t rows, std::int64_t k) {
    return rows * k <= std::int64_t{0x80000000};
}

/// Rows (skinny-m) and columns (skinny-n) of C that the skinny kernels take at most.
inline constexpr std::int64_t kMostSkinny = 16;
/// What a block of the skinny kernels computes of C: skinny-m all rows of so many columns, skinny-n so many
/// rows (fewer with more than 8 columns) of all columns, skinny-k rows x columns.
inline constexpr int kSkinnyMColumns = 128;
inline constexpr int kSkinnyNRows = 64, kSkinnyNRowsOfMany = 32;
inline constexpr int kSkinnyKRows = 64, kSkinnyKColumns = 128;
/// Blocks of them on a multiprocessor at most.
inline constexpr int kSkinnyMResident = 2, kSkinnyNResident = 2, kSkinnyKResident = 4;
/// Steps of k that skinny-k takes at most.
inline constexpr std::int64_t kMostSkinnyDepth = 64;
/// Shorter ones are not worth the kernel that adds slices.
inline constexpr std::int64_t kLeastSplitDepth = 256;

/// `tile`: of Register and SplitK. `slices` of `depth` steps of k each, the last one may be shorter.
struct GemmPlan {
    GemmKernel kernel = GemmKernel::Register;
    GemmTile tile = GemmTile::Tiny;
    int slices = 1, depth = 1;
};

/// C (m x n) = A (m x k) * B (k x n), sizes at least 1, within gemmRefusal(): the plan that is expected to
/// end first, of all kernels or of Register, SplitK, SkinnyM, SkinnyN or SkinnyK
/// alone; of the others, which have no plan, just the kernel.
GemmPlan planGemm(std::int64_t m, std::int64_t n, std::int64_t k, const DeviceLimits& device);
GemmPlan planGemm(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k,
                  const DeviceLimits& device);

/// Scratch bytes of the slices; 0 where k is not cut.
std::size_t gemmWorkspaceBytes(const GemmPlan& plan, std::int64_t m, std::int64_t n);

} // namespace heteroscope::compute::nvidia
