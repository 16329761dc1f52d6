// SPDX-License-Identifier: Apache-2.0
// What the parts of the oneDNN implementation share: the engine, the thread count, errors as values.
#pragma once

#include "compute/backends/onednn/finite_operands.h"
#include "compute/backends/onednn/layouts.h"
#include "compute/core/host_session.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::onednn {

/// What a max pooling recorded of its maxima: good as long as neither input nor output was written since.
struct PoolRecord {
    const float* src = nullptr;
    std::uint64_t srcStamp = 0, dstStamp = 0;
    dnnl::memory places;
};

/// Fewer elements than this are not worth a second thread.
inline constexpr std::int64_t kTeamElements = 1 << 14;

/// One engine and stream a session.
struct Context {
    int threads = 1;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    Layouts layouts;
    FiniteOperands finite;
    std::map<const float*, PoolRecord> pools; ///< by the output, in networks that train
};

inline Error failure(const std::string& what, const dnnl::error& error) {
    const ErrorCode code = error.status == dnnl_out_of_memory ? ErrorCode::OutOfMemory : ErrorCode::RunFailed;
    return Error{code, "oneDNN: " + std::string(error.what()), what, {}, {}};
}

/// Scratch memory is ours: what the library cannot get for itself ends the process.
inline dnnl::primitive_attr userScratchpad() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

/// oneDNN asks for pointers that it may write through, also where it only reads.
inline void* writable(const float* pointer) {
    return const_cast<float*>(pointer);
}

Support supportsPool(Context& context, const PoolParams& params, const Shape4& src, bool backward);
std::size_t poolWorkspaceBytes(Context& context, const PoolParams& params, const Shape4& src, bool backward);
/// `facts`: of the operation, or of it and of `behind`, the derivative of the activation that is pooled,
/// which is computed with it.
Result<std::unique_ptr<PreparedOp>> preparePool(Context& context, const Op& op, const OpFacts& facts,
                                                const ActivationBackward* behind = nullptr);

Support supportsGemm(Context& context, const Gemm& op);
std::size_t gemmWorkspaceBytes(Context& context, const Gemm& op);
Result<std::unique_ptr<PreparedOp>> prepareGemm(Context& context, const Gemm& op);

/// Operations that are computed as one: a convolution with a normalisation by given statistics and an
/// activation behind it, each where it is there; a fully connected layer and an activation; the gradients of
/// a max pooling and of the activation before it.
Support supportsChain(Context& context, const OpChain& chain, std::span<const int> results);
Result<std::unique_ptr<PreparedOp>> prepareChain(Context& context, const OpChain& chain,
                                                 std::span<const int> src, std::span<const int> dst);

/// Whether gradients are among the operations of a network.
bool trains(const std::vector<Op>& operations);
/// Whether its convolutions read and write whole blocks of channels (but the first, that reads an image's),
/// and the processor has the instructions that make blocks the fastest order.
bool fillsBlocks(const std::vector<Op>& operations);

/// Whether the op looks after the layouts of its operands itself.
bool minds(const Op& op);
/// Normalisation with the batch's own statistics, and its gradient.
bool isTrainingBatchNorm(const Op& op);
Support supportsBatchNorm(Context& context, const Op& op);
std::size_t batchNormWorkspaceBytes(Context& context, const Op& op);
Result<std::unique_ptr<PreparedOp>> prepareBatchNorm(Context& context, const Op& op);

/// What the library has no primitive for.
bool hasOwnLoop(const Op& op);
const char* ownLoopName();
std::unique_ptr<PreparedOp> makeOwnLoop(Context& context,
                                        const Op& op); ///< nullptr where hasOwnLoop() is false

/// What is computed with a layer, in this order. Operands are counted among the inputs of the whole.
struct Behind {
    const BatchNormInfer* norm = nullptr;
    std::array<std::size_t, 4> channels{}; ///< of the normalisation: gamma, beta, mean, variance
    const ActivationForward* activation = nullptr;

    /// "+batchnorm+relu"
    std::string name() const;
};

/// Layers of networks. `facts`: of all that is computed.
Support supportsLayer(Context& context, const Op& op, const Behind& behind = {});
std::size_t layerWorkspaceBytes(Context& context, const Op& op);
Result<std::unique_ptr<PreparedOp>> prepareLayer(Context& context, const Op& op, const OpFacts& facts,
                                                 const Behind& behind = {});

} // namespace heteroscope::compute::onednn
