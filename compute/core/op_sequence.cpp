// SPDX-License-Identifier: Apache-2.0
#include "compute/core/op_sequence.h"

#include "compute/core/backend.h"

namespace heteroscope::compute {
namespace {

class EachByItself final : public SequencePlan {
  public:
    EachByItself(Session& session, OpSequence given) : SequencePlan(std::move(given)), m_session(session) {
        for (std::size_t i = 0; i < sequence().steps.size(); ++i)
            m_ops.push_back({i, {}, sequence().steps[i].src, sequence().steps[i].dst});
    }

    std::vector<ImplementationRow> implementations(std::size_t op) const override {
        const SequenceStep& step = sequence().steps[op];
        return step.chain.size() == 1 ? m_session.implementations(step.chain.front().op)
                                      : m_session.chainImplementations(step.chain, step.src, step.dst);
    }
    std::string refusal(std::size_t op) const override {
        const SequenceStep& step = sequence().steps[op];
        return step.chain.size() == 1 ? m_session.supports(step.chain.front().op).reason
                                      : m_session.supportsChain(step.chain, step.dst).reason;
    }
    /// Of a chain what its operations would need, each computed by itself.
    std::size_t workspaceBytes(std::size_t op) const override {
        std::size_t bytes = 0;
        for (const LinkedOp& one : sequence().steps[op].chain)
            bytes += m_session.supports(one.op).supported ? m_session.workspaceBytes(one.op) : 0;
        return bytes;
    }
    Result<std::unique_ptr<PreparedOp>> prepare(std::size_t op) override {
        const SequenceStep& step = sequence().steps[op];
        return step.chain.size() == 1 ? m_session.prepare(step.chain.front().op)
                                      : m_session.prepareChain(step.chain, step.src, step.dst);
    }
    bool liesAsDocumented(int) const override { return true; }
    Result<std::unique_ptr<PreparedOp>> prepareRead(int) override { return std::unique_ptr<PreparedOp>(); }

  private:
    Session& m_session;
};

} // namespace

std::unique_ptr<SequencePlan> planEachByItself(Session& session, OpSequence sequence) {
    return std::make_unique<EachByItself>(session, std::move(sequence));
}

} // namespace heteroscope::compute
