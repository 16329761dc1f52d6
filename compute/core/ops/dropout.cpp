// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/dropout.h"

#include <cstdio>

namespace heteroscope::compute {

OpFacts opFacts(const Dropout& op) {
    const char* name = op.backward ? "dropout.backward" : "dropout.forward";
    char text[64];
    std::snprintf(text, sizeof text, "%lld rate %g", static_cast<long long>(op.elements), op.rate);
    if (!(op.rate >= 0.0) || op.rate >= 1.0)
        return impossible(name, text, badInput("rate", "found " + std::to_string(op.rate), "0 <= rate < 1"));
    return plainFacts(name, text, {op.elements, 1}, {op.elements}, static_cast<double>(op.elements));
}

} // namespace heteroscope::compute
