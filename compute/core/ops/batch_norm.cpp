// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/batch_norm.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {
namespace {} // namespace

OpFacts opFacts(const BatchNormTrain& op) {
    const auto all = tensorElements(op.src);
    if (all && op.src.c > 0 && *all / op.src.c < 2)
        return impossible("batchnorm.forward", shapeText(op.src),
                          badInput("input", "one value a channel has no variance", "two or more",
                                   "train with a larger batch"));
    const std::optional<std::int64_t> c = op.src.c;
    // A sum; a difference, its square and their sum; scale and shift.
    return plainFacts("batchnorm.forward", shapeText(op.src), {all, c, c, c, c}, {all, c, c, c, c},
                      6.0 * countOf(op.src));
}

OpFacts opFacts(const BatchNormInfer& op) {
    const std::optional<std::int64_t> c = op.src.c;
    return plainFacts("batchnorm.infer", shapeText(op.src), {tensorElements(op.src), c, c, c, c},
                      {tensorElements(op.src)}, 2.0 * countOf(op.src));
}

OpFacts opFacts(const BatchNormBackward& op) {
    const std::optional<std::int64_t> c = op.src.c, all = tensorElements(op.src);
    // The normalised input (2), two sums (3), and the gradient from them (5).
    return plainFacts("batchnorm.backward", shapeText(op.src), {all, all, c, c, c}, {all, c, c},
                      10.0 * countOf(op.src));
}

} // namespace heteroscope::compute
