// SPDX-License-Identifier: Apache-2.0
#include "compute/core/linked_op.h"

#include <utility>

namespace heteroscope::compute {
namespace {

/// Elements of a chain's memory; 0 where no operation has it as an operand.
std::int64_t operandElements(const OpChain& chain, int number) {
    for (const LinkedOp& one : chain) {
        const auto all = operandElements(one.op);
        for (std::size_t i = 0; all && i < one.src.size(); ++i)
            if (one.src[i] == number)
                return i < all->src.size() ? all->src[i] : all->optionalSrc[i - all->src.size()];
        for (std::size_t i = 0; all && i < one.dst.size(); ++i)
            if (one.dst[i] == number)
                return all->dst[i];
    }
    return 0;
}

} // namespace

OpFacts chainFacts(const OpChain& chain, const std::string& postOps, std::span<const int> src,
                   std::span<const int> dst) {
    OpFacts facts = opFacts(chain.front().op);
    OperandSizes sizes;
    for (const int number : src)
        sizes.src.push_back(operandElements(chain, number));
    for (const int number : dst)
        sizes.dst.push_back(operandElements(chain, number));
    facts.bytes = operandBytes(sizes);
    facts.flops = 0;
    for (const LinkedOp& one : chain)
        facts.flops += opFlops(one.op);
    facts.detail += " " + postOps;
    facts.sizes = std::move(sizes);
    return facts;
}

} // namespace heteroscope::compute
