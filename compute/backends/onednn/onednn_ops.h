// SPDX-License-Identifier: Apache-2.0
// What the parts of the oneDNN implementation share: the engine, the thread count, errors as values, and the
// record of an implementation with the layouts that it reads and writes.
#pragma once

#include "compute/backends/onednn/finite_operands.h"
#include "compute/backends/onednn/layouts.h"
#include "compute/backends/onednn/primitive_list.h"
#include "compute/core/host_session.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>
#include <functional>
#include <memory>
#include <omp.h>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscope::compute::onednn {

/// oneDNN's own threads are OpenMP's: this sets how many the calling thread's regions get, and undoes it.
class ThreadScope {
  public:
    explicit ThreadScope(int threads) : m_before(omp_get_max_threads()) { omp_set_num_threads(threads); }
    ~ThreadScope() { omp_set_num_threads(m_before); }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

  private:
    int m_before;
};

/// Fewer elements than this are not worth a second thread.
inline constexpr std::int64_t kTeamElements = 1 << 14;

/// One engine and stream a session.
struct Context {
    int threads = 1;
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    FiniteOperands finite;
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

/// A normalisation that a convolution's weights and bias take in: which operands of the whole they are made
/// of, and their layouts. The convolution is then given images, these weights and this bias.
struct Folding {
    std::size_t weights = 1;
    std::optional<std::size_t> bias;
    std::array<std::size_t, 4> channels{}; ///< gamma, beta, mean, variance
    double epsilon = 0;
    std::int64_t filters = 0;
    dnnl::memory::desc plain, wanted; ///< of the weights
    std::string letters;              ///< of their dimensions
};

/// What a max pooling writes behind its result for its gradient, which reads it behind all others.
struct Indices {
    std::size_t bytes = 0;
    std::string form; ///< only what was written in the same form can be read
    bool operator==(const Indices&) const = default;
};

/// One way to compute an op. What its candidate prepares reads and writes operands as `layouts` says.
struct Record {
    Candidate candidate;
    OpLayouts layouts{};
    std::optional<Folding> folding{};
    std::optional<Indices> indices{};
};

/// Returns false when no more are wanted.
using RecordVisitor = std::function<bool(Record)>;

/// A record that is none: why the library does not compute an op.
inline Record refused(std::string reason) {
    return {{"primitive", {}, std::move(reason), {}, {}}};
}

/// Calls visitAll() with the session's threads; what the library refuses becomes a record that is none.
template <class VisitAll>
void visitOrRefuse(const Context& context, const Op& op, const RecordVisitor& visit,
                   const VisitAll& visitAll) {
    const ThreadScope threads(context.threads);
    try {
        visitAll();
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this " + opName(op) + " (" + error.what() + ")"));
    }
}

/// What is computed, and among what.
struct Problem {
    const SequenceStep& step;
    LayoutPolicy policy;
    bool keepsIndices = false; ///< of a max pooling: between its two directions
};

/// All implementations of a step, the preferred one first, each with a name of its own. The step outlives
/// what is prepared of them.
void visitRecords(Context& context, const Problem& problem, const RecordVisitor& visit);

/// The record that is taken, and all of them as they are listed. `asked`: see chooseCandidate().
Record chooseRecord(Context& context, const Problem& problem, std::span<const std::string> asked);
std::vector<ImplementationRow> recordRows(Context& context, const Problem& problem,
                                          std::span<const std::string> asked);

/// Each calls visit() with the ways to compute an op, the preferred one first; `facts`: of all that is
/// computed when it is prepared.
using Facts = std::function<OpFacts()>;

/// `activation`: the derivative of the activation that is pooled, which is computed with it.
void visitPool(Context& context, const Problem& problem, const Facts& facts,
               const ActivationBackward* activation, const RecordVisitor& visit);
void visitGemm(Context& context, const Gemm& op, const RecordVisitor& visit);

/// Operations that are computed as one: a convolution with a normalisation by given statistics and an
/// activation behind it, each where it is there; a fully connected layer and an activation; the gradients of
/// a max pooling and of the activation before it. The step's src: as chainInputs() has it.
void visitChain(Context& context, const Problem& problem, const RecordVisitor& visit);
std::vector<int> chainInputs(const OpChain& chain);

/// Normalisation with the batch's own statistics, and its gradient.
bool isTrainingBatchNorm(const Op& op);
void visitBatchNorm(Context& context, const LayoutPolicy& policy, const Op& op, const RecordVisitor& visit);

bool isLayerNorm(const Op& op);
void visitLayerNorm(Context& context, const LayoutPolicy& policy, const Op& op, const RecordVisitor& visit);

/// What the library has no primitive for.
bool hasOwnLoop(const Op& op);
inline constexpr const char* kOwnLoop = "own_loop"; ///< its name among the candidates
const char* ownLoopName();                          ///< "onednn:own loop"
std::unique_ptr<PreparedOp> makeOwnLoop(Context& context,
                                        const Op& op); ///< nullptr where hasOwnLoop() is false

/// What is computed with a layer, in this order. Operands are counted among the inputs of the whole.
struct PostOps {
    const BatchNormInfer* norm = nullptr;
    std::array<std::size_t, 4> channels{}; ///< of the normalisation: gamma, beta, mean, variance
    const ActivationForward* activation = nullptr;

    /// "+batchnorm+relu"
    std::string name() const;
};

/// Layers of networks.
void visitLayer(Context& context, const LayoutPolicy& policy, const Op& op, const PostOps& postOps,
                const Facts& facts, const RecordVisitor& visit);

} // namespace heteroscope::compute::onednn
