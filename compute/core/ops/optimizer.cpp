// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/optimizer.h"

namespace heteroscope::compute {

OpFacts opFacts(const Sgd& op) {
    const std::optional<std::int64_t> all = op.elements;
    const double decay = op.weightDecay != 0 ? 2 : 0;
    const auto count = static_cast<double>(op.elements);
    const std::string detail = std::to_string(op.elements);
    if (op.momentum == 0)
        return plainFacts("sgd", detail, {all, all, kHyperElements}, {all}, (2 + decay) * count);
    return plainFacts("sgd", detail + (op.nesterov ? " nesterov" : " momentum"),
                      {all, all, kHyperElements, all}, {all, all},
                      (op.nesterov ? 6 + decay : 4 + decay) * count);
}

OpFacts opFacts(const Adam& op) { // two moments (3 and 4), two corrections, root, sum, division, step (2)
    const std::optional<std::int64_t> all = op.elements;
    return plainFacts("adam", std::to_string(op.elements), {all, all, kHyperElements, all, all},
                      {all, all, all},
                      (14 + (op.weightDecay != 0 ? 2 : 0)) * static_cast<double>(op.elements));
}

} // namespace heteroscope::compute
