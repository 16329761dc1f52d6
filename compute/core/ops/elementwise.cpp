// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/elementwise.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {

OpFacts opFacts(const Add& op) {
    return plainFacts("add", std::to_string(op.elements), {op.elements, op.elements}, {op.elements},
                      static_cast<double>(op.elements));
}

OpFacts opFacts(const CopyChannels& op) {
    const std::string detail = shapeText(op.src) + " " + std::to_string(op.channels) + " channels from " +
                               std::to_string(op.srcChannel) + " to " + std::to_string(op.dstChannel) +
                               " of " + std::to_string(op.dstChannels);
    const auto fits = [&op](std::int64_t first, std::int64_t all) {
        return first >= 0 && op.channels >= 1 && op.channels <= all && first <= all - op.channels;
    };
    if (!fits(op.srcChannel, op.src.c) || !fits(op.dstChannel, op.dstChannels))
        return impossible("channels.copy", detail,
                          badInput("channels", "the copied channels lie outside the tensors"));
    const Shape4 dst{op.src.n, op.dstChannels, op.src.h, op.src.w};
    OpFacts facts = plainFacts("channels.copy", detail, {tensorElements(op.src)}, {tensorElements(dst)}, 0);
    facts.bytes *= 2.0 * static_cast<double>(op.channels) / static_cast<double>(op.src.c + op.dstChannels);
    return facts;
}

OpFacts opFacts(const SumOfSquares& op) {
    return plainFacts("gradient norm", std::to_string(op.elements), {op.elements}, {1},
                      2.0 * static_cast<double>(op.elements));
}

} // namespace heteroscope::compute
