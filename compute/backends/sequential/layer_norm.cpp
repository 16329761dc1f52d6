// SPDX-License-Identifier: Apache-2.0
// Layer normalisation as the definition says it: two passes for the statistics, in double precision.
#include "compute/backends/sequential/sequential_ops.h"

#include <cmath>

namespace heteroscope::compute::sequential {

namespace {

/// Calls f(pixel, index of its first channel) for each; channels lie a plane apart.
template <class Function>
void forEachNormalised(const Shape4& shape, Function f) {
    const std::int64_t plane = shape.h * shape.w;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t i = 0; i < plane; ++i)
            f(n * plane + i, n * shape.c * plane + i);
}

} // namespace

void compute(const LayerNormForward& op, const HostOperands& operands) {
    const float *src = operands.src[0], *gamma = operands.src[1], *beta = operands.src[2];
    const std::int64_t plane = op.src.h * op.src.w;
    const auto count = static_cast<double>(op.src.c);
    forEachNormalised(op.src, [&](std::int64_t pixel, std::int64_t first) {
        const auto value = [&](std::int64_t c) { return static_cast<double>(src[first + c * plane]); };
        double mean = 0.0, variance = 0.0;
        for (std::int64_t c = 0; c < op.src.c; ++c)
            mean += value(c);
        mean /= count;
        for (std::int64_t c = 0; c < op.src.c; ++c)
            variance += (value(c) - mean) * (value(c) - mean);
        const double scale = 1.0 / std::sqrt(variance / count + op.epsilon);
        for (std::int64_t c = 0; c < op.src.c; ++c)
            operands.dst[0][first + c * plane] = static_cast<float>(
                static_cast<double>(gamma[c]) * (value(c) - mean) * scale + static_cast<double>(beta[c]));
        operands.dst[1][pixel] = static_cast<float>(mean);
        operands.dst[2][pixel] = static_cast<float>(scale);
    });
}

/// srcGrad = s (g - mean(g) - x mean(g x)) with x the normalised input, s = 1 / sqrt(v + epsilon), g =
/// dstGrad gamma, and means over the channels.
void compute(const LayerNormBackward& op, const HostOperands& operands) {
    const float *src = operands.src[0], *dstGrad = operands.src[1], *gamma = operands.src[2];
    const std::int64_t plane = op.src.h * op.src.w;
    const auto count = static_cast<double>(op.src.c);
    const auto normalised = [&](std::int64_t pixel, std::int64_t i) {
        return (static_cast<double>(src[i]) - static_cast<double>(operands.src[3][pixel])) *
               static_cast<double>(operands.src[4][pixel]);
    };
    forEachNormalised(op.src, [&](std::int64_t pixel, std::int64_t first) {
        const auto slope = [&](std::int64_t c) {
            return static_cast<double>(dstGrad[first + c * plane]) * static_cast<double>(gamma[c]);
        };
        double sum = 0.0, product = 0.0;
        for (std::int64_t c = 0; c < op.src.c; ++c) {
            sum += slope(c);
            product += slope(c) * normalised(pixel, first + c * plane);
        }
        for (std::int64_t c = 0; c < op.src.c; ++c)
            operands.dst[0][first + c * plane] = static_cast<float>(
                static_cast<double>(operands.src[4][pixel]) *
                (slope(c) - sum / count - normalised(pixel, first + c * plane) * product / count));
    });
    for (std::int64_t c = 0; c < op.src.c; ++c) {
        double sum = 0.0, product = 0.0;
        forEachNormalised(op.src, [&](std::int64_t pixel, std::int64_t first) {
            const std::int64_t i = first + c * plane;
            sum += static_cast<double>(dstGrad[i]);
            product += static_cast<double>(dstGrad[i]) * normalised(pixel, i);
        });
        operands.dst[1][c] = static_cast<float>(product);
        operands.dst[2][c] = static_cast<float>(sum);
    }
}

} // namespace heteroscope::compute::sequential
