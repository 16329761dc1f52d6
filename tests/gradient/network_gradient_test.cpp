// SPDX-License-Identifier: Apache-2.0
// The sequential gradients of networks' operations against central differences of the loss sum(weight * y).
// The bound has two parts. Rounding: each y is a float, off by at most half a unit in the last place, and the
// difference divides that by the step. Curvature: halving the step moves the difference by three quarters of
// what it is wrong by, so differences at two steps say how far the first is off; Richardson's rule takes it
// out but for the fourth power of the step. Sums of products of whole numbers have neither and must be exact.
#include "tests/cases/network_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>

namespace heteroscope::compute {
namespace {

constexpr double kHalfUlp = 0x1p-24;
constexpr std::size_t kPlaces = 10;
constexpr std::int64_t kMaxElements = 6000;
constexpr std::uint32_t kSeed = 11;

/// A gradient with regard to one input of a forward operation, whose first output is weighted and summed.
struct Check {
    Op forward;
    Tensors inputs;
    std::size_t input = 0;
    std::vector<float> weights, gradient;
    float step = 1;     ///< 1 where the loss is linear in the input
    bool exact = false; ///< whole numbers, sums and products only
};

struct Sums {
    double value = 0, magnitude = 0;
};

Sums lossOf(const Check& check, const Tensors& inputs) {
    const std::vector<float> y = specification(check.forward, inputs)[0];
    Sums sums;
    for (std::size_t i = 0; i < check.weights.size(); ++i) {
        const double term = static_cast<double>(y[i]) * static_cast<double>(check.weights[i]);
        sums.value += term;
        sums.magnitude += std::fabs(term);
    }
    return sums;
}

struct Slope {
    double value = 0, rounding = 0;
};

Slope slopeAt(const Check& check, std::size_t place, float step) {
    Tensors inputs = check.inputs;
    float& x = inputs[check.input][place];
    const float middle = x, above = middle + step, below = middle - step;
    x = above;
    const Sums high = lossOf(check, inputs);
    x = below;
    const Sums low = lossOf(check, inputs);
    const double width = static_cast<double>(above) - static_cast<double>(below);
    const double rounding = check.exact ? 0.0 : kHalfUlp * (high.magnitude + low.magnitude) / width;
    return {(high.value - low.value) / width, rounding};
}

void expectSlope(const Check& check, std::size_t place, double largest) {
    const Slope whole = slopeAt(check, place, check.step), half = slopeAt(check, place, check.step / 2);
    const double curvature = check.step == 1.0F ? 0.0 : std::fabs(whole.value - half.value);
    const double expected = curvature == 0.0 ? whole.value : (4 * half.value - whole.value) / 3;
    const auto actual = static_cast<double>(check.gradient[place]);
    const double bound = whole.rounding + 2 * half.rounding + curvature + 2 * kHalfUlp * std::fabs(actual);
    EXPECT_NEAR(actual, expected, check.exact ? 0.0 : bound) << "element " << place;
    EXPECT_LT(whole.rounding + curvature, 0.05 * largest) << "the difference says too little";
}

void expectGradient(const Check& check) {
    SCOPED_TRACE(opName(check.forward) + " " + opDetail(check.forward) + ", input " +
                 std::to_string(check.input));
    double largest = 1e-3;
    for (const float value : check.gradient)
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    std::mt19937 random(kSeed);
    const std::size_t elements = check.gradient.size();
    ASSERT_EQ(check.inputs[check.input].size(), elements);
    for (std::size_t n = 0; n < std::min(kPlaces, elements); ++n)
        expectSlope(check, elements <= kPlaces ? n : random() % elements, largest);
}

std::vector<float> integers(std::size_t elements, std::uint32_t seed) {
    return makeData(Data::Integers, static_cast<std::int64_t>(elements), seed);
}

std::vector<float> reals(std::size_t elements, std::uint32_t seed, float scale = 1) {
    std::vector<float> values = makeData(Data::Reals, static_cast<std::int64_t>(elements), seed);
    for (float& value : values)
        value *= scale;
    return values;
}

/// Inputs of a forward operation, whole numbers.
Tensors wholeInputs(const Op& forward) {
    return makeInputs(Data::Integers, forward, kSeed);
}

std::vector<float> wholeOutput(const Op& forward) {
    return integers(static_cast<std::size_t>(operandElements(forward)->dst[0]), kSeed + 50);
}

struct Checks {
    std::vector<Check> operator()(const ConvBackwardData& op) const {
        return data(op, ConvForward{op.params, op.src});
    }
    std::vector<Check> operator()(const ConvBackwardWeights& op) const {
        return weights(op, ConvForward{op.params, op.src}, op.params.bias);
    }
    std::vector<Check> operator()(const DenseBackwardData& op) const {
        return data(op, DenseForward{op.params, op.batch});
    }
    std::vector<Check> operator()(const DenseBackwardWeights& op) const {
        return weights(op, DenseForward{op.params, op.batch}, op.params.bias);
    }
    std::vector<Check> operator()(const AdaptivePoolBackward& op) const {
        const Op forward = AdaptivePoolForward{op.src, op.output};
        const auto weights = wholeOutput(forward);
        return {{forward, wholeInputs(forward), 0, weights, specification(op, {weights})[0]}};
    }
    std::vector<Check> operator()(const Dropout& op) const {
        Dropout back = op;
        back.backward = true;
        const Tensors inputs{integers(static_cast<std::size_t>(op.elements), kSeed), {0x1p-140F}};
        const auto weights = wholeOutput(op);
        return {{op, inputs, 0, weights, specification(back, {weights, inputs[1]})[0]}};
    }
    /// Halves lie apart from where activations bend.
    std::vector<Check> operator()(const ActivationBackward& op) const {
        const Op forward = ActivationForward{op.kind, op.elements, op.slope};
        Tensors inputs = wholeInputs(forward);
        for (float& value : inputs[0])
            value = (value + 0.5F) / (op.kind == ActivationKind::Tanh ? 8.0F : 1.0F);
        const auto weights = reals(inputs[0].size(), kSeed);
        const auto y = derivativeReadsInput(op.kind) ? inputs[0] : specification(forward, inputs)[0];
        return {{forward, inputs, 0, weights, specification(op, {y, weights})[0], 0x1p-5F}};
    }
    std::vector<Check> operator()(const SoftmaxBackward& op) const {
        const Op forward = SoftmaxForward{op.src};
        const Tensors inputs{reals(static_cast<std::size_t>(*op.src.elements()), kSeed, 3)};
        const auto weights = reals(inputs[0].size(), kSeed + 1);
        const auto y = specification(forward, inputs)[0];
        return {{forward, inputs, 0, weights, specification(op, {y, weights})[0], 0x1p-4F}};
    }
    std::vector<Check> operator()(const BatchNormBackward& op) const {
        return normalisation(op, BatchNormTrain{op.src});
    }
    std::vector<Check> operator()(const LayerNormBackward& op) const {
        return normalisation(op, LayerNormForward{op.src});
    }
    /// Either factor may be the repeated one.
    std::vector<Check> operator()(const MultiplyBackward& op) const {
        const Op forward = Multiply{op.factor, op.other};
        const Tensors inputs = wholeInputs(forward);
        const auto weights = wholeOutput(forward);
        return {{forward, inputs, 0, weights, specification(op, {weights, inputs[1]})[0], 1, true}};
    }
    std::vector<Check> operator()(const Loss& op) const {
        if (!op.gradient)
            return {};
        const Tensors inputs = networkInputs({"", op, 3}, Data::Reals, kSeed);
        return {{op, inputs, 0, {1.0F, 0.0F}, specification(op, inputs)[1], 0x1p-4F}};
    }
    template <class Forward>
    std::vector<Check> operator()(const Forward&) const {
        return {};
    }

  private:
    /// Of input, scale and shift.
    static std::vector<Check> normalisation(const Op& backward, const Op& forward) {
        const Tensors inputs = makeInputs(Data::Reals, forward, kSeed);
        const auto weights = reals(inputs[0].size(), kSeed + 20);
        const Tensors outputs = specification(forward, inputs);
        const Tensors gradients =
            specification(backward, {inputs[0], weights, inputs[1], outputs[1], outputs[2]});
        std::vector<Check> checks;
        for (std::size_t i = 0; i < 3; ++i)
            checks.push_back({forward, inputs, i, weights, gradients[i], i == 0 ? 0x1p-6F : 1.0F});
        return checks;
    }
    static std::vector<Check> data(const Op& backward, const Op& forward) {
        const Tensors inputs = wholeInputs(forward);
        const auto outputs = wholeOutput(forward);
        const auto gradient = specification(backward, {outputs, inputs[1]})[0];
        return {{forward, inputs, 0, outputs, gradient, 1, true}};
    }
    static std::vector<Check> weights(const Op& backward, const Op& forward, bool bias) {
        const Tensors inputs = wholeInputs(forward);
        const auto outputs = wholeOutput(forward);
        const Tensors gradients = specification(backward, {inputs[0], outputs});
        std::vector<Check> checks{{forward, inputs, 1, outputs, gradients[0], 1, true}};
        if (bias)
            checks.push_back({forward, inputs, 2, outputs, gradients[1], 1, true});
        return checks;
    }
};

TEST(NetworkGradient, IsTheSlopeOfTheLoss) {
    std::set<std::string> names;
    for (const NetworkCase& one : networkCases()) {
        const auto sizes = operandElements(one.op);
        if (std::max(sizes->src[0], sizes->dst[0]) > kMaxElements)
            continue;
        SCOPED_TRACE(caseTitle(one));
        for (const Check& check : std::visit(Checks{}, one.op)) {
            expectGradient(check);
            names.insert(opName(one.op));
        }
    }
    // Convolution, dense, softmax, batch and layer norm, mul, adaptive pooling, dropout; activations; three
    // losses.
    EXPECT_EQ(names.size(), 2U + 2 + 1 + 2 + 1 + 1 + 2 + std::size(kActivations) + 3);
}

/// Concatenation copies in, its gradient copies out: every value comes back to its place.
TEST(NetworkGradient, CopiedChannelsComeBack) {
    for (const NetworkCase& one : networkCases()) {
        const auto* op = std::get_if<CopyChannels>(&one.op);
        if (op == nullptr)
            continue;
        SCOPED_TRACE(one.name);
        const Shape4 dst{op->src.n, op->dstChannels, op->src.h, op->src.w};
        const Tensors inputs = wholeInputs(*op);
        const CopyChannels back{dst, op->src.c, op->dstChannel, op->srcChannel, op->channels};
        const auto there = specification(*op, inputs)[0], again = specification(back, {there})[0];
        std::size_t copied = 0;
        for (std::size_t i = 0; i < again.size(); ++i) {
            copied += std::isnan(again[i]) ? 0 : 1;
            EXPECT_TRUE(std::isnan(again[i]) || again[i] == inputs[0][i]) << "element " << i;
        }
        EXPECT_EQ(copied, static_cast<std::size_t>(op->src.n * op->channels * op->src.h * op->src.w));
    }
}

} // namespace
} // namespace heteroscope::compute
