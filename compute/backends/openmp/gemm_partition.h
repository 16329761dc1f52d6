// SPDX-License-Identifier: Apache-2.0
// Who computes which part of a product of matrices. What decides about the order of sums (blocks and splits
// of the depth) follows from the shape alone, so that results are the same for any number of threads and on
// any processor with the instruction set; the rest from threads and caches.
#pragma once

#include "compute/core/cpu.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscope::compute::openmp {

/// Floats from element to element along a row and a column. One of the two is 1.
struct MatrixStrides {
    std::int64_t row =
        1; ///< from a row to the next: the leading dimension of a matrix that is not transposed
    std::int64_t column = 1;
};

/// C (m x n, dense, row-major) = A B, with element (i, p) of A at i row + p column, B likewise.
struct Product {
    std::int64_t m = 1, n = 1, k = 1;
    MatrixStrides a, b;
};

struct Range {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};

/// Part `index` of [0, total) in `count` parts whose sizes differ by one `unit` at most.
Range partOf(std::int64_t total, std::int64_t unit, std::int64_t index, std::int64_t count);

/// The depth is cut into `splits` of nearly the same size. Each has sums of its own, which are added in the
/// order of the splits: for products with few elements and a long depth. At most k.
std::int64_t depthSplits(const Product& product);

/// Of the first and second cache of one core.
struct CacheSizes {
    std::int64_t first = 0, second = 0; ///< bytes; 0: unknown
};
/// Those of processor 0 in `caches`; of a cache that several processors share each has its part.
CacheSizes cacheSizes(const std::vector<CacheInfo>& caches);

/// Most of A (rows x depth) and of B (depth x columns) that a thread packs at a time.
struct GemmBlocking {
    std::int64_t depth, rows, columns; ///< rows: a multiple of a tile's; columns: of a panel's
    /// B whose rows begin at lines of the caches is not packed when a block of it spans no more floats than
    /// these.
    std::int64_t unpacked = 0;
};
/// `rows`: most of a tile; `columns`: of a panel of B. The result's rows and columns are multiples of these.
GemmBlocking gemmBlocking(const CacheSizes& caches, std::int64_t rows, std::int64_t columns);
/// With this machine's caches.
GemmBlocking gemmBlocking(std::int64_t rows, std::int64_t columns);

/// The threads as a grid over splits of the depth, rows and columns.
struct GemmGrid {
    std::int64_t splits = 1, rows = 1, columns = 1;
    std::int64_t cells() const { return splits * rows * columns; }
};

/// What one thread's cell costs.
struct GemmCosts {
    std::int64_t rowUnit, columnUnit; ///< rows and columns are shared out in multiples of these
    std::int64_t tileRows;            ///< a tile of fewer takes the time of a third of them at least
    double product;                   ///< time of an element of the tile
    double operand;                   ///< time to lay out an element of an operand
};

/// The grid of at most `threads` cells whose largest cell costs least.
GemmGrid gemmGrid(const Product& product, std::int64_t splits, int threads, const GemmCosts& costs);

} // namespace heteroscope::compute::openmp
