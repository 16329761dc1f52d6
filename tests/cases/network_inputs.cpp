// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/network_inputs.h"

#include "tests/support/sequential.h"

#include <bit>
#include <cmath>
#include <limits>

namespace heteroscope::compute {
namespace {

std::vector<float> absolute(std::vector<float> values, float more) {
    for (float& value : values)
        value = std::fabs(value) + more;
    return values;
}

/// Replaces operands that cannot be anything by what the operation asks for.
struct Completion {
    const NetworkCase& one;
    Tensors& x;

    void operator()(const ActivationForward&) const { placeEdges(x[0]); }
    void operator()(const ActivationBackward& op) const {
        placeEdges(x[0]);
        if (!derivativeReadsInput(op.kind))
            x[0] = specification(ActivationForward{op.kind, op.elements, op.slope}, {x[0]})[0];
    }
    void operator()(const SoftmaxBackward& op) const {
        x[0] = specification(SoftmaxForward{op.src}, {x[0]})[0];
    }
    void operator()(const BatchNormTrain&) const { x[4] = absolute(x[4], 0.5F); }
    void operator()(const BatchNormInfer&) const { x[4] = absolute(x[4], 0.5F); }
    void operator()(const BatchNormBackward& op) const {
        const std::vector<float> ones(x[2].size(), 1.0F);
        const Tensors forward = specification(BatchNormTrain{op.src}, {x[0], ones, ones, ones, ones});
        x[3] = forward[1];
        x[4] = forward[2];
    }
    void operator()(const LayerNormBackward& op) const {
        const std::vector<float> ones(x[2].size(), 1.0F);
        const Tensors forward = specification(LayerNormForward{op.src}, {x[0], ones, ones});
        x[3] = forward[1];
        x[4] = forward[2];
    }
    void operator()(const Dropout& op) const { x[1] = {std::bit_cast<float>(op.stream * 3 + 0x80000001U)}; }
    void operator()(const Loss& op) const {
        auto state = static_cast<std::uint32_t>(op.units);
        for (std::size_t i = 0; i < x[1].size(); ++i) {
            state = state * 1664525U + 1013904223U;
            if (op.kind == LossKind::SoftmaxCrossEntropy) // the first and the last class, then any
                x[1][i] = static_cast<float>(i == 0 ? op.units - 1 : i == 1 ? 0 : (state >> 8) % op.units);
            else if (op.kind == LossKind::BinaryCrossEntropy)
                x[1][i] = static_cast<float>((state >> 8) % 5) / 4.0F;
        }
    }
    void operator()(const Sgd&) const { x[2] = {0.0625F, NAN, NAN, NAN}; }
    void operator()(const Adam& op) const {
        const auto correction = [this](double beta) {
            return static_cast<float>(1.0 / (1.0 - std::pow(beta, one.step)));
        };
        x[2] = {0.0625F, correction(op.beta1), correction(op.beta2), NAN};
        x[4] = absolute(x[4], 0.01F);
    }
    template <class Other>
    void operator()(const Other&) const {}

    /// Where activations bend, as far as there is room.
    static void placeEdges(std::vector<float>& values) {
        const float edges[] = {0.0F, -0.0F, 6.0F, 1e-30F, -1e-30F};
        for (std::size_t i = 0; i < std::size(edges) && i + 1 < values.size(); ++i)
            values[i] = edges[i];
    }
};

} // namespace

Tensors specification(const Op& op, const Tensors& inputs) {
    Tensors outputs;
    std::vector<const float*> src;
    std::vector<float*> dst;
    for (const auto& input : inputs)
        src.push_back(input.data());
    const auto sizes = operandElements(op);
    outputs.reserve(sizes->dst.size());
    for (const std::int64_t elements : sizes->dst) {
        outputs.emplace_back(static_cast<std::size_t>(elements), std::numeric_limits<float>::quiet_NaN());
        dst.push_back(outputs.back().data());
    }
    std::visit([&](const auto& known) { computeSequential(known, src, dst); }, op);
    return outputs;
}

Tensors networkInputs(const NetworkCase& one, Data kind, std::uint32_t seed) {
    Tensors inputs = makeInputs(kind, one.op, seed);
    for (float& value : inputs[0])
        value = value * one.scale + one.shift;
    std::visit(Completion{one, inputs}, one.op);
    return inputs;
}

} // namespace heteroscope::compute
