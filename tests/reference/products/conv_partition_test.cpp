// SPDX-License-Identifier: Apache-2.0
// The tasks of a convolution: within their limits, and no thread waits long for another.
#include "compute/backends/openmp/conv_partition.h"
#include "compute/backends/openmp/gemm_partition.h"
#include "compute/core/team.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// Tiles that the thread with the most of them gets.
std::int64_t mostOfAThread(const ConvTiles& all, const ConvTasks& tasks, int threads) {
    std::int64_t most = 0;
    for (int thread = 0; thread < threads; ++thread) {
        std::int64_t mine = 0;
        const Share share = shareOf(all.planes * tasks.ofPlane(), {thread, threads});
        for (std::int64_t task = share.begin; task < share.end; ++task) {
            const std::int64_t part = task % tasks.ofPlane();
            mine += partOf(all.tiles, 1, part / tasks.sliverParts, tasks.tileParts).size() *
                    partOf(all.slivers, 1, part % tasks.sliverParts, tasks.sliverParts).size();
        }
        most = std::max(most, mine);
    }
    return most;
}

TEST(ConvPartition, TasksKeepToTheirLimits) {
    for (const std::int64_t planes : {1, 3, 64})
        for (const std::int64_t tiles : {1, 2, 7, 8, 9, 102, 100000})
            for (const std::int64_t slivers : {1, 2, 11, 43, 5000})
                for (const int threads : {1, 2, 3, 16, 100}) {
                    const ConvTasks tasks = convTasks({planes, tiles, slivers}, threads);
                    EXPECT_GE(tasks.tileParts, (tiles + kMostTaskTiles - 1) / kMostTaskTiles);
                    EXPECT_LE(tasks.tileParts, tiles);
                    EXPECT_GE(tasks.sliverParts, 1);
                    EXPECT_LE(tasks.sliverParts, slivers);
                }
}

TEST(ConvPartition, OneThreadHasNoMoreTasksThanItNeeds) {
    for (const ConvTiles& all : {ConvTiles{1, 2, 43}, {1, 102, 6}, {32, 27, 11}}) {
        const ConvTasks tasks = convTasks(all, 1);
        EXPECT_EQ(tasks.sliverParts, 1);
        EXPECT_EQ(tasks.tileParts, (all.tiles + kMostTaskTiles - 1) / kMostTaskTiles);
    }
}

/// Images of 56x56, 28x28, 14x14 and 7x7 with 64 to 512 filters, one at a time: what a thread gets at most
/// is near what all of them have on average.
TEST(ConvPartition, SmallImagesOccupyEveryThread) {
    for (const ConvTiles& all : {ConvTiles{1, 102, 6}, {1, 27, 11}, {1, 7, 22}, {1, 2, 43}})
        for (const int threads : {2, 4, 8, 16}) {
            const ConvTasks tasks = convTasks(all, threads);
            const double mean = static_cast<double>(all.tiles * all.slivers) / threads;
            EXPECT_LE(static_cast<double>(mostOfAThread(all, tasks, threads)), 1.2 * mean)
                << all.tiles << " tiles, " << all.slivers << " slivers, " << threads << " threads";
        }
}

} // namespace
} // namespace heteroscope::compute::openmp
