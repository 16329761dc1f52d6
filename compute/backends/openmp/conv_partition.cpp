// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/conv_partition.h"

#include "compute/base/ceil_div.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// Of a sliver in a task, in tiles: to bring its weights to the first cache, an element of which is used for
/// two multiply-adds of a vector a tile.
constexpr double kSliverCost = 0.125;
/// To begin a task, likewise.
constexpr double kTaskCost = 0.25;
/// Of a thread's tasks so many may all be among the largest.
constexpr double kLargestInARow = 4;

} // namespace

ConvTasks convTasks(const ConvTiles& all, int threads) {
    const auto costOf = [](double tiles, double slivers) {
        return slivers * (tiles + kSliverCost) + kTaskCost;
    };
    const auto cost = [&](const ConvTasks& tasks) {
        const auto most = static_cast<double>(ceilDiv(all.planes * tasks.ofPlane(), threads));
        const auto parts = [](std::int64_t whole, std::int64_t count) {
            return static_cast<double>(whole) / static_cast<double>(count);
        };
        const double mean = costOf(parts(all.tiles, tasks.tileParts), parts(all.slivers, tasks.sliverParts));
        const double largest = costOf(static_cast<double>(ceilDiv(all.tiles, tasks.tileParts)),
                                      static_cast<double>(ceilDiv(all.slivers, tasks.sliverParts)));
        return most * mean + (largest - mean) * std::min(most, kLargestInARow);
    };
    ConvTasks best{ceilDiv(all.tiles, all.mostTiles), 1};
    double least = cost(best);
    const std::int64_t mostSliverParts = std::min(all.slivers, std::int64_t{2} * threads);
    for (std::int64_t tiles = std::min(all.mostTiles, all.tiles); tiles >= 1; --tiles)
        for (std::int64_t slivers = 1; slivers <= mostSliverParts; ++slivers) {
            const ConvTasks tasks{ceilDiv(all.tiles, tiles), slivers};
            if (const double one = cost(tasks); one < least)
                best = tasks, least = one;
        }
    return best;
}

} // namespace heteroscope::compute::openmp
