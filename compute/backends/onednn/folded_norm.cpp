// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/folded_norm.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

OpFacts factsOf(const Folding& folding, const std::string& name) {
    const std::int64_t filters = folding.filters;
    std::vector<std::optional<std::int64_t>> src{floatsOf(folding.plain), filters, filters, filters, filters};
    if (folding.bias)
        src.emplace_back(filters);
    OpFacts facts = plainFacts("reorder " + name, std::to_string(filters) + " filters", std::move(src),
                               {floatsOf(folding.wanted), filters}, 0);
    facts.isReorder = true;
    return facts;
}

class FoldedNorm final : public HostOp {
  public:
    FoldedNorm(Context& context, const Folding& folding, const std::string& name)
        : HostOp(factsOf(folding, name), foldedImplementation(folding)),
          m_context(context),
          m_folding(folding),
          m_name("reorder " + name),
          m_scaled(folding.plain, context.engine),
          m_weights(folding.wanted, context.engine, nullptr),
          m_reorder(m_scaled, m_weights) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_context.threads);
            scaleWeights(operands.src[0], factors(operands));
            m_weights.set_data_handle(operands.dst[0]);
            m_reorder.execute(m_context.stream, m_scaled, m_weights);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

  private:
    /// The factors; the summands go to the bias.
    std::vector<float> factors(const HostOperands& operands) const {
        const auto [gamma, beta, mean, variance] =
            std::array{operands.src[1], operands.src[2], operands.src[3], operands.src[4]};
        const float* const before = m_folding.bias ? operands.src[5] : nullptr;
        std::vector<float> factors(static_cast<std::size_t>(m_folding.filters));
        for (std::size_t f = 0; f < factors.size(); ++f) {
            const double factor = double{gamma[f]} / std::sqrt(double{variance[f]} + m_folding.epsilon);
            const double centred = (before == nullptr ? 0.0 : double{before[f]}) - double{mean[f]};
            factors[f] = static_cast<float>(factor);
            operands.dst[1][f] = static_cast<float>(double{beta[f]} + centred * factor);
        }
        return factors;
    }

    void scaleWeights(const float* from, const std::vector<float>& factors) {
        auto* to = static_cast<float*>(m_scaled.get_data_handle());
        const std::size_t each = m_folding.plain.get_size() / sizeof(float) / factors.size();
        for (const float factor : factors) {
            std::transform(from, from + each, to, [&](float weight) { return weight * factor; });
            from += each, to += each;
        }
    }

    Context& m_context;
    Folding m_folding;
    std::string m_name;
    memory m_scaled, m_weights;
    dnnl::reorder m_reorder;
};

} // namespace

Reordering reorderingOf(const Folding& folding) {
    return {folding.plain, folding.wanted, folding.letters};
}

std::string foldedImplementation(const Folding& folding) {
    return "onednn:batchnorm+reorder " + reorderingOf(folding).layouts();
}

std::size_t foldedWorkspaceBytes(const Folding& folding) {
    return folding.plain.get_size();
}

std::vector<int> foldedOperands(const Folding& folding, const std::vector<int>& src) {
    std::vector<int> operands{src[folding.weights]};
    for (const std::size_t channel : folding.channels)
        operands.push_back(src[channel]);
    if (folding.bias)
        operands.push_back(src[*folding.bias]);
    return operands;
}

std::unique_ptr<PreparedOp> makeFoldedNorm(Context& context, const Folding& folding,
                                           const std::string& name) {
    return std::make_unique<FoldedNorm>(context, folding, name);
}

} // namespace heteroscope::compute::onednn
