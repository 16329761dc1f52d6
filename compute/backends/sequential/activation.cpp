// SPDX-License-Identifier: Apache-2.0
// Activations and softmax as their definitions say.
#include "compute/backends/sequential/sequential_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heteroscope::compute::sequential {

namespace {

/// Between 0 and `most`; NaN of NaN.
double clamped(double x, double most) {
    return x < 0.0 ? 0.0 : x > most ? most : x;
}

/// The share of a normal distribution that lies below x.
double normalDistribution(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

float activate(const ActivationForward& op, float x) {
    const auto value = static_cast<double>(x);
    switch (op.kind) {
    case ActivationKind::Relu:
        return x < 0.0F ? 0.0F : x;
    case ActivationKind::Relu6:
        return x < 0.0F ? 0.0F : x > 6.0F ? 6.0F : x;
    case ActivationKind::LeakyRelu:
        return x < 0.0F ? static_cast<float>(op.slope * value) : x;
    case ActivationKind::Sigmoid:
        return static_cast<float>(1.0 / (1.0 + std::exp(-value)));
    case ActivationKind::Tanh:
        return static_cast<float>(std::tanh(value));
    case ActivationKind::Gelu:
        return static_cast<float>(value * normalDistribution(value));
    case ActivationKind::HardSwish:
        return static_cast<float>(value * clamped(value + 3.0, 6.0) / 6.0);
    case ActivationKind::HardSigmoid:
        return static_cast<float>(clamped(value / 6.0 + 0.5, 1.0));
    }
    return x;
}

/// `y`: the forward's result, or its input where derivativeReadsInput().
double derivative(const ActivationBackward& op, double y) {
    switch (op.kind) {
    case ActivationKind::Relu:
        return y > 0.0 ? 1.0 : 0.0;
    case ActivationKind::Relu6:
        return y > 0.0 && y < 6.0 ? 1.0 : 0.0;
    case ActivationKind::LeakyRelu:
        return y > 0.0 ? 1.0 : op.slope;
    case ActivationKind::Sigmoid:
        return y * (1.0 - y);
    case ActivationKind::Tanh:
        return 1.0 - y * y;
    case ActivationKind::Gelu:
        return normalDistribution(y) + y * std::exp(-y * y / 2.0) / std::sqrt(2.0 * std::numbers::pi);
    case ActivationKind::HardSwish:
        return y <= -3.0 ? 0.0 : y >= 3.0 ? 1.0 : y / 3.0 + 0.5;
    case ActivationKind::HardSigmoid:
        return y > -3.0 && y < 3.0 ? 1.0 / 6.0 : 0.0;
    }
    return 0.0;
}

/// Calls f(offset of channel 0) for every n, h, w; channels lie h * w apart.
template <class Function>
void forEachPixel(const Shape4& shape, Function f) {
    const std::int64_t plane = shape.h * shape.w;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t i = 0; i < plane; ++i)
            f(n * shape.c * plane + i);
}

void softmaxAt(const Shape4& shape, const float* src, float* dst, std::int64_t first) {
    const std::int64_t plane = shape.h * shape.w;
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (std::int64_t c = 0; c < shape.c; ++c)
        maximum = std::max(maximum, static_cast<double>(src[first + c * plane]));
    for (std::int64_t c = 0; c < shape.c; ++c)
        sum += std::exp(static_cast<double>(src[first + c * plane]) - maximum);
    for (std::int64_t c = 0; c < shape.c; ++c) {
        const double value = static_cast<double>(src[first + c * plane]);
        dst[first + c * plane] = static_cast<float>(std::exp(value - maximum) / sum);
    }
}

void softmaxGradientAt(const Shape4& shape, const float* y, const float* dstGrad, float* srcGrad,
                       std::int64_t first) {
    const std::int64_t plane = shape.h * shape.w;
    double sum = 0.0;
    for (std::int64_t c = 0; c < shape.c; ++c)
        sum += static_cast<double>(dstGrad[first + c * plane]) * static_cast<double>(y[first + c * plane]);
    for (std::int64_t c = 0; c < shape.c; ++c) {
        const std::int64_t i = first + c * plane;
        srcGrad[i] = static_cast<float>(static_cast<double>(y[i]) * (static_cast<double>(dstGrad[i]) - sum));
    }
}

} // namespace

void compute(const ActivationForward& op, const HostOperands& operands) {
    for (std::int64_t i = 0; i < op.elements; ++i)
        operands.dst[0][i] = activate(op, operands.src[0][i]);
}

void compute(const ActivationBackward& op, const HostOperands& operands) {
    for (std::int64_t i = 0; i < op.elements; ++i)
        operands.dst[0][i] = static_cast<float>(derivative(op, static_cast<double>(operands.src[0][i])) *
                                                static_cast<double>(operands.src[1][i]));
}

void compute(const SoftmaxForward& op, const HostOperands& operands) {
    forEachPixel(op.src,
                 [&](std::int64_t first) { softmaxAt(op.src, operands.src[0], operands.dst[0], first); });
}

void compute(const SoftmaxBackward& op, const HostOperands& operands) {
    forEachPixel(op.src, [&](std::int64_t first) {
        softmaxGradientAt(op.src, operands.src[0], operands.src[1], operands.dst[0], first);
    });
}

} // namespace heteroscope::compute::sequential
