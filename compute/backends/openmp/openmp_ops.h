// SPDX-License-Identifier: Apache-2.0
// How the session makes its ops. Each gives its name, what it needs beside the operands, and the op itself.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/cpu.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace heteroscope::compute::openmp {

struct Settings {
    int threads = 1;
    SimdLevel simd = SimdLevel::Baseline; ///< the best that may be used
};

/// What a kernel's source is called in the names of implementations: "openmp:gemm_packed:avx512".
std::string implementationName(std::string_view name, SimdLevel simd);

/// The kernels of pooling, forward and backward.
enum class PoolKernel {
    Windows2x2, ///< maxima of windows 2x2 with stride 2 that do not leave the input
    Windows3x3, ///< maxima of windows 3x3 with stride 1 or 2 and at most 1 of padding
    Rows        ///< any window
};
const char* poolKernelName(PoolKernel kernel); ///< "pool_2x2", "pool_3x3", "pool_rows"

bool isPool(const Op& op);
/// Why the kernel does not compute the op, a clause; empty: it does.
std::string poolRefusal(PoolKernel kernel, const Op& op, const Settings& settings);
/// The instructions it takes for rows of that length.
SimdLevel poolLevel(const Op& op, const Settings& settings);
std::size_t poolWorkspaceBytes(PoolKernel kernel, const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> preparePool(PoolKernel kernel, const Op& op, const Settings& settings);

/// The kernels of the matrix product and of the three of the fully connected layer.
enum class ProductKernel {
    Dots, ///< dot products of lines, for few rows or columns
    Tiles ///< any product
};
const char* productKernelName(ProductKernel kernel); ///< "gemm_dot", "gemm_packed"

bool isProduct(const Op& op);
/// Why the kernel does not compute the op, a clause; empty: it does.
std::string productRefusal(ProductKernel kernel, const Op& op);
std::size_t productWorkspaceBytes(ProductKernel kernel, const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareProduct(ProductKernel kernel, const Op& op,
                                                   const Settings& settings);

/// Operations that loop over memory once or a few times, without a workspace: those of loop_ops.h.
bool isLoop(const Op& op);
std::string loopName(const Op& op); ///< the first part of the op's name: "softmax", "gradient_norm"
Result<std::unique_ptr<PreparedOp>> prepareLoop(const Op& op, const Settings& settings);

/// Convolution forward where each group has one input channel, and the input's gradient where it has one
/// filter, too.
inline constexpr const char* kConvDepthwiseName = "conv_depthwise";
std::string convDepthwiseRefusal(const Op& op);
std::size_t convDepthwiseWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvDepthwise(const Op& op, const Settings& settings);

/// Convolution forward with filters in the lanes of vectors. Refused where conv_direct is expected to be
/// faster.
inline constexpr const char* kConvBlockedName = "conv_blocked";
bool isConvForward(const Op& op);
std::string convBlockedRefusal(const Op& op, const Settings& settings);
std::size_t convBlockedWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvBlocked(const Op& op, const Settings& settings);

/// Convolution forward and the input's gradient.
inline constexpr const char* kConvDirectName = "conv_direct";
bool isConvDirect(const Op& op);
std::size_t convDirectWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvDirect(const Op& op, const Settings& settings);

/// The weights' and bias's gradients of a convolution.
inline constexpr const char* kConvWeightsName = "conv_weights";
bool isConvWeights(const Op& op);
std::size_t convWeightsWorkspaceBytes(const Op& op, const Settings& settings);
Result<std::unique_ptr<PreparedOp>> prepareConvWeights(const Op& op, const Settings& settings);

} // namespace heteroscope::compute::openmp
