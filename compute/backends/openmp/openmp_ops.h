// SPDX-License-Identifier: Apache-2.0
// How the session makes its ops. Each gives its name, what it needs beside the operands, and the op itself.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/cpu.h"

#include <cstddef>
#include <memory>
#include <string>

namespace heteroscope::compute::openmp {

struct Settings {
    int threads = 1;
    SimdLevel simd = SimdLevel::Baseline; ///< the best that may be used
};

/// Pooling, forward or backward; the shape is valid.
Support supportsPool(const PoolParams& params, const Shape4& src, const Settings& settings);
std::size_t poolWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> preparePool(const Op& op, const Settings& settings);

/// The matrix product and the three of the fully connected layer.
bool isProduct(const Op& op);
std::string productName(const Settings& settings);
std::size_t productWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareProduct(const Op& op, const Settings& settings);

/// Operations that loop over memory once or a few times, without a workspace: those of loop_ops.h.
bool isLoop(const Op& op);
std::string loopName(const Op& op, const Settings& settings);
std::unique_ptr<PreparedOp> prepareLoop(const Op& op, const Settings& settings);

/// Convolution forward and the input's gradient.
std::string convName(SimdLevel simd);
std::size_t convDirectWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvDirect(const Op& op, const Settings& settings);
std::size_t convWeightsWorkspaceBytes(const ConvBackwardWeights& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvWeights(const ConvBackwardWeights& op,
                                                       const Settings& settings);

} // namespace heteroscope::compute::openmp
