// SPDX-License-Identifier: Apache-2.0
// Pooling through cuDNN. One thread, on the session's stream.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_op.h"

#include <cudnn.h>
#include <memory>
#include <string>

namespace heteroscope::compute::nvidia {

/// Empty when cuDNN can do it, else the reason in a clause.
std::string cudnnPoolRefusal(const PoolParams& params, const Shape4& src);

/// `op` is a PoolForward or PoolBackward that cudnnPoolRefusal() lets pass. The backward op needs the
/// forward's result: it takes the operand [2] when it is given, and computes it into memory of its own when
/// not.
Result<std::unique_ptr<PreparedOp>> prepareCudnnPool(const CudaSession& session, cudnnHandle_t handle,
                                                     const Op& op);

} // namespace heteroscope::compute::nvidia
