// SPDX-License-Identifier: Apache-2.0
// Operations whose statistics are those of a channel or of a pixel. One thread sums all of one statistic.
#include "compute/backends/openmp/loop_ops.h"

#include <cmath>

namespace heteroscope::compute::openmp {
namespace {

/// Calls f(offset) for every line of a channel: its plane in each image.
template <class Function>
void forEachPlane(const Shape4& shape, std::int64_t channel, Function f) {
    for (std::int64_t n = 0; n < shape.n; ++n)
        f((n * shape.c + channel) * shape.h * shape.w);
}

double countOf(const Shape4& shape) {
    return static_cast<double>(shape.n * shape.h * shape.w);
}

float blend(double momentum, float old, double now) {
    return static_cast<float>((1.0 - momentum) * static_cast<double>(old) + momentum * now);
}

/// Calls f(offset, pixels) for blocks of neighbouring pixels of each image.
template <class Function>
void forEachBlock(const Shape4& shape, const Crew& crew, Function f) {
    const std::int64_t plane = shape.h * shape.w;
    const std::int64_t blocks = (plane + LoopKernels::kPixels - 1) / LoopKernels::kPixels;
    crew.each(shape.n * blocks, [&](std::int64_t i) {
        const std::int64_t first = i % blocks * LoopKernels::kPixels;
        f(i / blocks * shape.c * plane + first, std::min<std::int64_t>(LoopKernels::kPixels, plane - first));
    });
}

struct InputRange {
    std::int64_t first, last;
    std::int64_t size() const { return last - first; }
};

InputRange rangeOf(std::int64_t index, std::int64_t outputs, std::int64_t inputs) {
    return {index * inputs / outputs, ((index + 1) * inputs + outputs - 1) / outputs};
}

/// Calls f(index of the output, rows, columns) for every window of a plane.
template <class Function>
void forEachWindow(const Shape4& src, const Extent2d& output, Function f) {
    for (std::int64_t y = 0; y < output.h; ++y)
        for (std::int64_t x = 0; x < output.w; ++x)
            f(y * output.w + x, rangeOf(y, output.h, src.h), rangeOf(x, output.w, src.w));
}

} // namespace

void compute(const SoftmaxForward& op, const HostOperands& operands, const Crew& crew) {
    const std::int64_t plane = op.src.h * op.src.w, channels = op.src.c;
    if (plane > 1) {
        forEachBlock(op.src, crew, [&](std::int64_t at, std::int64_t pixels) {
            crew.loops.softmaxPixels(channels, plane, pixels, operands.src[0] + at, operands.dst[0] + at);
        });
        return;
    }
    crew.each(op.src.n, [&](std::int64_t n) {
        const float* row = operands.src[0] + n * channels;
        const float maximum = crew.loops.maximum(channels, row);
        const double sum = crew.loops.exponentials(channels, row, maximum);
        crew.loops.shares(channels, row, maximum, static_cast<float>(1.0 / sum),
                          operands.dst[0] + n * channels);
    });
}

void compute(const SoftmaxBackward& op, const HostOperands& operands, const Crew& crew) {
    const std::int64_t plane = op.src.h * op.src.w, channels = op.src.c;
    const float *y = operands.src[0], *gradient = operands.src[1];
    if (plane > 1) {
        forEachBlock(op.src, crew, [&](std::int64_t at, std::int64_t pixels) {
            crew.loops.softmaxPixelsGradient(channels, plane, pixels, y + at, gradient + at,
                                             operands.dst[0] + at);
        });
        return;
    }
    crew.each(op.src.n, [&](std::int64_t n) {
        const std::int64_t at = n * channels;
        crew.loops.softmaxRowGradient(channels, y + at, gradient + at, operands.dst[0] + at);
    });
}

void compute(const BatchNormTrain& op, const HostOperands& operands, const Crew& crew) {
    const float *src = operands.src[0], *gamma = operands.src[1], *beta = operands.src[2];
    const double count = countOf(op.src);
    const std::int64_t plane = op.src.h * op.src.w;
    crew.each(op.src.c, [&](std::int64_t c) {
        double mean = 0.0, variance = 0.0;
        forEachPlane(op.src, c, [&](std::int64_t at) { mean += crew.loops.sum(plane, src + at); });
        mean /= count;
        forEachPlane(op.src, c,
                     [&](std::int64_t at) { variance += crew.loops.squares(plane, src + at, mean); });
        variance /= count;
        const double scale = 1.0 / std::sqrt(variance + op.epsilon);
        forEachPlane(op.src, c, [&](std::int64_t at) {
            crew.loops.normalise(plane, src + at, static_cast<float>(mean),
                                 static_cast<float>(static_cast<double>(gamma[c]) * scale), beta[c],
                                 operands.dst[0] + at);
        });
        operands.dst[1][c] = static_cast<float>(mean);
        operands.dst[2][c] = static_cast<float>(scale);
        operands.dst[3][c] = blend(op.momentum, operands.src[3][c], mean);
        operands.dst[4][c] = blend(op.momentum, operands.src[4][c], variance * count / (count - 1.0));
    });
}

void compute(const BatchNormInfer& op, const HostOperands& operands, const Crew& crew) {
    const float *src = operands.src[0], *gamma = operands.src[1], *beta = operands.src[2];
    const std::int64_t plane = op.src.h * op.src.w;
    crew.each(op.src.n * op.src.c, [&](std::int64_t i) {
        const std::int64_t c = i % op.src.c;
        const double scale =
            static_cast<double>(gamma[c]) / std::sqrt(static_cast<double>(operands.src[4][c]) + op.epsilon);
        crew.loops.normalise(plane, src + i * plane, operands.src[3][c], static_cast<float>(scale), beta[c],
                             operands.dst[0] + i * plane);
    });
}

void compute(const BatchNormBackward& op, const HostOperands& operands, const Crew& crew) {
    const float *src = operands.src[0], *gradient = operands.src[1], *gamma = operands.src[2];
    const double count = countOf(op.src);
    const std::int64_t plane = op.src.h * op.src.w;
    crew.each(op.src.c, [&](std::int64_t c) {
        const auto mean = static_cast<double>(operands.src[3][c]),
                   scale = static_cast<double>(operands.src[4][c]);
        double sum = 0.0, product = 0.0;
        forEachPlane(op.src, c, [&](std::int64_t at) {
            sum += crew.loops.sum(plane, gradient + at);
            product += crew.loops.products(plane, gradient + at, src + at, mean);
        });
        const NormFactors factors{static_cast<float>(static_cast<double>(gamma[c]) * scale),
                                  static_cast<float>(sum / count), operands.src[3][c],
                                  static_cast<float>(product * scale * scale / count)};
        forEachPlane(op.src, c, [&](std::int64_t at) {
            crew.loops.normGradient(plane, gradient + at, src + at, factors, operands.dst[0] + at);
        });
        operands.dst[1][c] = static_cast<float>(product * scale);
        operands.dst[2][c] = static_cast<float>(sum);
    });
}

void compute(const AdaptivePoolForward& op, const HostOperands& operands, const Crew& crew) {
    crew.each(op.src.n * op.src.c, [&](std::int64_t image) {
        const float* src = operands.src[0] + image * op.src.h * op.src.w;
        float* dst = operands.dst[0] + image * op.output.h * op.output.w;
        forEachWindow(
            op.src, op.output, [&](std::int64_t index, const InputRange& rows, const InputRange& columns) {
                double sum = 0.0;
                if (columns.size() == op.src.w)
                    sum = crew.loops.sum(rows.size() * op.src.w, src + rows.first * op.src.w);
                else
                    for (std::int64_t y = rows.first; y < rows.last; ++y)
                        sum += crew.loops.sum(columns.size(), src + y * op.src.w + columns.first);
                dst[index] = static_cast<float>(sum / static_cast<double>(rows.size() * columns.size()));
            });
    });
}

void compute(const AdaptivePoolBackward& op, const HostOperands& operands, const Crew& crew) {
    crew.each(op.src.n * op.src.c, [&](std::int64_t image) {
        const float* gradient = operands.src[0] + image * op.output.h * op.output.w;
        float* dst = operands.dst[0] + image * op.src.h * op.src.w;
        std::fill_n(dst, op.src.h * op.src.w, 0.0F);
        forEachWindow(
            op.src, op.output, [&](std::int64_t index, const InputRange& rows, const InputRange& columns) {
                const float share = gradient[index] / static_cast<float>(rows.size() * columns.size());
                for (std::int64_t y = rows.first; y < rows.last; ++y)
                    for (std::int64_t x = columns.first; x < columns.last; ++x)
                        dst[y * op.src.w + x] += share;
            });
    });
}

} // namespace heteroscope::compute::openmp
