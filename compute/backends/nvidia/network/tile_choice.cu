// SPDX-License-Identifier: Apache-2.0
// How products are cut into tiles and slices.
#include "compute/backends/nvidia/network/tile_product.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// A slice takes at least that many tiles of k, and no product is cut into more slices than that.
constexpr std::int64_t kLeastSteps = 8, kMostSlices = 128;
/// Blocks wished for on each multiprocessor.
constexpr std::int64_t kBlocksEach = 2;

struct TileSizes {
    std::int64_t bm, bn, bk;
};

template <class Tile>
constexpr TileSizes sizesOf() {
    return {Tile::BM, Tile::BN, Tile::BK};
}

TileSizes sizesOf(TileChoice tile) {
    switch (tile) {
    case TileChoice::Large:
        return sizesOf<LargeTile>();
    case TileChoice::Wide:
        return sizesOf<WideTile>();
    case TileChoice::Small:
        break;
    }
    return sizesOf<SmallTile>();
}

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

} // namespace

ProductCut cutProduct(const ProductSize& size, TileChoice tile, int multiprocessors) {
    const TileSizes t = sizesOf(tile);
    ProductCut cut;
    cut.tilesM = static_cast<unsigned>(parts(size.m, t.bm));
    cut.tilesN = static_cast<unsigned>(parts(size.n, t.bn));
    const std::int64_t blocks = std::int64_t{cut.tilesM} * cut.tilesN * size.groups;
    const std::int64_t steps = parts(size.k, t.bk);
    const std::int64_t wished = kBlocksEach * multiprocessors / blocks;
    const std::int64_t most = std::min(kMostSlices, steps / kLeastSteps);
    const std::int64_t slices = std::max<std::int64_t>(1, std::min(wished, most));
    cut.stepsPerSlice = static_cast<unsigned>(parts(steps, slices));
    cut.slices = static_cast<unsigned>(parts(steps, cut.stepsPerSlice)); // none without work
    return cut;
}

TileChoice chooseTile(const ProductSize& size, int multiprocessors) {
    for (const TileChoice tile : {TileChoice::Large, TileChoice::Wide}) {
        const TileSizes t = sizesOf(tile);
        const ProductCut cut = cutProduct(size, tile, multiprocessors);
        const std::int64_t blocks = std::int64_t{cut.tilesM} * cut.tilesN * size.groups * cut.slices;
        if (size.m > t.bm / 2 && size.n > t.bn / 2 && blocks >= multiprocessors)
            return tile;
    }
    return TileChoice::Small;
}

std::size_t productWorkspace(const ProductSize& size, int multiprocessors) {
    const ProductCut cut = cutProduct(size, chooseTile(size, multiprocessors), multiprocessors);
    if (cut.slices == 1)
        return 0;
    return static_cast<std::size_t>(size.m * size.n * size.groups) * cut.slices * sizeof(float);
}

} // namespace heteroscope::compute::nvidia
