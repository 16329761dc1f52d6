// SPDX-License-Identifier: Apache-2.0
// Matrix products, dense layers and their gradients through cuBLASLt. One thread, on the session's streams.
#pragma once

#include "compute/backends/nvidia/cublas/lt_product.h"
#include "compute/core/op.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// The product of a dense layer, or of one of its gradients; without pointers.
RowMajor denseProduct(const DenseForward& op);
RowMajor denseProduct(const DenseBackwardData& op);
RowMajor denseProduct(const DenseBackwardWeights& op);

/// The op as cuBLASLt computes it, a ReLU of its result included where `relu`, which only a dense layer's
/// forward product may have; nothing for other ops.
std::optional<LtSpec> ltSpecOf(const Op& op, bool relu);

/// `op`, or the chain of it and a ReLU with those `facts`; `order`: which of the operands read are those of
/// `op`.
Result<std::unique_ptr<PreparedOp>> prepareLt(const CudaSession& session, const CublasHandle& handle,
                                              const Op& op, OpFacts facts, std::vector<std::size_t> order,
                                              const LtSpec& spec, const std::string& implementation);

} // namespace heteroscope::compute::nvidia
