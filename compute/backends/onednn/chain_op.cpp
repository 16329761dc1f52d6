// SPDX-License-Identifier: Apache-2.0
// Operations of networks that the library computes as one: a primitive with what follows it, and the
// gradients of a max pooling with that of the activation whose results it pools.
#include "compute/backends/onednn/eltwise.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

bool equal(const std::vector<int>& expected, std::span<const int> found) {
    return std::equal(expected.begin(), expected.end(), found.begin(), found.end());
}

/// What follows a convolution or fully connected layer, as far as one primitive computes it.
class Follower {
  public:
    /// `src`: the inputs of the whole chain.
    Follower(const OpChain& chain, std::span<const int> src) : m_chain(chain), m_src(src) {}

    std::optional<PostOps> postOps() {
        const LinkedOp& first = m_chain.front();
        const bool conv = std::holds_alternative<ConvForward>(first.op);
        if (!conv && !std::holds_alternative<DenseForward>(first.op))
            return {};
        if (m_src.size() < first.src.size() || !std::equal(first.src.begin(), first.src.end(), m_src.begin()))
            return {};
        for (std::size_t i = 1; i < m_chain.size(); ++i)
            if (m_postOps.activation != nullptr || !add(m_chain[i], m_chain[i - 1].dst.front(), conv))
                return {};
        return m_postOps;
    }

  private:
    bool add(const LinkedOp& next, int result, bool conv) {
        if (const auto* activation = std::get_if<ActivationForward>(&next.op)) {
            m_postOps.activation = activation;
            return isEltwise(activation->kind) && next.src.front() == result;
        }
        const auto* norm = std::get_if<BatchNormInfer>(&next.op);
        if (!conv || m_postOps.norm != nullptr || norm == nullptr || next.src.front() != result)
            return false;
        m_postOps.norm = norm;
        for (std::size_t i = 0; i < m_postOps.channels.size(); ++i) {
            const auto found = place(next.src[i + 1]);
            if (!found)
                return false;
            m_postOps.channels[i] = *found;
        }
        return true;
    }

    /// Among the inputs of the chain; nothing for what the chain itself wrote.
    std::optional<std::size_t> place(int number) const {
        const auto at = std::find(m_src.begin(), m_src.end(), number);
        if (at == m_src.end())
            return {};
        return static_cast<std::size_t>(at - m_src.begin());
    }

    const OpChain& m_chain;
    std::span<const int> m_src;
    PostOps m_postOps;
};

/// What a chain reads and does not write itself, in the order of its operations.
std::vector<int> inputsOf(const OpChain& chain) {
    std::vector<int> inputs, written;
    for (const LinkedOp& one : chain) {
        for (const int number : one.src)
            if (std::find(written.begin(), written.end(), number) == written.end() &&
                std::find(inputs.begin(), inputs.end(), number) == inputs.end())
                inputs.push_back(number);
        written.insert(written.end(), one.dst.begin(), one.dst.end());
    }
    return inputs;
}

/// The derivative of the activation whose very results were pooled.
const ActivationBackward* derivativeOf(const OpChain& chain) {
    const auto* pool = std::get_if<PoolBackward>(&chain.front().op);
    if (chain.size() != 2 || pool == nullptr || pool->params.mode != PoolMode::Max)
        return nullptr;
    const LinkedOp& first = chain[0];
    const LinkedOp& next = chain[1];
    const bool same = first.src.size() == 3 && next.src.size() == 2 && next.src[0] == first.src[0] &&
                      next.src[1] == first.dst[0];
    const auto* derivative = std::get_if<ActivationBackward>(&next.op);
    const bool known =
        derivative != nullptr && isEltwise(derivative->kind) && !derivativeReadsInput(derivative->kind);
    return same && known ? derivative : nullptr;
}

} // namespace

std::vector<int> chainInputs(const OpChain& chain) {
    return derivativeOf(chain) != nullptr ? chain.front().src : inputsOf(chain);
}

void visitChain(Context& context, const Problem& problem, const RecordVisitor& visit) {
    const auto& [chain, src, dst] = problem.step;
    const LinkedOp& first = chain.front();
    const ActivationBackward* const derivative = derivativeOf(chain);
    const auto postOps = Follower(chain, src).postOps();
    const bool known = derivative != nullptr ? equal(first.src, src) : postOps.has_value();
    if (!equal(chain.back().dst, dst) || !known) {
        visit(refused("the library does not compute these operations as one"));
        return;
    }
    const std::string followed =
        derivative != nullptr ? std::string("+") + activationName(derivative->kind) : postOps->name();
    const Facts facts = [&step = problem.step, followed] {
        return chainFacts(step.chain, followed, step.src, step.dst);
    };
    if (derivative != nullptr)
        visitPool(context, problem, facts, derivative, visit);
    else
        visitLayer(context, problem.policy, first.op, *postOps, facts, visit);
}

} // namespace heteroscope::compute::onednn
