// SPDX-License-Identifier: Apache-2.0
// Exponentials and hyperbolic tangents count as one operation: their cost differs with the machine.
#include "compute/core/ops/activation.h"

#include "compute/core/ops/window_extent.h"

#include <cstdio>

namespace heteroscope::compute {
namespace {

double flopsPerElement(ActivationKind kind, bool backward) {
    switch (kind) {
    case ActivationKind::Relu:
    case ActivationKind::Tanh:
        return backward && kind == ActivationKind::Tanh ? 3 : 1;
    case ActivationKind::Relu6:
    case ActivationKind::LeakyRelu:
        return 2;
    case ActivationKind::Sigmoid:
    case ActivationKind::HardSigmoid:
        return 3;
    case ActivationKind::HardSwish:
        return 4;
    case ActivationKind::Gelu:
        return backward ? 8 : 5;
    }
    return 0;
}

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

const char* activationName(ActivationKind kind) {
    switch (kind) {
    case ActivationKind::Relu:
        return "relu";
    case ActivationKind::Relu6:
        return "relu6";
    case ActivationKind::LeakyRelu:
        return "leaky_relu";
    case ActivationKind::Sigmoid:
        return "sigmoid";
    case ActivationKind::Tanh:
        return "tanh";
    case ActivationKind::Gelu:
        return "gelu";
    case ActivationKind::HardSwish:
        return "hard_swish";
    case ActivationKind::HardSigmoid:
        return "hard_sigmoid";
    }
    return "";
}

bool derivativeReadsInput(ActivationKind kind) {
    switch (kind) {
    case ActivationKind::Relu:
    case ActivationKind::Relu6:
    case ActivationKind::LeakyRelu:
    case ActivationKind::Sigmoid:
    case ActivationKind::Tanh:
        return false;
    case ActivationKind::Gelu:
    case ActivationKind::HardSwish:
    case ActivationKind::HardSigmoid:
        return true;
    }
    return false;
}

OpFacts opFacts(const ActivationForward& op) {
    const std::string name = std::string(activationName(op.kind)) + ".forward";
    const std::string text = detail(op.kind, op.elements, op.slope);
    if (!slopeFits(op.kind, op.slope))
        return impossible(name, text, badSlope(op.slope));
    return plainFacts(name, text, {op.elements}, {op.elements},
                      flopsPerElement(op.kind, false) * static_cast<double>(op.elements));
}

OpFacts opFacts(const ActivationBackward& op) {
    const std::string name = std::string(activationName(op.kind)) + ".backward";
    const std::string text = detail(op.kind, op.elements, op.slope);
    if (!slopeFits(op.kind, op.slope))
        return impossible(name, text, badSlope(op.slope));
    return plainFacts(name, text, {op.elements, op.elements}, {op.elements},
                      flopsPerElement(op.kind, true) * static_cast<double>(op.elements));
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
