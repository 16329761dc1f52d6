// SPDX-License-Identifier: Apache-2.0
// What the parts of the oneDNN implementation share: the engine, the thread count, errors as values.
#pragma once

#include "compute/backends/onednn/layouts.h"
#include "compute/core/host_session.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <memory>
#include <string>

namespace heteroscope::compute::onednn {

/// One engine and stream a session.
struct Context {
    int threads = 1;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    Layouts layouts;
};

inline Error failure(const std::string& what, const dnnl::error& error) {
    const ErrorCode code = error.status == dnnl_out_of_memory ? ErrorCode::OutOfMemory : ErrorCode::RunFailed;
    return Error{code, "oneDNN: " + std::string(error.what()), what, {}, {}};
}

/// oneDNN asks for pointers that it may write through, also where it only reads.
inline void* writable(const float* pointer) {
    return const_cast<float*>(pointer);
}

Support supportsPool(Context& context, const PoolParams& params, const Shape4& src, bool backward);
std::size_t poolWorkspaceBytes(Context& context, const PoolParams& params, const Shape4& src, bool backward);
Result<std::unique_ptr<PreparedOp>> preparePool(Context& context, const Op& op);

Support supportsGemm(Context& context, const Gemm& op);
std::size_t gemmWorkspaceBytes(Context& context, const Gemm& op);
Result<std::unique_ptr<PreparedOp>> prepareGemm(Context& context, const Gemm& op);

/// Whether the op looks after the layouts of its operands itself.
bool minds(const Op& op);
/// Normalisation with the batch's own statistics, and its gradient.
bool isTrainingBatchNorm(const Op& op);
Support supportsBatchNorm(Context& context, const Op& op);
Result<std::unique_ptr<PreparedOp>> prepareBatchNorm(Context& context, const Op& op);

/// What the library has no primitive for.
bool hasOwnLoop(const Op& op);
const char* ownLoopName();
std::unique_ptr<PreparedOp> makeOwnLoop(const Op& op); ///< nullptr where hasOwnLoop() is false

/// Layers of networks.
Support supportsLayer(Context& context, const Op& op);
std::size_t layerWorkspaceBytes(Context& context, const Op& op);
Result<std::unique_ptr<PreparedOp>> prepareLayer(Context& context, const Op& op);

} // namespace heteroscope::compute::onednn
