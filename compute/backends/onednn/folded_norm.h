// SPDX-License-Identifier: Apache-2.0
// A convolution's weights and bias with the normalisation behind it taken in. With given statistics that is a
// factor and a summand for each filter: gamma / sqrt(variance + epsilon) and beta - mean times that.
#pragma once

#include "compute/backends/onednn/layer_ops.h"

#include <array>
#include <cstdint>
#include <span>

namespace heteroscope::compute::onednn {

class FoldedNorm {
  public:
    /// Throws dnnl::error. The context outlives it.
    FoldedNorm(Context& context, const Folding& folding);

    /// As the primitive wants them; they stay where they are.
    const dnnl::memory& weights() const { return m_weights; }
    const dnnl::memory& bias() const { return m_bias; }
    /// Makes them anew where what they are made of was written since. `src`: the inputs of the operation.
    void refresh(std::span<const float* const> src);

  private:
    std::array<std::uint64_t, 6> stamps(std::span<const float* const> src) const;
    /// The factors; the summands go to bias().
    std::vector<float> factors(std::span<const float* const> src) const;

    Context& m_context;
    Folding m_folding;
    dnnl::memory m_weights, m_bias;
    std::array<std::uint64_t, 6> m_made{}; ///< stamps then; 0: never, or not known
};

} // namespace heteroscope::compute::onednn
