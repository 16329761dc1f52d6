// SPDX-License-Identifier: Apache-2.0
// Who computes which tiles of a convolution. Changes no order of sums. Pure; any thread.
#pragma once

#include <cstdint>

namespace heteroscope::compute::openmp {

/// Tiles of a task at most, unless others are asked for: the input that they read stays in the second cache.
inline constexpr std::int64_t kMostTaskTiles = 8;

/// Tiles of a group of an image: `slivers` of its output channels by `tiles` of its places, each at least 1.
struct ConvTiles {
    std::int64_t planes = 1; ///< images times groups
    std::int64_t tiles = 1, slivers = 1;
    std::int64_t mostTiles = kMostTaskTiles; ///< of a task
};

/// Each plane's tiles cut into tileParts x sliverParts tasks, as partOf() cuts; a task's tiles share the
/// input that they read, its slivers the weights.
struct ConvTasks {
    std::int64_t tileParts = 1, sliverParts = 1;
    std::int64_t ofPlane() const { return tileParts * sliverParts; }
};

/// The tasks with which the thread that gets most is done first, when threads (at least 1) get
/// contiguous shares of them as shareOf() says.
ConvTasks convTasks(const ConvTiles& all, int threads);

} // namespace heteroscope::compute::openmp
