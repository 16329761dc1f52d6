// SPDX-License-Identifier: Apache-2.0
// One overload an operation. Sums of products are bounded by the same sums of magnitudes, which the plain
// loops give for inputs without signs (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
#include "tests/cases/network_bounds.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr double kHalfUlp = 0x1p-24;
/// Below the smallest normal number nothing is promised: exponentials may become zero.
constexpr double kTiny = 0x1p-126;

double size(float value) {
    return std::fabs(static_cast<double>(value));
}

struct BoundsOf {
    const Op& op;
    const Tensors& x;        ///< inputs
    const Tensors& expected; ///< outputs

    /// bound(i) for every element of output `output`.
    template <class Bound>
    std::vector<double> each(std::size_t output, Bound bound) const {
        std::vector<double> all(expected[output].size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = bound(i);
        return all;
    }
    std::vector<double> relative(std::size_t output, double units) const {
        return each(output,
                    [&](std::size_t i) { return units * kHalfUlp * size(expected[output][i]) + kTiny; });
    }
    std::vector<double> exact(std::size_t output) const {
        return each(output, [](std::size_t) { return 0.0; });
    }

    /// Sums of `terms` products. The first `signedInputs` inputs choose what is added, no more.
    Bounds sums(double terms, std::size_t signedInputs = 0) const {
        Tensors magnitudes = x;
        for (std::size_t input = signedInputs; input < magnitudes.size(); ++input)
            for (float& value : magnitudes[input])
                value = std::fabs(value);
        Bounds bounds;
        for (const auto& output : specification(op, magnitudes)) {
            bounds.emplace_back();
            for (const float magnitude : output)
                bounds.back().push_back((terms + 2) * kHalfUlp * static_cast<double>(magnitude));
        }
        return bounds;
    }

    template <class Params>
    static double window(const Params& p) {
        return static_cast<double>(p.kernel.h * p.kernel.w);
    }
    Bounds operator()(const PoolForward& o) const {
        return o.params.mode == PoolMode::Max ? Bounds{exact(0)} : sums(window(o.params));
    }
    Bounds operator()(const PoolBackward& o) const {
        return sums(window(o.params), o.params.mode == PoolMode::Max ? 1 : 0);
    }
    Bounds operator()(const Gemm& o) const { return sums(static_cast<double>(o.k)); }
    Bounds operator()(const ConvForward& o) const {
        return sums(static_cast<double>(o.src.c / o.params.groups) * window(o.params) + 1);
    }
    Bounds operator()(const ConvBackwardData& o) const {
        return sums(static_cast<double>(o.params.filters / o.params.groups) * window(o.params));
    }
    Bounds operator()(const ConvBackwardWeights& o) const {
        const Shape4 dst = *convOutputShape(o.params, o.src);
        return sums(static_cast<double>(dst.n * dst.h * dst.w));
    }
    Bounds operator()(const DenseForward& o) const { return sums(static_cast<double>(o.params.inputs) + 1); }
    Bounds operator()(const DenseBackwardData& o) const { return sums(static_cast<double>(o.params.units)); }
    Bounds operator()(const DenseBackwardWeights& o) const { return sums(static_cast<double>(o.batch)); }
    Bounds operator()(const SumOfSquares& o) const { return sums(static_cast<double>(o.elements)); }
    Bounds operator()(const MultiplyBackward& o) const {
        return sums(static_cast<double>(x[0].size()) / static_cast<double>(*o.factor.elements()));
    }
    Bounds operator()(const AdaptivePoolForward& o) const {
        return sums(static_cast<double>(o.src.h * o.src.w));
    }
    Bounds operator()(const AdaptivePoolBackward& o) const {
        return sums(static_cast<double>(o.output.h * o.output.w));
    }

    Bounds operator()(const ActivationForward& o) const {
        using enum ActivationKind;
        if (o.kind == Relu || o.kind == Relu6)
            return {exact(0)};
        if (o.kind == Gelu || o.kind == HardSwish || o.kind == HardSigmoid) // shares of x; near 1/2
            return {each(0, [&](std::size_t i) {
                return 8 * kHalfUlp * (o.kind == HardSigmoid ? 1.0 : size(x[0][i])) + kTiny;
            })};
        return {relative(0, o.kind == LeakyRelu ? 2 : 12)};
    }
    Bounds operator()(const ActivationBackward& o) const {
        using enum ActivationKind;
        if (o.kind == Relu || o.kind == Relu6)
            return {exact(0)};
        if (o.kind == LeakyRelu || o.kind == HardSigmoid)
            return {relative(0, 2)};
        if (o.kind == Gelu) // the density's exponent is rounded, and its error multiplied by x x
            return {each(0, [&](std::size_t i) { return 24 * kHalfUlp * size(x[1][i]) + kTiny; })};
        return {each(0, [&](std::size_t i) { return 4 * kHalfUlp * size(x[1][i]) + kTiny; })};
    }

    /// x - m is rounded, and the exponential multiplies its error by its size.
    Bounds operator()(const SoftmaxForward& o) const {
        double largest = 0;
        for (const float value : x[0])
            largest = std::max(largest, size(value));
        return {relative(0, static_cast<double>(o.src.c) + 12 + 4 * largest)};
    }
    Bounds operator()(const SoftmaxBackward& o) const {
        double largest = 0; // of gradients: the weighted mean that is subtracted is at most that
        for (const float value : x[1])
            largest = std::max(largest, size(value));
        return {each(0, [&](std::size_t i) {
            return (static_cast<double>(o.src.c) + 6) * kHalfUlp * 2 * largest * size(x[0][i]) + kTiny;
        })};
    }

    /// Calls f(channel, index) for each element.
    template <class Function>
    static void forEachElement(const Shape4& s, Function f) {
        const std::int64_t plane = s.h * s.w;
        for (std::int64_t i = 0; i < s.n * s.c * plane; ++i)
            f(static_cast<std::size_t>(i / plane % s.c), static_cast<std::size_t>(i));
    }
    static std::size_t channels(const Shape4& s) { return static_cast<std::size_t>(s.c); }
    static double count(const Shape4& s) { return static_cast<double>(s.n * s.h * s.w); }

    Bounds operator()(const BatchNormTrain& o) const {
        const double n = count(o.src), unit = (n + 8) * kHalfUlp;
        std::vector<double> magnitude(channels(o.src)); // mean of |x|: the mean's error is unit times that
        forEachElement(o.src, [&](std::size_t c, std::size_t i) { magnitude[c] += size(x[0][i]) / n; });
        Bounds bounds(5);
        bounds[0].resize(x[0].size());
        forEachElement(o.src, [&](std::size_t c, std::size_t i) {
            const double scale = size(x[1][c]) * static_cast<double>(expected[2][c]);
            bounds[0][i] = unit * (scale * (magnitude[c] + size(x[0][i])) + size(x[2][c]));
        });
        bounds[1] = each(1, [&](std::size_t c) { return unit * magnitude[c]; });
        bounds[2] = relative(2, n + 8);
        bounds[3] = each(3, [&](std::size_t c) { return unit * (magnitude[c] + size(x[3][c])); });
        bounds[4] = each(4, [&](std::size_t c) { return unit * size(expected[4][c]); });
        return bounds;
    }
    Bounds operator()(const BatchNormInfer& o) const {
        Bounds bounds(1);
        bounds[0].resize(x[0].size());
        forEachElement(o.src, [&](std::size_t c, std::size_t i) {
            const double scale = size(x[1][c]) / std::sqrt(static_cast<double>(x[4][c]) + o.epsilon);
            bounds[0][i] = 8 * kHalfUlp * (scale * (size(x[0][i]) + size(x[3][c])) + size(x[2][c]));
        });
        return bounds;
    }
    Bounds operator()(const BatchNormBackward& o) const {
        const double n = count(o.src), unit = (n + 10) * kHalfUlp;
        std::vector<double> sum(channels(o.src)), product(channels(o.src));
        const auto normalised = [&](std::size_t c, std::size_t i) {
            return (size(x[0][i]) + size(x[3][c])) * static_cast<double>(x[4][c]);
        };
        forEachElement(o.src, [&](std::size_t c, std::size_t i) {
            sum[c] += size(x[1][i]);
            product[c] += size(x[1][i]) * normalised(c, i);
        });
        Bounds bounds(3);
        bounds[0].resize(x[0].size());
        forEachElement(o.src, [&](std::size_t c, std::size_t i) {
            const double terms = size(x[1][i]) + sum[c] / n + normalised(c, i) * product[c] / n;
            bounds[0][i] = unit * size(x[2][c]) * static_cast<double>(x[4][c]) * terms;
        });
        bounds[1] = each(1, [&](std::size_t c) { return unit * product[c]; });
        bounds[2] = each(2, [&](std::size_t c) { return unit * sum[c]; });
        return bounds;
    }

    /// Calls f(pixel, channel, index) for each element.
    template <class Function>
    static void forEachOfPixels(const Shape4& s, Function f) {
        const std::int64_t plane = s.h * s.w;
        for (std::int64_t i = 0; i < s.n * s.c * plane; ++i)
            f(static_cast<std::size_t>(i / (s.c * plane) * plane + i % plane),
              static_cast<std::size_t>(i / plane % s.c), static_cast<std::size_t>(i));
    }

    /// A mean that is off by d makes the variance d d larger, and 1 / sqrt(v) relatively smaller by d d / 2v.
    Bounds operator()(const LayerNormForward& o) const {
        const auto n = static_cast<double>(o.src.c), unit = (n + 8) * kHalfUlp;
        std::vector<double> magnitude(expected[1].size()), ofScale(magnitude.size());
        forEachOfPixels(o.src, [&](std::size_t pixel, std::size_t, std::size_t i) {
            magnitude[pixel] += size(x[0][i]) / n;
        });
        for (std::size_t pixel = 0; pixel < magnitude.size(); ++pixel)
            ofScale[pixel] = std::pow(unit * magnitude[pixel] * size(expected[2][pixel]), 2);
        Bounds bounds(3);
        bounds[0].resize(x[0].size());
        forEachOfPixels(o.src, [&](std::size_t pixel, std::size_t c, std::size_t i) {
            const double scale = size(x[1][c]) * static_cast<double>(expected[2][pixel]);
            const double distance =
                std::fabs(static_cast<double>(x[0][i]) - static_cast<double>(expected[1][pixel]));
            bounds[0][i] = unit * (scale * (magnitude[pixel] + size(x[0][i])) + size(x[2][c])) +
                           ofScale[pixel] * scale * distance;
        });
        bounds[1] = each(1, [&](std::size_t pixel) { return unit * magnitude[pixel]; });
        bounds[2] = each(
            2, [&](std::size_t pixel) { return (unit + ofScale[pixel]) * size(expected[2][pixel]) + kTiny; });
        return bounds;
    }
    Bounds operator()(const LayerNormBackward& o) const {
        const auto n = static_cast<double>(o.src.c), pixels = static_cast<double>(x[3].size());
        std::vector<double> sum(x[3].size()), product(x[3].size()), ofGamma(x[2].size()), ofBeta(x[2].size());
        const auto normalised = [&](std::size_t pixel, std::size_t i) {
            return (size(x[0][i]) + size(x[3][pixel])) * static_cast<double>(x[4][pixel]);
        };
        forEachOfPixels(o.src, [&](std::size_t pixel, std::size_t c, std::size_t i) {
            sum[pixel] += size(x[1][i]) * size(x[2][c]);
            product[pixel] += size(x[1][i]) * size(x[2][c]) * normalised(pixel, i);
            ofGamma[c] += size(x[1][i]) * normalised(pixel, i);
            ofBeta[c] += size(x[1][i]);
        });
        Bounds bounds(3);
        bounds[0].resize(x[0].size());
        forEachOfPixels(o.src, [&](std::size_t pixel, std::size_t c, std::size_t i) {
            const double terms =
                size(x[1][i]) * size(x[2][c]) + sum[pixel] / n + normalised(pixel, i) * product[pixel] / n;
            bounds[0][i] = (n + 12) * kHalfUlp * static_cast<double>(x[4][pixel]) * terms;
        });
        bounds[1] = each(1, [&](std::size_t c) { return (pixels + 8) * kHalfUlp * ofGamma[c]; });
        bounds[2] = each(2, [&](std::size_t c) { return (pixels + 8) * kHalfUlp * ofBeta[c]; });
        return bounds;
    }

    Bounds operator()(const Dropout&) const { return {relative(0, 3)}; }
    Bounds operator()(const Add&) const { return {exact(0)}; }
    Bounds operator()(const Multiply&) const { return {exact(0)}; }
    Bounds operator()(const CopyChannels&) const { return {exact(0)}; }

    Bounds operator()(const Loss& o) const {
        const auto rows = static_cast<double>(o.batch), units = static_cast<double>(o.units);
        double largest = 1;
        for (const auto& tensor : {x[0], x[1]})
            for (const float value : tensor)
                largest = std::max(largest, size(value));
        const bool squares = o.kind == LossKind::MeanSquaredError;
        const double terms = rows + units + 16 + (squares ? rows * units : 0);
        const double scale = squares ? static_cast<double>(expected[0][0]) : 3 * largest;
        Bounds bounds{{terms * kHalfUlp * scale,
                       squares ? terms * kHalfUlp * static_cast<double>(expected[0][1]) : 0.0}};
        if (o.gradient && squares)
            bounds.push_back(relative(1, 4));
        else if (o.gradient)
            bounds.push_back(each(1, [&](std::size_t) {
                const bool classes = o.kind == LossKind::SoftmaxCrossEntropy;
                return (classes ? units + 12 + 2 * largest : 12.0) * kHalfUlp /
                       (classes ? rows : rows * units);
            }));
        return bounds;
    }

    Bounds operator()(const Sgd& o) const {
        const auto rate = static_cast<double>(x[2][0]);
        const auto gradient = [&](std::size_t i) { return size(x[1][i]) + o.weightDecay * size(x[0][i]); };
        const auto velocity = [&](std::size_t i) { return o.momentum * size(x[3][i]) + gradient(i); };
        const auto moved = [&](std::size_t i) { return o.momentum == 0 ? gradient(i) : velocity(i) * 2; };
        Bounds bounds{
            each(0, [&](std::size_t i) { return 6 * kHalfUlp * (size(x[0][i]) + rate * moved(i)); })};
        if (o.momentum != 0)
            bounds.push_back(each(1, [&](std::size_t i) { return 6 * kHalfUlp * velocity(i); }));
        return bounds;
    }
    Bounds operator()(const Adam& o) const {
        const auto rate = static_cast<double>(x[2][0]), c1 = static_cast<double>(x[2][1]),
                   c2 = static_cast<double>(x[2][2]);
        const auto gradient = [&](std::size_t i) { return size(x[1][i]) + o.weightDecay * size(x[0][i]); };
        // 1 - beta may be computed in float, where it is wrong by a half unit of one.
        const auto m = [&](std::size_t i) {
            return o.beta1 * size(x[3][i]) + (1 - o.beta1) * gradient(i) + 0.25 * gradient(i);
        };
        const auto v = [&](std::size_t i) {
            return o.beta2 * size(x[4][i]) + (1 - o.beta2 + 0.25) * gradient(i) * gradient(i);
        };
        const auto root = [&](std::size_t i) {
            return std::sqrt(static_cast<double>(expected[2][i]) * c2) + o.epsilon;
        };
        const auto step = [&](std::size_t i) { // errors of m, of v under the root, and of the division
            const double ofV = v(i) / static_cast<double>(expected[2][i]);
            return rate * c1 * m(i) / root(i) * (8 + 8 * ofV);
        };
        return {each(0, [&](std::size_t i) { return kHalfUlp * (2 * size(x[0][i]) + step(i)); }),
                each(1, [&](std::size_t i) { return 6 * kHalfUlp * m(i); }),
                each(2, [&](std::size_t i) { return 8 * kHalfUlp * v(i); })};
    }
};

struct Exactness {
    bool operator()(const PoolForward& op) const { return op.params.mode == PoolMode::Max; }
    bool operator()(const PoolBackward& op) const { return op.params.mode == PoolMode::Max; }
    bool operator()(const Gemm&) const { return true; }
    bool operator()(const ConvForward&) const { return true; }
    bool operator()(const ConvBackwardData&) const { return true; }
    bool operator()(const ConvBackwardWeights&) const { return true; }
    bool operator()(const DenseForward&) const { return true; }
    bool operator()(const DenseBackwardData&) const { return true; }
    bool operator()(const DenseBackwardWeights&) const { return true; }
    bool operator()(const SumOfSquares&) const { return true; }
    bool operator()(const Multiply&) const { return true; }
    bool operator()(const MultiplyBackward&) const { return true; }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }
};

} // namespace

Bounds networkBounds(const Op& op, const Tensors& inputs, const Tensors& expected) {
    return std::visit(BoundsOf{op, inputs, expected}, op);
}

bool exactForIntegers(const Op& op) {
    return std::visit(Exactness{}, op);
}

} // namespace heteroscope::compute
