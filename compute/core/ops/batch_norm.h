// SPDX-License-Identifier: Apache-2.0
// Batch normalisation over n, h and w of each channel.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

/// With the batch's own statistics. mean and the biased variance v of each channel;
/// dst = gamma (src - mean) / sqrt(v + epsilon) + beta; running = (1 - momentum) running + momentum x, where
/// x is the mean or the unbiased variance (PyTorch's rule). At least two values a channel. Operands: src [0],
/// gamma [1], beta [2], runningMean [3], runningVariance [4] -> dst [0], mean [1], 1 / sqrt(v + epsilon) [2],
/// the new runningMean [3] and runningVariance [4], which may be the old ones' memory.
struct BatchNormTrain {
    Shape4 src;
    double epsilon = 1e-5;
    double momentum = 0.1;
};

/// With given statistics. Operands: src [0], gamma [1], beta [2], mean [3], variance [4] -> dst [0], which
/// may be src's memory.
struct BatchNormInfer {
    Shape4 src;
    double epsilon = 1e-5;
};

/// Gradients of BatchNormTrain. Operands: src [0], dstGrad [1], gamma [2], and the forward's mean [3] and
/// 1 / sqrt(v + epsilon) [4] -> srcGrad [0], gammaGrad [1], betaGrad [2].
struct BatchNormBackward {
    Shape4 src;
};

OpFacts opFacts(const BatchNormTrain& op);
OpFacts opFacts(const BatchNormInfer& op);
OpFacts opFacts(const BatchNormBackward& op);

} // namespace heteroscope::compute
