// SPDX-License-Identifier: Apache-2.0
// What the parts of the oneDNN implementation share: the engine, the thread count, errors as values.
#pragma once

#include "compute/backends/onednn/finite_operands.h"
#include "compute/backends/onednn/layouts.h"
#include "compute/backends/onednn/primitive_list.h"
#include "compute/core/host_session.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>
#include <functional>
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

/// What make() makes with the session's threads, or the library's refusal.
template <class Make>
Result<std::unique_ptr<PreparedOp>> prepared(const Context& context, const std::string& name,
                                             const Make& make) {
    try {
        const ThreadScope threads(context.threads);
        return std::unique_ptr<PreparedOp>(make());
    } catch (const dnnl::error& error) {
        return failure(name, error);
    }
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

/// A candidate that is none: why the library does not compute an op.
inline Candidate refused(std::string reason) {
    return {"primitive", {}, std::move(reason), {}, {}};
}

/// Calls visitAll() with the session's threads; what the library refuses becomes a candidate that is none.
template <class VisitAll>
void visitOrRefuse(const Context& context, const Op& op, const CandidateVisitor& visit,
                   const VisitAll& visitAll) {
    const ThreadScope threads(context.threads);
    try {
        visitAll();
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this " + opName(op) + " (" + error.what() + ")"));
    }
}

/// Each calls visit() with the ways to compute an op, the preferred one first; `facts`: of all that is
/// computed when it is prepared.
using Facts = std::function<OpFacts()>;

/// `behind`: the derivative of the activation that is pooled, which is computed with it.
void visitPool(Context& context, const Op& op, const Facts& facts, const ActivationBackward* behind,
               const CandidateVisitor& visit);
void visitGemm(Context& context, const Gemm& op, const CandidateVisitor& visit);

/// Operations that are computed as one: a convolution with a normalisation by given statistics and an
/// activation behind it, each where it is there; a fully connected layer and an activation; the gradients of
/// a max pooling and of the activation before it. `src`: what the chain reads, as chainInputs() has it.
void visitChain(Context& context, const OpChain& chain, std::span<const int> src, std::span<const int> dst,
                const CandidateVisitor& visit);
std::vector<int> chainInputs(const OpChain& chain);

/// Whether gradients are among the operations of a network.
bool trains(const std::vector<Op>& operations);
/// Whether its convolutions read and write whole blocks of channels (but the first, that reads an image's),
/// and the processor has the instructions that make blocks the fastest order.
bool fillsBlocks(const std::vector<Op>& operations);

/// Whether the op looks after the layouts of its operands itself.
bool minds(const Op& op);
/// Normalisation with the batch's own statistics, and its gradient.
bool isTrainingBatchNorm(const Op& op);
void visitBatchNorm(Context& context, const Op& op, const CandidateVisitor& visit);

bool isLayerNorm(const Op& op);
void visitLayerNorm(Context& context, const Op& op, const CandidateVisitor& visit);

/// What the library has no primitive for.
bool hasOwnLoop(const Op& op);
inline constexpr const char* kOwnLoop = "own_loop"; ///< its name among the candidates
const char* ownLoopName();                          ///< "onednn:own loop"
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

/// Layers of networks.
void visitLayer(Context& context, const Op& op, const Behind& behind, const Facts& facts,
                const CandidateVisitor& visit);

} // namespace heteroscope::compute::onednn
