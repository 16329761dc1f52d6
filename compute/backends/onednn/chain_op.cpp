// SPDX-License-Identifier: Apache-2.0
// Operations of networks that the library computes as one: a primitive with an activation behind it, and the
// gradients of a max pooling with that of the activation whose results it pools.
#include "compute/backends/onednn/onednn_ops.h"

#include <algorithm>
#include <string>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

bool equal(const std::vector<int>& expected, std::span<const int> found) {
    return std::equal(expected.begin(), expected.end(), found.begin(), found.end());
}

/// The activation behind the first operation.
const ActivationForward* activationOf(const OpChain& chain) {
    const Op& first = chain.front().op;
    const bool takes =
        std::holds_alternative<ConvForward>(first) || std::holds_alternative<DenseForward>(first);
    const auto* activation =
        chain.size() == 2 && takes ? std::get_if<ActivationForward>(&chain[1].op) : nullptr;
    return activation != nullptr && chain[1].src == chain[0].dst ? activation : nullptr;
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
    return same ? std::get_if<ActivationBackward>(&next.op) : nullptr;
}

std::string nameOf(const OpChain& chain) {
    if (const ActivationForward* activation = activationOf(chain))
        return std::string("+") + activationName(activation->kind);
    if (const ActivationBackward* derivative = derivativeOf(chain))
        return std::string("+") + activationName(derivative->kind);
    return {};
}

} // namespace

Support supportsChain(Context& context, const OpChain& chain, std::span<const int> results) {
    const std::string name = nameOf(chain);
    if (name.empty() || !equal(chain.back().dst, results))
        return Support::no("the library does not compute these operations as one");
    if (const auto* pool = std::get_if<PoolBackward>(&chain.front().op)) {
        Support support = supportsPool(context, pool->params, pool->src, true);
        support.implementation += name;
        return support;
    }
    return supportsLayer(context, chain.front().op, activationOf(chain));
}

Result<std::unique_ptr<PreparedOp>> prepareChain(Context& context, const OpChain& chain,
                                                 std::span<const int> src, std::span<const int> dst) {
    const Support support = supportsChain(context, chain, dst);
    const LinkedOp& first = chain.front();
    if (!support.supported || !equal(first.src, src))
        return Error{ErrorCode::TargetUnavailable, support.reason, "onednn " + opName(first.op), {}, {}};
    OpFacts facts = chainFacts(chain, nameOf(chain), src, dst);
    if (const ActivationBackward* derivative = derivativeOf(chain))
        return preparePool(context, first.op, std::move(facts), derivative);
    return prepareLayer(context, first.op, std::move(facts), activationOf(chain));
}

} // namespace heteroscope::compute::onednn
