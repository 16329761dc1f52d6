// SPDX-License-Identifier: Apache-2.0
// The oneDNN implementation's options and op table.
#include "compute/backends/onednn/onednn_backend.h"

#include "compute/backends/onednn/sequence_plan.h"
#include "compute/core/target_options.h"
#include "compute/core/team.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace heteroscope::compute {
namespace {

/// An operation on plain memory whose operands the primitive wants in other layouts: it, and the reorders
/// around it.
class ReorderingOp final : public PreparedOp {
  public:
    static Result<std::unique_ptr<PreparedOp>> make(std::unique_ptr<SequencePlan> plan) {
        auto made = std::unique_ptr<ReorderingOp>(new ReorderingOp(std::move(plan)));
        for (const std::size_t bytes : made->m_plan->addedBytes()) {
            auto memory = allocateHostBuffer(bytes);
            if (!memory)
                return memory.error();
            made->m_added.push_back(std::move(*memory));
        }
        for (std::size_t i = 0; i < made->m_plan->ops().size(); ++i) {
            auto prepared = made->m_plan->prepare(i);
            if (!prepared)
                return prepared.error();
            if (made->m_plan->ops()[i].reorder.empty())
                made->m_implementation = (*prepared)->implementation() + kReorders;
            made->m_prepared.push_back(std::move(*prepared));
        }
        return std::unique_ptr<PreparedOp>(std::move(made));
    }

    static constexpr const char* kReorders = "+reorder"; ///< at the end of its name

    const std::string& implementation() const override { return m_implementation; }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override {
        std::vector<DeviceBuffer*> memory(src.begin(), src.end());
        memory.insert(memory.end(), dst.begin(), dst.end());
        for (const auto& added : m_added)
            memory.push_back(added.get());
        if (memory.size() != m_plan->sequence().memory.size() + m_added.size())
            return Error{ErrorCode::RunFailed, "it has another number of operands", m_implementation, {}, {}};
        for (std::size_t i = 0; i < m_prepared.size(); ++i)
            if (const Status status = runOne(i, memory, observer); !status)
                return status;
        return {};
    }

  private:
    explicit ReorderingOp(std::unique_ptr<SequencePlan> plan) : m_plan(std::move(plan)) {}

    Status runOne(std::size_t i, const std::vector<DeviceBuffer*>& memory, OpObserver* observer) {
        const PlannedOp& op = m_plan->ops()[i];
        std::vector<DeviceBuffer*> src, dst;
        for (const int number : op.src)
            src.push_back(memory[static_cast<std::size_t>(number)]);
        for (const int number : op.dst)
            dst.push_back(memory[static_cast<std::size_t>(number)]);
        return m_prepared[i]->run(src, dst, observer);
    }

    std::unique_ptr<SequencePlan> m_plan;
    std::vector<std::unique_ptr<DeviceBuffer>> m_added;
    std::vector<std::unique_ptr<PreparedOp>> m_prepared;
    std::string m_implementation;
};

/// What oneDNN itself takes for a single operation beside its scratch memory (2.6, AVX-512: 2 to 4 MiB more
/// than `openmp` for poolings and products).
constexpr std::size_t kLibraryBytesOfOne = std::size_t{3} << 20;

/// The operation alone on memory of others.
OpSequence sequenceOfOne(const Op& op) {
    const auto sizes = operandElements(op);
    OpSequence sequence;
    SequenceStep step;
    if (!sizes)
        return sequence;
    for (const auto* side : {&sizes->src, &sizes->dst})
        for (const std::int64_t elements : *side) {
            const int number = static_cast<int>(sequence.memory.size());
            sequence.memory.push_back({"operand" + std::to_string(number), elements, MemoryUse::Shared});
            (side == &sizes->src ? step.src : step.dst).push_back(number);
        }
    step.chain = {{op, step.src, step.dst}};
    sequence.steps.push_back(std::move(step));
    return sequence;
}

class OnednnSession final : public HostSession {
  public:
    OnednnSession(int threads, std::vector<std::string> asked)
        : HostSession("onednn", threads, std::move(asked)) {
        m_context.threads = threads;
    }

    Support supportsChain(const OpChain& chain, std::span<const int> results) const override {
        const SequenceStep step{chain, onednn::chainInputs(chain), {results.begin(), results.end()}};
        onednn::Record chosen = onednn::chooseRecord(m_context, {step, {}}, askedImplementations());
        return chosen.candidate.prepare ? Support::yes(std::move(chosen.candidate.implementation))
                                        : Support::no(std::move(chosen.candidate.refusal));
    }

    std::unique_ptr<SequencePlan> planSequence(OpSequence sequence) override {
        const onednn::LayoutPolicy policy = onednn::policyOf(sequence);
        const auto asked = askedImplementations();
        return std::make_unique<onednn::LayoutSequence>(m_context, std::move(sequence), policy,
                                                        std::vector<std::string>(asked.begin(), asked.end()));
    }

    std::size_t workspaceBytes(const Op& op) const override {
        return HostSession::workspaceBytes(op) + kLibraryBytesOfOne;
    }

    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override {
        auto buffer = HostSession::allocate(bytes);
        if (buffer)
            m_context.finite.computed(beginOf(**buffer), elementsOf(**buffer, bytes));
        return buffer;
    }

    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override {
        m_context.finite.uploaded(beginOf(dst), elementsOf(dst, bytes));
        return HostSession::upload(dst, src, bytes, observer);
    }

  protected:
    void wakeThreads() override {
        runTeam(m_context.threads, nullptr, [](Member) {});
    }
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const auto alone = std::make_shared<const OpSequence>(sequenceOfOne(op));
        if (alone->steps.empty())
            return;
        onednn::visitRecords(m_context, {alone->steps.front(), {}}, [&](onednn::Record record) {
            return visit(onPlainMemory(op, alone, std::move(record)));
        });
    }

  private:
    /// `alone`: what the record was asked about.
    Candidate onPlainMemory(const Op& op, const std::shared_ptr<const OpSequence>& alone,
                            onednn::Record record) const {
        Candidate candidate = std::move(record.candidate);
        if (!candidate.prepare)
            return candidate;
        if (!onednn::isReordered(record.layouts)) {
            const char* const loss = onednn::lossOfNan(op, candidate.implementation);
            candidate.prepare = [this, alone, loss, make = std::move(candidate.prepare)] {
                auto made = make();
                return loss == nullptr ? std::move(made)
                                       : onednn::checkedOp(m_context.finite,
                                                           opName(alone->steps.front().chain.front().op),
                                                           loss, std::move(made));
            };
            return candidate;
        }
        candidate.implementation += ReorderingOp::kReorders;
        candidate.workspaceBytes = [inner = candidate.workspaceBytes,
                                    bytes = onednn::reorderedBytes(record.layouts)] {
            return bytes + (inner ? inner() : 0);
        };
        candidate.prepare = [this, alone, name = candidate.name] {
            return ReorderingOp::make(std::make_unique<onednn::LayoutSequence>(
                m_context, *alone, onednn::LayoutPolicy(), std::vector<std::string>{name}));
        };
        return candidate;
    }

    static const float* beginOf(DeviceBuffer& buffer) {
        return static_cast<const float*>(buffer.hostPointer());
    }

    static std::int64_t elementsOf(const DeviceBuffer& buffer, std::size_t bytes) {
        return static_cast<std::int64_t>(std::min(bytes, buffer.bytes()) / sizeof(float));
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
