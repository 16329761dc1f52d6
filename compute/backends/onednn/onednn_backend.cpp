// SPDX-License-Identifier: Apache-2.0
// The oneDNN implementation's options and op table.
#include "compute/backends/onednn/onednn_backend.h"

#include "compute/backends/onednn/onednn_ops.h"
#include "compute/core/target_options.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heteroscope::compute {
namespace {

/// Gives every candidate a name of its own: the library lists some twice ("jit:avx512_core").
CandidateVisitor numbered(CandidateVisitor visit) {
    return [visit = std::move(visit), counts = std::map<std::string, int>()](Candidate candidate) mutable {
        if (const int count = ++counts[candidate.name]; count > 1)
            candidate.name += "." + std::to_string(count);
        return visit(std::move(candidate));
    };
}

class OnednnSession final : public HostSession {
  public:
    OnednnSession(int threads, std::vector<std::string> asked)
        : HostSession("onednn", threads, std::move(asked)) {
        m_context.threads = threads;
    }

    Support supportsChain(const OpChain& chain, std::span<const int> results) const override {
        const std::vector<int> src = onednn::chainInputs(chain);
        Candidate chosen = chooseCandidate(candidatesOf(chain, src, results), askedImplementations());
        return chosen.prepare ? Support::yes(std::move(chosen.implementation))
                              : Support::no(std::move(chosen.refusal));
    }

    std::vector<ImplementationRow> chainImplementations(const OpChain& chain, std::span<const int> src,
                                                        std::span<const int> dst) const override {
        return implementationRows(candidatesOf(chain, src, dst), askedImplementations());
    }

    Result<std::unique_ptr<PreparedOp>> prepareChain(const OpChain& chain, std::span<const int> src,
                                                     std::span<const int> dst) override {
        const Candidate chosen = chooseCandidate(candidatesOf(chain, src, dst), askedImplementations());
        const std::string name = opName(chain.front().op);
        if (!chosen.prepare)
            return Error{ErrorCode::TargetUnavailable, chosen.refusal, "onednn " + name, {}, {}};
        const char* loss = nullptr;
        for (const LinkedOp& one : chain)
            loss = loss != nullptr ? loss : onednn::lossOfNan(one.op, chosen.implementation);
        return checked(chosen.prepare(), name, loss);
    }

    void keepLayouts(const std::vector<Op>& operations) override {
        const bool trains = onednn::trains(operations);
        const bool blocks = trains && onednn::fillsBlocks(operations);
        m_context.layouts.keep(blocks ? onednn::Keeps::Blocked : onednn::Keeps::ChannelsLast, trains,
                               m_context.threads);
    }

    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override {
        auto buffer = HostSession::allocate(bytes);
        if (buffer)
            m_context.finite.computed(noteWritten(**buffer, bytes), elementsOf(**buffer, bytes));
        return buffer;
    }

    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override {
        if (bytes < dst.bytes())
            if (const Status status = layPlainly(dst); !status)
                return status;
        m_context.finite.uploaded(noteWritten(dst, bytes), elementsOf(dst, bytes));
        return HostSession::upload(dst, src, bytes, observer);
    }

    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override {
        if (const Status status = layPlainly(src); !status)
            return status;
        return HostSession::download(dst, src, bytes, observer);
    }

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const CandidateVisitor visitWrapped = numbered([&](Candidate candidate) {
            if (candidate.prepare)
                candidate.prepare = [this, &op, make = std::move(candidate.prepare)] {
                    return wrapped(op, make());
                };
            return visit(std::move(candidate));
        });
        const onednn::Facts facts = [&op] { return opFacts(op); };
        if (std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op))
            onednn::visitPool(m_context, op, facts, nullptr, visitWrapped);
        else if (const auto* gemm = std::get_if<Gemm>(&op))
            onednn::visitGemm(m_context, *gemm, visitWrapped);
        else if (onednn::isTrainingBatchNorm(op))
            onednn::visitBatchNorm(m_context, op, visitWrapped);
        else if (onednn::isLayerNorm(op))
            onednn::visitLayerNorm(m_context, op, visitWrapped);
        else if (onednn::hasOwnLoop(op))
            visit({onednn::kOwnLoop, onednn::ownLoopName(), {}, {}, [this, &op] {
                       return onPlainMemory(op, onednn::makeOwnLoop(m_context, op));
                   }}); // NaN stays NaN; what optimisers and dropout are given may be any bits
        else
            onednn::visitLayer(m_context, op, {}, facts, visitWrapped);
    }

  private:
    Candidates candidatesOf(const OpChain& chain, std::span<const int> src, std::span<const int> dst) const {
        return [this, &chain, src, dst](const CandidateVisitor& visit) {
            onednn::visitChain(m_context, chain, src, dst, numbered(visit));
        };
    }

    Result<std::unique_ptr<PreparedOp>> onPlainMemory(const Op& op,
                                                      Result<std::unique_ptr<PreparedOp>> made) const {
        if (!made || onednn::minds(op))
            return made;
        return onednn::onPlainMemory(m_context.layouts, std::move(*made));
    }

    Result<std::unique_ptr<PreparedOp>> wrapped(const Op& op,
                                                Result<std::unique_ptr<PreparedOp>> made) const {
        if (!made)
            return made;
        const char* const loss = onednn::lossOfNan(op, (*made)->implementation());
        return checked(onPlainMemory(op, std::move(made)), opName(op), loss);
    }

    /// `loss`: what the operation does to NaN, if anything. In a network one such operation is enough for
    /// all to look at what they are given.
    Result<std::unique_ptr<PreparedOp>> checked(Result<std::unique_ptr<PreparedOp>> made,
                                                const std::string& name, const char* loss) const {
        if (!made || (loss == nullptr && !m_context.layouts.keeps()))
            return made;
        if (loss != nullptr)
            m_context.finite.require(loss);
        return onednn::withFiniteOperands(m_context.finite, name, std::move(*made));
    }

    static std::int64_t elementsOf(const DeviceBuffer& buffer, std::size_t bytes) {
        return static_cast<std::int64_t>(std::min(bytes, buffer.bytes()) / sizeof(float));
    }

    /// Where the buffer begins.
    const float* noteWritten(DeviceBuffer& buffer, std::size_t bytes) {
        const auto* const begin = static_cast<const float*>(buffer.hostPointer());
        m_context.layouts.wrote(begin, elementsOf(buffer, bytes));
        return begin;
    }

    Status layPlainly(DeviceBuffer& buffer) {
        try {
            m_context.layouts.makePlain(static_cast<const float*>(buffer.hostPointer()),
                                        static_cast<std::int64_t>(buffer.bytes() / sizeof(float)));
        } catch (const dnnl::error& error) {
            return onednn::failure("layout", error);
        }
        return {};
    }

    mutable onednn::Context m_context; ///< oneDNN's engine is asked, never changed, by the const functions
};

std::string versionText() {
    const dnnl_version_t* version = dnnl_version();
    return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
}

class OnednnBackend final : public Backend {
  public:
    std::string_view id() const override { return "onednn"; }
    std::string_view deviceId() const override { return "cpu"; }

    ImplementationInfo describe() const override {
        return {
            "onednn",
            versionText(),
            {},
            {"threads", "impl"},
            "oneDNN on plain NCHW, as frameworks use it, and within networks in the order that it is "
            "fastest with; where its ReLU or max pooling would hide NaN, operands that are not finite are "
            "refused."};
    }

    Result<std::unique_ptr<Session>> open(const Target& target) override {
        if (const Status status = checkOptionNames(target, describe().options); !status)
            return status.error();
        const auto threads = threadOption(target);
        if (!threads)
            return threads.error();
        auto asked = implementationOption(target);
        if (!asked)
            return asked.error();
        try {
            return std::unique_ptr<Session>(std::make_unique<OnednnSession>(*threads, std::move(*asked)));
        } catch (const dnnl::error& error) {
            return Error{ErrorCode::TargetUnavailable,
                         "oneDNN: " + std::string(error.what()),
                         "target '" + target.text() + "'",
                         {},
                         {}};
        }
    }
};

} // namespace

std::unique_ptr<Backend> makeOnednnBackend() {
    return std::make_unique<OnednnBackend>();
}

} // namespace heteroscope::compute
