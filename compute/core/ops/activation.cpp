// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/activation.h"

#include "compute/core/ops/window_extent.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace heteroscope::compute {
namespace {

std::string detail(ActivationKind kind, std::int64_t elements, double slope) {
    std::string text = std::to_string(elements);
    if (kind == ActivationKind::LeakyRelu) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, " slope %g", slope);
        text += buffer;
    }
    return text;
}

bool slopeFits(ActivationKind kind, double slope) {
    return kind != ActivationKind::LeakyRelu || slope > 0.0;
}

Error badSlope(double slope) {
    return badInput("slope", "found " + std::to_string(slope), "above 0");
}

} // namespace

const ActivationTraits* findActivation(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(kActivations), std::end(kActivations),
                     [&](const ActivationTraits& traits) { return traits.name == name; });
    return found == std::end(kActivations) ? nullptr : found;
}

OpFacts opFacts(const ActivationForward& op) {
    const std::string name = std::string(activationName(op.kind)) + ".forward";
    const std::string text = detail(op.kind, op.elements, op.slope);
    if (!slopeFits(op.kind, op.slope))
        return impossible(name, text, badSlope(op.slope));
    return plainFacts(name, text, {op.elements}, {op.elements},
                      activationTraits(op.kind).forwardFlops * static_cast<double>(op.elements));
}

OpFacts opFacts(const ActivationBackward& op) {
    const std::string name = std::string(activationName(op.kind)) + ".backward";
    const std::string text = detail(op.kind, op.elements, op.slope);
    if (!slopeFits(op.kind, op.slope))
        return impossible(name, text, badSlope(op.slope));
    return plainFacts(name, text, {op.elements, op.elements}, {op.elements},
                      activationTraits(op.kind).backwardFlops * static_cast<double>(op.elements));
}

OpFacts opFacts(const SoftmaxForward& op) { // maximum, subtraction, exponential, sum, division
    return plainFacts("softmax.forward", shapeText(op.src), {tensorElements(op.src)},
                      {tensorElements(op.src)}, 5.0 * countOf(op.src));
}

OpFacts opFacts(const SoftmaxBackward& op) { // a multiply-add for the sum, a subtraction, a product
    return plainFacts("softmax.backward", shapeText(op.src), {tensorElements(op.src), tensorElements(op.src)},
                      {tensorElements(op.src)}, 4.0 * countOf(op.src));
}

} // namespace heteroscope::compute
