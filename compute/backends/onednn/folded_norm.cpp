// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/folded_norm.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute::onednn {

using dnnl::memory;

FoldedNorm::FoldedNorm(Context& context, const Folding& folding)
    : m_context(context),
      m_folding(folding),
      m_weights(folding.wanted, context.engine),
      m_bias({{folding.filters}, memory::data_type::f32, memory::format_tag::a}, context.engine) {}

std::array<std::uint64_t, 6> FoldedNorm::stamps(std::span<const float* const> src) const {
    const Layouts& layouts = m_context.layouts;
    const auto elements = static_cast<std::int64_t>(m_folding.plain.get_size() / sizeof(float));
    std::array<std::uint64_t, 6> found{};
    for (std::size_t i = 0; i < m_folding.channels.size(); ++i)
        found[i] = layouts.stamp(src[m_folding.channels[i]], m_folding.filters);
    found[4] = layouts.stamp(src[m_folding.weights], elements);
    found[5] = m_folding.bias ? layouts.stamp(src[*m_folding.bias], m_folding.filters) : found[4];
    return found;
}

std::vector<float> FoldedNorm::factors(std::span<const float* const> src) const {
    const auto [gamma, beta, mean, variance] = m_folding.channels;
    const float* before = m_folding.bias ? src[*m_folding.bias] : nullptr;
    auto* bias = static_cast<float*>(m_bias.get_data_handle());
    std::vector<float> factors(static_cast<std::size_t>(m_folding.filters));
    for (std::size_t f = 0; f < factors.size(); ++f) {
        const double factor = double{src[gamma][f]} / std::sqrt(double{src[variance][f]} + m_folding.epsilon);
        const double centred = (before == nullptr ? 0.0 : double{before[f]}) - double{src[mean][f]};
        factors[f] = static_cast<float>(factor);
        bias[f] = static_cast<float>(double{src[beta][f]} + centred * factor);
    }
    return factors;
}

void FoldedNorm::refresh(std::span<const float* const> src) {
    const std::array<std::uint64_t, 6> now = stamps(src);
    if (now == m_made && std::find(now.begin(), now.end(), 0U) == now.end())
        return;
    const std::vector<float> scale = factors(src);
    memory plain(m_folding.plain, m_context.engine);
    auto* to = static_cast<float*>(plain.get_data_handle());
    const float* from = src[m_folding.weights];
    const std::size_t each = m_folding.plain.get_size() / sizeof(float) / scale.size();
    for (const float factor : scale) {
        std::transform(from, from + each, to, [&](float weight) { return weight * factor; });
        from += each, to += each;
    }
    dnnl::reorder(plain, m_weights).execute(m_context.stream, plain, m_weights);
    m_made = now;
}

} // namespace heteroscope::compute::onednn
