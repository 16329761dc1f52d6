// SPDX-License-Identifier: Apache-2.0
// A multiprocessor works through its share of the blocks; the fullest one decides.
#include "compute/backends/nvidia/kernels/gemm/product_plan.h"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// A slice takes at least that many tiles of k, and no product is cut into more slices than that; slices of
/// all groups are blocks in a grid's z.
constexpr std::int64_t kLeastSteps = 4, kMostSlices = 256, kMostOfGroups = 32000;
/// Slices that would fill the device more often than that are not looked at.
constexpr std::int64_t kMostWaves = 4;
/// Cycles: of the kernel that adds slices, and of a multiprocessor for a byte that slices write or read.
constexpr double kAddCycles = 4100, kByteCycles = 0.08;
constexpr double kMultiplyAdds = 128; ///< of a multiprocessor in a cycle

/// Of which operands a tile's rates hold: of those whose A is packed, of others, or of all.
enum class Holds { Packed, Others, All };

struct TileFacts {
    TileChoice choice;
    std::int64_t bm, bn, resident;
    /// Share of the fp32 peak reached with one block on a multiprocessor, and with as many as fit.
    double rateAlone, rateFull;
    double cycles; ///< before and after the multiplication
    Holds holds;
};

template <class Tile>
constexpr TileFacts factsOf(TileChoice choice, double rateAlone, double rateFull, double cycles,
                            Holds holds = Holds::All) {
    return {choice, Tile::BM, Tile::BN, Tile::Blocks, rateAlone, rateFull, cycles, holds};
}

/// Fitted to cuts of 88 products of networks on an H200, the tiles from the fourth on to convolutions drawn
/// at random on an H100.
constexpr TileFacts kTiles[] = {factsOf<LargeTile>(TileChoice::Large, 0.555, 0.615, 6900),
                                factsOf<MiddleTile>(TileChoice::Middle, 0.425, 0.495, 3100),
                                factsOf<SmallTile>(TileChoice::Small, 0.26, 0.44, 30),
                                factsOf<HalfTile>(TileChoice::Half, 0.4, 0.615, 5000, Holds::Packed),
                                factsOf<HalfTile>(TileChoice::Half, 0.33, 0.5, 5000, Holds::Others),
                                factsOf<FlatTile>(TileChoice::Flat, 0.22, 0.38, 30, Holds::Packed),
                                factsOf<FlatTile>(TileChoice::Flat, 0.19, 0.32, 30, Holds::Others),
                                factsOf<NarrowTile>(TileChoice::Narrow, 0.22, 0.36, 30),
                                factsOf<Rows48Tile>(TileChoice::Rows48, 0.28, 0.48, 3000, Holds::Packed)};

bool takes(const ProductSize& size, const TileFacts& tile) {
    if (tile.holds != Holds::All && (tile.holds == Holds::Packed) != size.packed)
        return false;
    switch (tile.choice) {
    case TileChoice::Large:
        return !size.small;
    case TileChoice::Half:
        return size.half;
    case TileChoice::Flat:
        return size.flat;
    case TileChoice::Narrow:
        return size.narrow;
    case TileChoice::Middle:
    case TileChoice::Small:
    case TileChoice::Rows48:
        return true;
    }
    return false;
}

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

ProductCut cutInto(const ProductSize& size, const TileFacts& tile, std::int64_t slices) {
    ProductCut cut;
    cut.tilesM = static_cast<unsigned>(parts(size.m, tile.bm));
    cut.tilesN = static_cast<unsigned>(parts(size.n, tile.bn));
    const std::int64_t steps = parts(size.k, kTileSteps);
    cut.stepsPerSlice = static_cast<unsigned>(parts(steps, slices));
    cut.slices = static_cast<unsigned>(parts(steps, cut.stepsPerSlice)); // none without work
    return cut;
}

std::int64_t blocksOf(const ProductSize& size, const ProductCut& cut) {
    return std::int64_t{cut.tilesM} * cut.tilesN * size.groups * size.busyParts * cut.slices;
}

/// Cycles that the product is expected to take.
double expected(const ProductSize& size, const TileFacts& tile, const ProductCut& cut,
                std::int64_t multiprocessors) {
    const std::int64_t most = parts(blocksOf(size, cut), multiprocessors);
    const std::int64_t waves = most / tile.resident, rest = most % tile.resident;
    const double work =
        static_cast<double>(cut.stepsPerSlice * kTileSteps * tile.bm * tile.bn) / kMultiplyAdds;
    double cycles = static_cast<double>(waves) *
                    (static_cast<double>(tile.resident) * work / tile.rateFull + tile.cycles);
    if (rest > 0) {
        const double filled = static_cast<double>(rest - 1) / static_cast<double>(tile.resident - 1);
        const double rate = tile.rateAlone + (tile.rateFull - tile.rateAlone) * filled;
        cycles += static_cast<double>(rest) * work / rate + tile.cycles;
    }
    if (cut.slices == 1)
        return cycles;
    const double results = static_cast<double>(size.m * size.n * size.groups * size.parts) * sizeof(float);
    return cycles + kAddCycles + results * (2 * cut.slices + 1) * kByteCycles / double(multiprocessors);
}

} // namespace

int rowsOfTile(TileChoice tile) {
    for (const TileFacts& one : kTiles)
        if (one.choice == tile)
            return static_cast<int>(one.bm);
    return 0;
}

ProductPlan planProduct(const ProductSize& size, const DeviceLimits& device) {
    const int multiprocessors = device.multiprocessors;
    ProductPlan best;
    double soonest = -1;
    const std::int64_t most = std::clamp<std::int64_t>(
        std::min(size.k / (kTileSteps * kLeastSteps), kMostOfGroups / size.groups), 1, kMostSlices);
    for (const TileFacts& tile : kTiles) {
        if (!takes(size, tile))
            continue;
        for (std::int64_t slices = 1; slices <= most; ++slices) {
            const ProductCut cut = cutInto(size, tile, slices);
            if (slices > 1 && blocksOf(size, cut) > kMostWaves * multiprocessors * tile.resident)
                break;
            const double cycles = expected(size, tile, cut, multiprocessors);
            if (soonest >= 0 && cycles >= soonest)
                continue;
            soonest = cycles;
            best = {tile.choice, cut, cycles, double(blocksOf(size, cut)) / multiprocessors,
                    double(cut.tilesM) * cut.tilesN * double(tile.bm * tile.bn) * double(size.groups) *
                        double(size.parts - size.busyParts) / multiprocessors};
        }
    }
    return best;
}

std::size_t productWorkspace(const ProductSize& size, const DeviceLimits& device) {
    const ProductCut cut = planProduct(size, device).cut;
    if (cut.slices == 1)
        return 0;
    const std::int64_t columns = columnsOfSlice(size.n, size.rowSums);
    return static_cast<std::size_t>(size.m * columns * size.groups * size.parts) * cut.slices * sizeof(float);
}

} // namespace heteroscope::compute::nvidia
