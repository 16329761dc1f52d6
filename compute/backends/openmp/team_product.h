// SPDX-License-Identifier: Apache-2.0
// A product of matrices on a team of threads. Each thread computes parts of C alone, over all of the depth or
// over a split of it, and lays out for itself what it reads of A and B: threads wait for each other only
// where splits have to be added.
#pragma once

#include "compute/backends/openmp/gemm_partition.h"
#include "compute/core/team.h"

#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::openmp {

struct ProductOperands {
    const float *a, *b;
    float* c;
    const float* bias = nullptr; ///< n floats that are added to each row; nullptr: none
};

/// Part of a product: c (rows x columns, ldc floats from row to row) = A B + start.
struct ProductPart {
    Range rows, columns, depth;
    const float *a, *b; ///< the whole operands
    float* c;           ///< of the part's first element
    std::int64_t ldc;
    const float* start; ///< columns.size() floats for each row, or nullptr
};

/// The plan of a product. Holds no data between runs.
class TeamProduct {
  public:
    virtual ~TeamProduct() = default;
    int threads() const { return m_threads; }
    const GemmGrid& grid() const { return m_grid; }
    std::int64_t splits() const { return m_splits; }
    std::size_t workspaceBytes() const;
    /// Every member of a team calls this. `workspace` is workspaceBytes() long, on 64-byte boundaries. The
    /// same bits for any number of members.
    void run(const ProductOperands& operands, float* workspace, Member member) const;

  protected:
    /// `threads`: those that may be used; small products take one.
    TeamProduct(const Product& product, int threads, const GemmCosts& costs);
    const Product& product() const { return m_product; }
    /// Of the largest part.
    std::int64_t mostRows() const;
    std::int64_t mostColumns() const;
    std::int64_t mostDepth() const;
    /// What multiply() needs, the same for every member.
    virtual std::int64_t memberFloats() const = 0;
    virtual void multiply(const ProductPart& part, float* workspace) const = 0;

  private:
    std::int64_t memberStride() const;
    std::int64_t partialsAt() const;
    void multiplyCell(const ProductOperands& operands, std::int64_t cell, float* workspace,
                      float* partials) const;
    void addPartials(const ProductOperands& operands, const float* partials, Member member) const;

    Product m_product;
    int m_threads;
    GemmCosts m_costs;
    std::int64_t m_splits;
    GemmGrid m_grid;
};

} // namespace heteroscope::compute::openmp
