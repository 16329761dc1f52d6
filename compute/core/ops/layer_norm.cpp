// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/layer_norm.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {

OpFacts opFacts(const LayerNormForward& op) {
    const std::optional<std::int64_t> all = tensorElements(op.src), c = op.src.c;
    const std::optional<std::int64_t> pixels = tensorElements({op.src.n, 1, op.src.h, op.src.w});
    // A sum; a difference, its square and their sum; the normalised value, scale and shift.
    return plainFacts("layernorm.forward", shapeText(op.src), {all, c, c}, {all, pixels, pixels},
                      7.0 * countOf(op.src));
}

OpFacts opFacts(const LayerNormBackward& op) {
    const std::optional<std::int64_t> all = tensorElements(op.src), c = op.src.c;
    const std::optional<std::int64_t> pixels = tensorElements({op.src.n, 1, op.src.h, op.src.w});
    // The normalised input (2), gradient times gamma (1), two sums over channels (3), two over pixels (3),
    // and the gradient from them (4).
    return plainFacts("layernorm.backward", shapeText(op.src), {all, all, c, pixels, pixels}, {all, c, c},
                      13.0 * countOf(op.src));
}

} // namespace heteroscope::compute
