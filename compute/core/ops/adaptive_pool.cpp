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

} // namespace

OpFacts opFacts(const AdaptivePoolForward& op) {
    return plainFacts("adaptive_avgpool.forward", detail(op.src, op.output), {tensorElements(op.src)},
                      {tensorElements(outputOf(op.src, op.output))}, countOf(op.src));
}

OpFacts opFacts(const AdaptivePoolBackward& op) {
    return plainFacts("adaptive_avgpool.backward", detail(op.src, op.output),
                      {tensorElements(outputOf(op.src, op.output))}, {tensorElements(op.src)},
                      countOf(op.src));
}

} // namespace heteroscope::compute
