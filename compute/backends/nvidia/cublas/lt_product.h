// SPDX-License-Identifier: Apache-2.0
// A product of row-major matrices through cuBLASLt, which adds the bias and takes the ReLU, or sums the
// bias' gradient, while it computes the product. One thread.
#pragma once

#include "compute/backends/nvidia/cublas/cublas_handle.h"
#include "compute/backends/nvidia/cublas/row_major.h"

#include <memory>
#include <string>

namespace heteroscope::compute::nvidia {

/// CUBLASLT_EPILOGUE_DEFAULT, _RELU, _BIAS, _RELU_BIAS, _BGRADB. The bias is added to each row: n floats. Its
/// gradient is the sum of A's columns where A lies transposed: m floats.
enum class LtEpilogue { None, Relu, Bias, BiasRelu, BiasGradient };

struct LtSpec {
    RowMajor product; ///< sizes; no pointers, one product, nothing kept of C
    LtEpilogue epilogue = LtEpilogue::None;
    bool tf32 = false;
    bool benchmark = false; ///< the fastest as measured when it is prepared, else the heuristics' first
};

/// Why cuBLASLt is not asked; empty: it is.
std::string ltRefusal(const RowMajor& product);

class LtProduct {
  public:
    virtual ~LtProduct() = default;
    /// Submits C = A B to the session's present stream. `bias` is read, or written with BiasGradient. All
    /// pointers are aligned to 16 bytes, else RunFailed.
    virtual Status run(const float* a, const float* b, float* c, float* bias) const = 0;
};

/// Only benchmarks submit work, and allocate operands of their own; where there is no memory for that, the
/// first of the heuristics is taken. Session and handle outlive the result. `where`: for errors. Error:
/// TargetUnavailable where cuBLASLt offers no algorithm.
Result<std::unique_ptr<LtProduct>> makeLtProduct(const CudaSession& session, const CublasHandle& handle,
                                                 const LtSpec& spec, const std::string& where);

} // namespace heteroscope::compute::nvidia
