// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/network/relu_chain.h"

#include <algorithm>
#include <variant>

namespace heteroscope::compute::nvidia {

std::string reluChainRefusal(const OpChain& chain, std::span<const int> results) {
    const auto* relu = chain.size() == 2 ? std::get_if<ActivationForward>(&chain[1].op) : nullptr;
    if (relu == nullptr || relu->kind != ActivationKind::Relu)
        return "it computes only a ReLU after this operation as one with it";
    const int result = chain[1].dst.front();
    return std::all_of(results.begin(), results.end(), [&](int number) { return number == result; })
               ? std::string()
               : "a result in between is wanted";
}

std::vector<std::size_t> firstOperands(const OpChain& chain, std::span<const int> src) {
    std::vector<std::size_t> order;
    for (const int number : chain.front().src)
        order.push_back(static_cast<std::size_t>(std::find(src.begin(), src.end(), number) - src.begin()));
    return order;
}

} // namespace heteroscope::compute::nvidia
