// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/adaptive_pool.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {
namespace {

std::string detail(const Shape4& src, const Extent2d& output) {
    return shapeText(src) + " to " + extentText(output);
}

Shape4 outputOf(const Shape4& src, const Extent2d& output) {
    return {src.n, src.c, output.h, output.w};
}

double elementsOf(const Shape4& shape) {
    return static_cast<double>(shape.elements().value_or(0));
}

} // namespace

OpFacts opFacts(const AdaptivePoolForward& op) {
    return plainFacts("adaptive_avgpool.forward", detail(op.src, op.output), {op.src.elements()},
                      {outputOf(op.src, op.output).elements()}, elementsOf(op.src));
}

OpFacts opFacts(const AdaptivePoolBackward& op) {
    return plainFacts("adaptive_avgpool.backward", detail(op.src, op.output),
                      {outputOf(op.src, op.output).elements()}, {op.src.elements()}, elementsOf(op.src));
}

} // namespace heteroscope::compute
