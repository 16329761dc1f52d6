// SPDX-License-Identifier: Apache-2.0
// Functions of one element, and softmax.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heteroscope::compute {

enum class ActivationKind { Relu, Relu6, LeakyRelu, Sigmoid, Tanh, Gelu, HardSwish, HardSigmoid };

/// All that is said of a kind besides its two functions, which `sequential`, `openmp` and the GPU's kernels
/// have each for themselves; cuDNN and cuBLAS fall back on the latter, `onednn` has loops of its own for
/// kinds that its library lacks. Layer types, facts of operations, ONNX in both directions and the tests go
/// through these rows.
struct ActivationTraits {
    ActivationKind kind;
    const char* name;  ///< of the layer type and, before ".forward", of the operation
    const char* label; ///< for people
    const char* help;
    int forwardFlops, backwardFlops; ///< of an element; an exponential or an error function is one
    bool derivativeReadsInput;       ///< the derivative is taken from the forward's input, else its result
    const char* onnxOperator;        ///< that computes it without attributes or inputs; empty: none does
    int onnxOpset;                   ///< the first operator set that has it
};

inline constexpr ActivationTraits kActivations[] = {
    {ActivationKind::Relu, "relu", "ReLU", "max(x, 0)", 1, 1, false, "Relu", 1},
    {ActivationKind::Relu6, "relu6", "ReLU6", "min(max(x, 0), 6)", 2, 2, false, "", 0},
    {ActivationKind::LeakyRelu, "leaky_relu", "Leaky ReLU", "x above zero, slope times x below.", 2, 2, false,
     "", 0},
    {ActivationKind::Sigmoid, "sigmoid", "Sigmoid", "1 / (1 + exp(-x))", 3, 3, false, "Sigmoid", 1},
    {ActivationKind::Tanh, "tanh", "Tanh", "The hyperbolic tangent.", 1, 3, false, "Tanh", 1},
    {ActivationKind::Gelu, "gelu", "GELU", "x times the share of a normal distribution below x", 5, 8, true,
     "Gelu", 20},
    {ActivationKind::HardSwish, "hard_swish", "Hard swish", "x min(max(x + 3, 0), 6) / 6", 4, 4, true,
     "HardSwish", 14},
    {ActivationKind::HardSigmoid, "hard_sigmoid", "Hard sigmoid", "min(max(x / 6 + 1/2, 0), 1)", 3, 3, true,
     "", 0},
};

constexpr const ActivationTraits& activationTraits(ActivationKind kind) {
    return kActivations[static_cast<std::size_t>(kind)];
}
static_assert(
    [] {
        std::size_t row = 0;
        for (const ActivationTraits& traits : kActivations)
            if (static_cast<std::size_t>(traits.kind) != row++)
                return false;
        return row == static_cast<std::size_t>(ActivationKind::HardSigmoid) + 1; // the last kind
    }(),
    "each kind has a row, in their order");

constexpr const char* activationName(ActivationKind kind) {
    return activationTraits(kind).name;
}
constexpr bool derivativeReadsInput(ActivationKind kind) {
    return activationTraits(kind).derivativeReadsInput;
}
/// nullptr: no kind has this name.
const ActivationTraits* findActivation(std::string_view name);

/// relu max(x, 0); relu6 min(max(x, 0), 6); leaky_relu x for x >= 0, else slope x; sigmoid 1 / (1 + e^-x);
/// tanh; gelu x (1 + erf(x / sqrt 2)) / 2, without an approximation (Hendrycks and Gimpel 2016); hard_swish
/// x min(max(x + 3, 0), 6) / 6 and hard_sigmoid min(max(x / 6 + 1/2, 0), 1) (Howard et al. 2019, "Searching
/// for MobileNetV3"). NaN stays NaN. Operands: src [0] -> dst [0], which may be the same memory.
struct ActivationForward {
    ActivationKind kind = ActivationKind::Relu;
    std::int64_t elements = 1;
    double slope = 0.01; ///< leaky_relu: above 0
};

/// From the forward's result y: relu 1 for y > 0; relu6 1 for 0 < y < 6; leaky_relu 1 for y > 0, else slope;
/// sigmoid y (1 - y); tanh 1 - y y. From its input x, where derivativeReadsInput(): gelu
/// (1 + erf(x / sqrt 2)) / 2 + x e^(-x x / 2) / sqrt(2 pi); hard_swish 0 for x <= -3, 1 for x >= 3, else
/// x / 3 + 1/2; hard_sigmoid 1/6 for -3 < x < 3. Operands: dst or src of the forward [0], dstGrad [1] ->
/// srcGrad [0], which may be dstGrad's memory.
struct ActivationBackward {
    ActivationKind kind = ActivationKind::Relu;
    std::int64_t elements = 1;
    double slope = 0.01;
};

/// e^(x - m) / sum of e^(x - m) over the channels of each n, h, w, with m their maximum.
/// Operands: src [0] -> dst [0], which may be the same memory.
struct SoftmaxForward {
    Shape4 src;
};

/// srcGrad = y (dstGrad - sum over the channels of dstGrad y). Operands: dst of the forward y [0], dstGrad
/// [1] -> srcGrad [0], which may be dstGrad's memory.
struct SoftmaxBackward {
    Shape4 src;
};

OpFacts opFacts(const ActivationForward& op);
OpFacts opFacts(const ActivationBackward& op);
OpFacts opFacts(const SoftmaxForward& op);
OpFacts opFacts(const SoftmaxBackward& op);

} // namespace heteroscope::compute
