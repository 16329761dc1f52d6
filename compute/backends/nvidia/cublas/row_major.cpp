// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cublas/row_major.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

/// As cuBLAS sees it: the matrices lie transposed, and change places.
struct ColumnMajor {
    cublasOperation_t operationA, operationB;
    std::int64_t m, n, k, lda, ldb, ldc;
    const float *a, *b;
    float* c;
    float beta;
};

ColumnMajor partOf(const RowMajor& p, std::int64_t row, std::int64_t column, std::int64_t depth) {
    const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    ColumnMajor part{};
    part.operationA = operation(p.transposeB), part.operationB = operation(p.transposeA);
    part.m = std::min(p.n - column, kMostCublasExtent);
    part.n = std::min(p.m - row, kMostCublasExtent);
    part.k = std::min(p.k - depth, kMostCublasExtent);
    part.lda = p.transposeB ? p.k : p.n, part.ldb = p.transposeA ? p.m : p.k, part.ldc = p.n;
    part.a = p.b + (p.transposeB ? column * p.k + depth : depth * p.n + column);
    part.b = p.a + (p.transposeA ? depth * p.m + row : row * p.k + depth);
    part.c = p.c + row * p.n + column;
    part.beta = depth > 0 ? 1.0F : p.keep;
    return part;
}

template <class Compute>
cublasStatus_t inParts(const RowMajor& p, const Compute& compute) {
    for (std::int64_t row = 0; row < p.m; row += kMostCublasExtent)
        for (std::int64_t column = 0; column < p.n; column += kMostCublasExtent)
            for (std::int64_t depth = 0; depth < p.k; depth += kMostCublasExtent)
                if (const cublasStatus_t status = compute(partOf(p, row, column, depth));
                    status != CUBLAS_STATUS_SUCCESS)
                    return status;
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

cublasStatus_t multiplyOne(cublasHandle_t handle, const RowMajor& product) {
    return inParts(product, [&](const ColumnMajor& p) {
        const float one = 1.0F;
        return cublasSgemm_64(handle, p.operationA, p.operationB, p.m, p.n, p.k, &one, p.a, p.lda, p.b, p.ldb,
                              &p.beta, p.c, p.ldc);
    });
}

cublasStatus_t multiply(cublasHandle_t handle, const RowMajor& product) {
    return inParts(product, [&](const ColumnMajor& p) {
        const float one = 1.0F;
        return cublasSgemmStridedBatched_64(handle, p.operationA, p.operationB, p.m, p.n, p.k, &one, p.a,
                                            p.lda, product.strideB, p.b, p.ldb, product.strideA, &p.beta, p.c,
                                            p.ldc, product.strideC, product.count);
    });
}

} // namespace heteroscope::compute::nvidia
