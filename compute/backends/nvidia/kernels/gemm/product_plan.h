// SPDX-License-Identifier: Apache-2.0
// How the matrix products of networks (tile_product.cuh) are cut into tiles and slices.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/fast_division.h"

#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::nvidia {

/// Steps of k in a tile, of every size of tile: loaders arrange k by them.
inline constexpr int kTileSteps = 16;

/// `groups` products of m x k and k x n elements, each at least 1. small: without the largest tiles, for
/// operands whose elements cost many instructions.
struct ProductSize {
    std::int64_t m, n, k, groups = 1;
    bool small = false;
    std::int64_t parts = 1;         ///< products of a group, of which these sizes are the largest
    std::int64_t busyParts = parts; ///< those that are not empty
    bool half = false;              ///< also with tiles of half a large one's rows
    bool flat = false;              ///< also with tiles of few rows
    bool narrow = false;            ///< also with tiles of few columns
    bool packed = false;            ///< A is: also with tiles of 48 rows
    bool rowSums = false;           ///< A's rows are summed too
};

enum class TileChoice { Large, Middle, Small, Half, Flat, Narrow, Rows48 };

/// A block computes one tile of one slice of one group. stepsPerSlice: tiles of k.
struct ProductCut {
    unsigned tilesM = 1, tilesN = 1, slices = 1, stepsPerSlice = 1;
};

struct ProductPlan {
    TileChoice tile = TileChoice::Small;
    ProductCut cut;
    double cycles = 0; ///< expected
    double blocks = 0; ///< of a multiprocessor, on average
    double empty = 0;  ///< results of tiles of empty parts, of a multiprocessor, on average
};

/// Of the result that a block computes.
int rowsOfTile(TileChoice tile);
/// The tile and the cut that are expected to be done soonest.
ProductPlan planProduct(const ProductSize& size, const DeviceLimits& device);
/// Where a slice leaves the sums of A's rows: behind the vectors of four that hold the last of n columns.
HETEROSCOPE_HOST_DEVICE inline std::int64_t columnOfSums(std::int64_t n) {
    return (n + 3) / 4 * 4;
}
/// Of a row of what a slice leaves.
HETEROSCOPE_HOST_DEVICE inline std::int64_t columnsOfSlice(std::int64_t n, bool rowSums) {
    return rowSums ? columnOfSums(n) + 4 : n;
}
/// Scratch bytes of the slices; 0 where k is not cut.
std::size_t productWorkspace(const ProductSize& size, const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
