// SPDX-License-Identifier: Apache-2.0
// Products of row-major matrices as cuBLAS, which counts columns first, is asked for them.
#pragma once

#include <cstdint>
#include <cublas_v2.h>

namespace heteroscope::compute::nvidia {

/// C (m x n) = A (m x k) B (k x n), row-major; a transposed operand lies as its transpose. Several lie
/// strideA, strideB and strideC floats from one to the next.
struct RowMajor {
    bool transposeA = false, transposeB = false;
    std::int64_t m = 1, n = 1, k = 1;
    const float *a = nullptr, *b = nullptr;
    float* c = nullptr;
    float keep = 0; ///< of what C held before
    std::int64_t count = 1, strideA = 0, strideB = 0, strideC = 0;
};

/// cuBLAS 13.0 ends with CUBLAS_STATUS_INTERNAL_ERROR for 2^31 - 1 rows, although it takes sizes of 64 bits.
inline constexpr std::int64_t kMostCublasExtent = std::int64_t{1} << 28;

/// cublasSgemm, for a count of 1; in parts where an extent is larger than cuBLAS computes.
cublasStatus_t multiplyOne(cublasHandle_t handle, const RowMajor& product);
/// cublasSgemmStridedBatched, likewise.
cublasStatus_t multiply(cublasHandle_t handle, const RowMajor& product);

} // namespace heteroscope::compute::nvidia
