// SPDX-License-Identifier: Apache-2.0
// Products of matrices as dot products of lines that are contiguous along the depth: for few rows or columns,
// where laying operands out for tiles would take as long as multiplying them.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/backends/openmp/team_product.h"

#include <cstdint>
#include <string>

namespace heteroscope::compute::openmp {

class DotGemm final : public TeamProduct {
  public:
    /// Why a product is not computed so, a clause; empty: it is.
    static std::string refusal(const Product& product);
    /// Of a product that is not refused.
    DotGemm(const Product& product, const Settings& settings);

  protected:
    std::int64_t memberFloats() const override;
    void multiply(const ProductPart& part, float* workspace) const override;

  private:
    bool transposesB() const { return product().b.row != 1; }
    void multiplyDepth(const ProductPart& part, Range depth, const float* b, std::int64_t ldb) const;

    const GemmKernels& m_kernels;
};

} // namespace heteroscope::compute::openmp
