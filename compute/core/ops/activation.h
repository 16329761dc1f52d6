// SPDX-License-Identifier: Apache-2.0
// Functions of one element, and softmax.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

enum class ActivationKind { Relu, Relu6, LeakyRelu, Sigmoid, Tanh, Gelu, HardSwish, HardSigmoid };

/// "relu", "relu6", "leaky_relu", "sigmoid", "tanh", "gelu", "hard_swish", "hard_sigmoid"
const char* activationName(ActivationKind kind);
/// Whether the derivative is taken from the forward's input; else from its result.
bool derivativeReadsInput(ActivationKind kind);

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
