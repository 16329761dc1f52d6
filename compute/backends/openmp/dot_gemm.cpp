// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/dot_gemm.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// So many columns of B may be transposed for it, or so many rows go over a B that is transposed already.
constexpr std::int64_t kMostDotColumns = 4, kMostRows = 16;
/// Lines shorter than some vectors are done before the lanes are added.
constexpr std::int64_t kLeastDotDepth = 64;
/// Of the lines at a time: those of 16 rows stay in the second cache. Part of the order of sums.
constexpr std::int64_t kLineDepth = 4096;

} // namespace

std::string DotGemm::refusal(const Product& product) {
    if (product.a.column != 1)
        return "it reads rows of A, which is transposed";
    if (product.k < kLeastDotDepth)
        return "it is for depths of " + std::to_string(kLeastDotDepth) + " and more";
    if (product.n <= kMostDotColumns || (product.m <= kMostRows && product.b.row == 1))
        return {};
    return "it is for " + std::to_string(kMostDotColumns) + " columns and fewer, or " +
           std::to_string(kMostRows) + " rows and fewer by a transposed B";
}

DotGemm::DotGemm(const Product& product, const Settings& settings)
    : TeamProduct(product, settings.threads,
                  {1, GemmKernels::kDotColumns, kernelsFor(settings.simd).gemm.dotRows, 1, 1}),
      m_kernels(kernelsFor(settings.simd).gemm) {}

std::int64_t DotGemm::memberFloats() const {
    return transposesB() ? product().n * std::min(kLineDepth, mostDepth()) : 0;
}

void DotGemm::multiply(const ProductPart& part, float* workspace) const {
    const MatrixStrides& stride = product().b;
    const std::int64_t depth = part.depth.size(), blocks = (depth + kLineDepth - 1) / kLineDepth;
    for (std::int64_t i = 0; i < blocks; ++i) {
        const Range within = partOf(depth, 1, i, blocks);
        const Range block{part.depth.begin + within.begin, part.depth.begin + within.end};
        const float* const b = part.b + block.begin * stride.row + part.columns.begin * stride.column;
        if (!transposesB()) {
            multiplyDepth(part, block, b, stride.column);
            continue;
        }
        // Its rows are few floats: column j of B becomes line j.
        m_kernels.packTransposed(block.size(), part.columns.size(), b, stride.row, workspace, block.size());
        multiplyDepth(part, block, workspace, block.size());
    }
}

/// The part's first block of the depth begins with its start, the others with what is in C.
void DotGemm::multiplyDepth(const ProductPart& part, Range depth, const float* b, std::int64_t ldb) const {
    const std::int64_t rows = part.rows.size(), columns = part.columns.size(), lda = product().a.row;
    const float* const a = part.a + part.rows.begin * lda + depth.begin;
    const bool first = depth.begin == part.depth.begin;
    for (std::int64_t j = 0; j < columns; j += GemmKernels::kDotColumns) {
        const std::int64_t across = std::min<std::int64_t>(GemmKernels::kDotColumns, columns - j);
        for (std::int64_t i = 0; i < rows; i += m_kernels.dotRows) {
            const std::int64_t down = std::min<std::int64_t>(m_kernels.dotRows, rows - i);
            float sums[GemmKernels::kMostDotRows * GemmKernels::kDotColumns];
            m_kernels.dot[down - 1][across - 1](depth.size(), a + i * lda, lda, b + j * ldb, ldb, sums);
            for (std::int64_t y = 0; y < down; ++y) {
                float* const c = part.c + (i + y) * part.ldc + j;
                const float* const start = first ? (part.start == nullptr ? nullptr : part.start + j) : c;
                for (std::int64_t x = 0; x < across; ++x)
                    c[x] = sums[y * GemmKernels::kDotColumns + x] + (start == nullptr ? 0.0F : start[x]);
            }
        }
    }
}

} // namespace heteroscope::compute::openmp
