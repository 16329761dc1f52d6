// SPDX-License-Identifier: Apache-2.0
// Products of matrices on a team of threads: both matrices are packed in slices that fit the caches, and the
// tiles of a slice are shared out. Every sum runs over k in the same order for any number of threads.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/team.h"

#include <cstddef>
#include <cstdint>

namespace heteroscope::compute::openmp {

/// C (m x n, dense, row-major) = A B, with element (i, p) of A at i rowStep + p columnStep, B likewise.
struct MatrixSteps {
    std::int64_t row = 1, column = 1;
};

struct Product {
    std::int64_t m = 1, n = 1, k = 1;
    MatrixSteps a, b;
};

/// The plan and the memory of a product. Holds no data between runs.
class PackedGemm {
  public:
    PackedGemm(const Product& product, const Settings& settings);
    int threads() const { return m_threads; }
    std::size_t workspaceBytes() const;
    /// Every member of a team calls this. `add`: to what is in C, which all of the team may read from now on;
    /// else C is overwritten. `workspace` is workspaceBytes() long, on 64-byte boundaries.
    void run(const float* a, const float* b, float* c, bool add, float* workspace, Member member) const;

  private:
    struct Slice {
        std::int64_t row, rows, column, columns, depth, depths;
    };
    struct Pass {
        const float *a, *b;
        float *c, *packedA, *packedB;
        bool add;
    };
    std::int64_t packedA() const;
    std::int64_t packedB() const;
    void multiplyRows(const Pass& pass, Slice s, Member member) const;
    void packB(const Pass& pass, const Slice& s, Member member) const;
    void packA(const Pass& pass, const Slice& s, Member member) const;
    void multiplyTask(const Pass& pass, const Slice& s, std::int64_t rowBegin,
                      std::int64_t columnBegin) const;
    void multiplyTile(const Pass& pass, const Slice& s, std::int64_t row, std::int64_t column) const;

    Product m_product;
    int m_threads;
    const GemmKernel& m_kernel;
};

} // namespace heteroscope::compute::openmp
