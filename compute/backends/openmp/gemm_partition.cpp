// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/gemm_partition.h"

#include "compute/base/ceil_div.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

// Splits of the depth: so many parts that a large team has work, of a depth beside which adding them is
// nothing.
constexpr std::int64_t kSplitRows = 48, kSplitColumns = 128, kWantedParts = 64, kLeastDepth = 1024;
constexpr double kLeastSplitWork = 1 << 21; ///< multiply-adds that are worth a second meeting of the team

/// Part of the order of sums: the same on every machine. Sums in registers are added to C once a block, and a
/// block of A for one tile takes 18 KiB with AVX-512, 9 KiB else.
constexpr std::int64_t kBlockDepth = 384;
constexpr std::int64_t kUsualSecondCache = 512 << 10, kLeastColumns = 128, kMostColumns = 2048;

} // namespace

Range partOf(std::int64_t total, std::int64_t unit, std::int64_t index, std::int64_t count) {
    const std::int64_t units = ceilDiv(total, unit), base = units / count, extra = units % count;
    const auto begin = [&](std::int64_t part) {
        return std::min(total, (base * part + std::min(part, extra)) * unit);
    };
    return {begin(index), begin(index + 1)};
}

std::int64_t depthSplits(const Product& product) {
    const double work =
        static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.k);
    if (work < kLeastSplitWork)
        return 1;
    const std::int64_t parts = ceilDiv(product.m, kSplitRows) * ceilDiv(product.n, kSplitColumns);
    return std::max<std::int64_t>(1, std::min(kWantedParts / parts, product.k / kLeastDepth));
}

CacheSizes cacheSizes(const std::vector<CacheInfo>& caches) {
    CacheSizes sizes;
    for (const CacheInfo& cache : caches) {
        const std::int64_t bytes = cache.bytes / std::max(cache.sharedBy, 1);
        if (cache.level == 1 && cache.type != "Instruction")
            sizes.first = bytes;
        else if (cache.level == 2)
            sizes.second = bytes;
    }
    return sizes;
}

GemmBlocking gemmBlocking(const CacheSizes& caches, std::int64_t rows, std::int64_t columns) {
    const std::int64_t second = caches.second > 0 ? caches.second : kUsualSecondCache;
    const auto depthBytes = kBlockDepth * static_cast<std::int64_t>(sizeof(float));
    // Half of the second cache for B; the other half for the tiles of A and C and what is fetched ahead.
    const std::int64_t fits = std::clamp(second / 2 / depthBytes, kLeastColumns, kMostColumns);
    return {kBlockDepth, rows, fits / columns * columns, fits * kBlockDepth};
}

GemmBlocking gemmBlocking(std::int64_t rows, std::int64_t columns) {
    static const CacheSizes sizes = cacheSizes(readCaches());
    return gemmBlocking(sizes, rows, columns);
}

GemmGrid gemmGrid(const Product& product, std::int64_t splits, int threads, const GemmCosts& costs) {
    const std::int64_t rowUnits = ceilDiv(product.m, costs.rowUnit),
                       columnUnits = ceilDiv(product.n, costs.columnUnit);
    const auto cost = [&](const GemmGrid& grid) {
        const std::int64_t rows = std::min(product.m, ceilDiv(rowUnits, grid.rows) * costs.rowUnit);
        const std::int64_t columns = ceilDiv(columnUnits, grid.columns) * costs.columnUnit;
        const std::int64_t height = std::max(rows, ceilDiv(rows, costs.tileRows) * costs.tileRows / 3);
        return static_cast<double>(ceilDiv(splits, grid.splits)) *
               (static_cast<double>(height) * static_cast<double>(columns) * costs.product +
                static_cast<double>(rows + columns) * costs.operand);
    };
    GemmGrid best;
    double least = cost(best);
    for (std::int64_t s = std::min<std::int64_t>(splits, threads); s >= 1; --s) {
        for (std::int64_t r = std::min(rowUnits, threads / s); r >= 1; --r) {
            const GemmGrid grid{s, r, std::min(columnUnits, threads / s / r)};
            if (const double now = cost(grid); now < least) {
                best = grid;
                least = now;
            }
        }
    }
    return best;
}

} // namespace heteroscope::compute::openmp
