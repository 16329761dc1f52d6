// SPDX-License-Identifier: Apache-2.0
// Batch normalisation as the definition says it: two passes for the statistics, in double precision.
#include "compute/backends/sequential/sequential_ops.h"

#include <cmath>

namespace heteroscope::compute::sequential {

namespace {

/// Calls f(index) for every element of a channel.
template <class Function>
void forEachOfChannel(const Shape4& shape, std::int64_t channel, Function f) {
    const std::int64_t plane = shape.h * shape.w;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t i = 0; i < plane; ++i)
            f((n * shape.c + channel) * plane + i);
}

struct Statistics {
    double mean = 0, variance = 0; ///< biased
};

Statistics statisticsOf(const Shape4& shape, const float* src, std::int64_t channel) {
    const auto count = static_cast<double>(shape.n * shape.h * shape.w);
    Statistics result;
    forEachOfChannel(shape, channel, [&](std::int64_t i) { result.mean += static_cast<double>(src[i]); });
    result.mean /= count;
    forEachOfChannel(shape, channel, [&](std::int64_t i) {
        const double difference = static_cast<double>(src[i]) - result.mean;
        result.variance += difference * difference;
    });
    result.variance /= count;
    return result;
}

float blend(double momentum, float old, double now) {
    return static_cast<float>((1.0 - momentum) * static_cast<double>(old) + momentum * now);
}

} // namespace

void compute(const BatchNormTrain& op, const HostOperands& operands) {
    const float *src = operands.src[0], *gamma = operands.src[1], *beta = operands.src[2];
    const auto count = static_cast<double>(op.src.n * op.src.h * op.src.w);
    for (std::int64_t c = 0; c < op.src.c; ++c) {
        const Statistics batch = statisticsOf(op.src, src, c);
        const double scale = 1.0 / std::sqrt(batch.variance + op.epsilon);
        forEachOfChannel(op.src, c, [&](std::int64_t i) {
            operands.dst[0][i] = static_cast<float>(static_cast<double>(gamma[c]) *
                                                        (static_cast<double>(src[i]) - batch.mean) * scale +
                                                    static_cast<double>(beta[c]));
        });
        operands.dst[1][c] = static_cast<float>(batch.mean);
        operands.dst[2][c] = static_cast<float>(scale);
        operands.dst[3][c] = blend(op.momentum, operands.src[3][c], batch.mean);
        operands.dst[4][c] = blend(op.momentum, operands.src[4][c], batch.variance * count / (count - 1.0));
    }
}

void compute(const BatchNormInfer& op, const HostOperands& operands) {
    const float *src = operands.src[0], *gamma = operands.src[1], *beta = operands.src[2];
    for (std::int64_t c = 0; c < op.src.c; ++c) {
        const auto mean = static_cast<double>(operands.src[3][c]);
        const double scale =
            static_cast<double>(gamma[c]) / std::sqrt(static_cast<double>(operands.src[4][c]) + op.epsilon);
        forEachOfChannel(op.src, c, [&](std::int64_t i) {
            operands.dst[0][i] = static_cast<float>((static_cast<double>(src[i]) - mean) * scale +
                                                    static_cast<double>(beta[c]));
        });
    }
}

/// srcGrad = gamma s (g - mean(g) - x mean(g x)), with x the normalised input and s = 1 / sqrt(v + epsilon).
void compute(const BatchNormBackward& op, const HostOperands& operands) {
    const float *src = operands.src[0], *dstGrad = operands.src[1], *gamma = operands.src[2];
    const auto count = static_cast<double>(op.src.n * op.src.h * op.src.w);
    for (std::int64_t c = 0; c < op.src.c; ++c) {
        const auto mean = static_cast<double>(operands.src[3][c]),
                   scale = static_cast<double>(operands.src[4][c]);
        const auto normalised = [&](std::int64_t i) { return (static_cast<double>(src[i]) - mean) * scale; };
        double sum = 0.0, product = 0.0;
        forEachOfChannel(op.src, c, [&](std::int64_t i) {
            sum += static_cast<double>(dstGrad[i]);
            product += static_cast<double>(dstGrad[i]) * normalised(i);
        });
        forEachOfChannel(op.src, c, [&](std::int64_t i) {
            operands.dst[0][i] = static_cast<float>(
                static_cast<double>(gamma[c]) * scale *
                (static_cast<double>(dstGrad[i]) - sum / count - normalised(i) * product / count));
        });
        operands.dst[1][c] = static_cast<float>(product);
        operands.dst[2][c] = static_cast<float>(sum);
    }
}

} // namespace heteroscope::compute::sequential
