// SPDX-License-Identifier: Apache-2.0
// Losses with their gradients as their definitions say.
#include "compute/backends/sequential/sequential_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::compute::sequential {

namespace {

/// The sums, then the means, that the operation documents.
struct Figures {
    double loss = 0, figure = 0;
};

/// The class that a target names, or -1.
std::int64_t classOf(float target, std::int64_t units) {
    const auto index = static_cast<double>(target);
    const bool valid = index >= 0.0 && index < static_cast<double>(units) && std::floor(index) == index;
    return valid ? static_cast<std::int64_t>(index) : -1;
}

void crossEntropyOfRow(const Loss& op, const float* x, float target, Figures& result, float* grad) {
    const std::int64_t wanted = classOf(target, op.units);
    std::int64_t best = 0;
    for (std::int64_t u = 1; u < op.units; ++u)
        best = x[u] > x[best] ? u : best;
    const auto maximum = static_cast<double>(x[best]);
    double sum = 0.0;
    for (std::int64_t u = 0; u < op.units; ++u)
        sum += std::exp(static_cast<double>(x[u]) - maximum);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    result.loss += wanted < 0 ? kNone : std::log(sum) + maximum - static_cast<double>(x[wanted]);
    result.figure += wanted == best ? 1.0 : 0.0;
    for (std::int64_t u = 0; grad != nullptr && u < op.units; ++u) {
        const double share = std::exp(static_cast<double>(x[u]) - maximum) / sum;
        const double slope = share - (u == wanted ? 1.0 : 0.0);
        grad[u] = static_cast<float>(wanted < 0 ? kNone : slope / static_cast<double>(op.batch));
    }
}

Figures crossEntropy(const Loss& op, const float* output, const float* target, float* grad) {
    Figures result;
    for (std::int64_t n = 0; n < op.batch; ++n)
        crossEntropyOfRow(op, output + n * op.units, target[n], result,
                          grad == nullptr ? nullptr : grad + n * op.units);
    result.loss /= static_cast<double>(op.batch);
    return result;
}

Figures binaryCrossEntropy(const Loss& op, const float* output, const float* target, float* grad) {
    const std::int64_t all = op.batch * op.units;
    Figures result;
    for (std::int64_t i = 0; i < all; ++i) {
        const auto x = static_cast<double>(output[i]), t = static_cast<double>(target[i]);
        result.loss += std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::fabs(x)));
        result.figure += (x > 0.0) == (t > 0.5) ? 1.0 : 0.0;
        if (grad != nullptr)
            grad[i] = static_cast<float>((1.0 / (1.0 + std::exp(-x)) - t) / static_cast<double>(all));
    }
    result.loss /= static_cast<double>(all);
    return result;
}

Figures meanSquaredError(const Loss& op, const float* output, const float* target, float* grad) {
    const std::int64_t all = op.batch * op.units;
    Figures result;
    for (std::int64_t i = 0; i < all; ++i) {
        const double difference = static_cast<double>(output[i]) - static_cast<double>(target[i]);
        result.loss += difference * difference;
        result.figure += std::fabs(difference);
        if (grad != nullptr)
            grad[i] = static_cast<float>(2.0 * difference / static_cast<double>(all));
    }
    return {result.loss / static_cast<double>(all), result.figure / static_cast<double>(all)};
}

Figures evaluate(const Loss& op, const float* output, const float* target, float* grad) {
    switch (op.kind) {
    case LossKind::SoftmaxCrossEntropy:
        return crossEntropy(op, output, target, grad);
    case LossKind::BinaryCrossEntropy:
        return binaryCrossEntropy(op, output, target, grad);
    case LossKind::MeanSquaredError:
        return meanSquaredError(op, output, target, grad);
    }
    return {};
}

} // namespace

void compute(const Loss& op, const HostOperands& operands) {
    float* grad = op.gradient ? operands.dst[1] : nullptr;
    const Figures result = evaluate(op, operands.src[0], operands.src[1], grad);
    operands.dst[0][0] = static_cast<float>(result.loss);
    operands.dst[0][1] = static_cast<float>(result.figure);
}

} // namespace heteroscope::compute::sequential
