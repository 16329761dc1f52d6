// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: over the c of each pixel of each image. Over whole samples: an image of one pixel with
// c h w channels, which is the same memory. Ba, Kiros and Hinton, "Layer Normalization", 2016.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

/// mean m and biased variance v over the channels of each pixel; dst = gamma (src - m) / sqrt(v + epsilon) +
/// beta. Operands: src [0], gamma [1] and beta [2] of c elements -> dst [0], which may be src's memory, and m
/// [1] and 1 / sqrt(v + epsilon) [2] of n h w elements. What is not finite makes its pixel NaN.
struct LayerNormForward {
    Shape4 src;
    double epsilon = 1e-5;
};

/// Gradients of LayerNormForward. Operands: src [0], dstGrad [1], gamma [2], and the forward's m [3] and
/// 1 / sqrt(v + epsilon) [4] -> srcGrad [0], gammaGrad [1], betaGrad [2].
struct LayerNormBackward {
    Shape4 src;
};

OpFacts opFacts(const LayerNormForward& op);
OpFacts opFacts(const LayerNormBackward& op);

} // namespace heteroscope::compute
