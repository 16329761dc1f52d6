// SPDX-License-Identifier: Apache-2.0
// Who computes what of a product: nothing is left out or done twice, threads have nearly the same work, what
// decides about the order of sums does not follow from threads or caches.
#include "compute/backends/openmp/gemm_partition.h"
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/packed_gemm.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace heteroscope::compute::openmp {
namespace {

Product square(std::int64_t size) {
    return {size, size, size, {size, 1}, {size, 1}};
}

TEST(Partition, PartsHoldEverythingOnce) {
    for (const std::int64_t total : {1, 2, 7, 16, 17, 100, 1023})
        for (const std::int64_t unit : {1, 4, 16, 32})
            for (std::int64_t count = 1; count <= 20; ++count) {
                std::int64_t at = 0, units = (total + unit - 1) / unit;
                for (std::int64_t part = 0; part < count; ++part) {
                    const Range range = partOf(total, unit, part, count);
                    EXPECT_EQ(range.begin, at);
                    EXPECT_LE(range.size(), (units + count - 1) / count * unit);
                    at = range.end;
                }
                EXPECT_EQ(at, total);
            }
}

TEST(Partition, GridsKeepToTheThreads) {
    const GemmKernels& kernels = kernelsFor(SimdLevel::Baseline).gemm;
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 100000},
                                  {1, 4096, 4096},
                                  {4096, 1, 4096},
                                  {64, 64, 65536},
                                  {1000, 1000, 1000},
                                  {100, 3, 7000}})
        for (int threads = 1; threads <= 65; ++threads) {
            const PackedGemm product({m, n, k, {k, 1}, {n, 1}}, {threads, SimdLevel::Baseline});
            EXPECT_LE(product.grid().cells(), product.threads());
            EXPECT_GE(product.grid().cells(), 1);
            EXPECT_LE(product.grid().splits, product.splits());
        }
    EXPECT_GT(kernels.rows, 0);
}

/// Multiply-adds of the largest cell beside an equal share.
double imbalance(const Product& p, int threads) {
    const PackedGemm product(p, {threads, SimdLevel::Baseline});
    const GemmGrid& grid = product.grid();
    const double rows = static_cast<double>((p.m + grid.rows - 1) / grid.rows);
    const double columns = static_cast<double>(partOf(p.n, 4, 0, grid.columns).size());
    const double share = static_cast<double>(p.m) * static_cast<double>(p.n) / product.threads();
    return rows * columns / share;
}

TEST(Partition, ThreadsHaveNearlyTheSameWork) {
    for (const std::int64_t size : {256, 384, 512, 768, 1000, 1024, 2048, 3000, 4096})
        for (const int threads : {2, 4, 8, 16})
            EXPECT_LE(imbalance(square(size), threads), 1.05) << size << " on " << threads;
    for (int threads = 1; threads <= 32; ++threads)
        EXPECT_LE(imbalance(square(1024), threads), 1.3) << threads;
}

TEST(Partition, SplitsOnlyLongDepthsOfFewElements) {
    EXPECT_EQ(depthSplits(square(256)), 1);
    EXPECT_EQ(depthSplits(square(1024)), 1);
    EXPECT_EQ(depthSplits(square(4096)), 1);
    EXPECT_EQ(depthSplits({10, 10, 2000, {2000, 1}, {10, 1}}), 1) << "too little work";
    EXPECT_EQ(depthSplits({64, 64, 65536, {65536, 1}, {64, 1}}), 32);
    EXPECT_EQ(depthSplits({1, 1, std::int64_t{1} << 22, {1, 1}, {1, 1}}), 64);
    EXPECT_EQ(depthSplits({128, 128, 4096, {4096, 1}, {128, 1}}), 4);
}

TEST(Blocking, FollowsTheCachesWithinBounds) {
    const std::int64_t mib = 1 << 20;
    for (const std::int64_t second :
         {std::int64_t{0}, std::int64_t{1}, 64 * std::int64_t{1024}, mib, 2 * mib, 1024 * mib})
        for (const std::int64_t panel : {8, 16, 32}) {
            const GemmBlocking blocking = gemmBlocking({32 << 10, second}, 12, panel);
            EXPECT_EQ(blocking.columns % panel, 0);
            EXPECT_GE(blocking.columns, 128);
            EXPECT_LE(blocking.columns, 2048);
            EXPECT_EQ(blocking.rows % 12, 0);
            EXPECT_EQ(blocking.depth, gemmBlocking({0, 0}, 12, panel).depth)
                << "the depth decides about the order of sums";
        }
    EXPECT_LT(gemmBlocking({0, mib}, 12, 32).columns, gemmBlocking({0, 2 * mib}, 12, 32).columns);
}

TEST(Blocking, SharedCachesCountInParts) {
    const std::vector<CacheInfo> caches = {{1, "Data", 48 << 10, 2},
                                           {1, "Instruction", 32 << 10, 2},
                                           {2, "Unified", 2 << 20, 2},
                                           {3, "Unified", 64 << 20, 32}};
    const CacheSizes sizes = cacheSizes(caches);
    EXPECT_EQ(sizes.first, 24 << 10);
    EXPECT_EQ(sizes.second, 1 << 20);
    EXPECT_EQ(cacheSizes({}).second, 0);
}

} // namespace
} // namespace heteroscope::compute::openmp
