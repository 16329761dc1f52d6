// SPDX-License-Identifier: Apache-2.0
// Products of matrices in tiles that are held in registers: for each block of the depth a block of B is
// packed into panels for the second cache, then A sliver by sliver for the first, and each sliver goes over
// all panels.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/backends/openmp/team_product.h"

#include <cstdint>

namespace heteroscope::compute::openmp {

class PackedGemm final : public TeamProduct {
  public:
    PackedGemm(const Product& product, const Settings& settings);
    /// With other blocks than the caches of this machine ask for. Blocks of another depth add in another
    /// order.
    PackedGemm(const Product& product, const Settings& settings, const GemmBlocking& blocking);

  protected:
    std::int64_t memberFloats() const override;
    void multiply(const ProductPart& part, float* workspace) const override;

  private:
    struct Block;
    struct Panels;
    struct Panel;
    bool packsB() const;
    std::int64_t blockRows() const;
    std::int64_t blockFloatsA() const;
    std::int64_t panelStride(std::int64_t depth) const;
    std::int64_t mostVectors(std::int64_t partRows) const;
    std::int64_t tilesOf(std::int64_t rows) const;
    void multiplyColumns(const ProductPart& part, Block block, float* workspace) const;
    Panels layOutB(const ProductPart& part, const Block& block, float* to) const;
    void packA(const ProductPart& part, const Block& block, float* to) const;
    void multiplyPanel(const ProductPart& part, const Block& block, const float* packedA,
                       const Panel& panel) const;

    const GemmKernels& m_kernels;
    GemmBlocking m_blocking;
};

} // namespace heteroscope::compute::openmp
