// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution (cross-correlation, as the field names it), NCHW.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

struct ConvParams {
    std::int64_t filters = 1; ///< output channels
    Extent2d kernel{3, 3};
    Extent2d stride{1, 1};
    Padding2d padding; ///< zeros
    Extent2d dilation{1, 1};
    std::int64_t groups = 1; ///< channels and filters are multiples of it; groups = channels is depthwise
    bool bias = true;
    bool operator==(const ConvParams&) const = default;
};

/// Output extents as windowOutput() says; errors also where groups do not divide channels and filters.
Result<Shape4> convOutputShape(const ConvParams& params, const Shape4& src);

/// Elements of the weights: filters x channels / groups x kernel height x kernel width, in this order.
std::optional<std::int64_t> convWeightElements(const ConvParams& params, const Shape4& src);

/// dst[n,f,y,x] = bias[f] + sum over c, i, j of src[n, c, y s + i d - p, x s + j d - p] weights[f, c, i, j].
/// Operands: src [0], weights [1], bias [2] where there is one -> dst [0].
struct ConvForward {
    ConvParams params;
    Shape4 src;
};

/// The gradient of src. Operands: dstGrad [0], weights [1] -> srcGrad [0].
struct ConvBackwardData {
    ConvParams params;
    Shape4 src;
};

/// The gradients of the weights and of the bias where there is one, summed over the batch.
/// Operands: src [0], dstGrad [1] -> weightGrad [0], biasGrad [1].
struct ConvBackwardWeights {
    ConvParams params;
    Shape4 src;
};

OpFacts opFacts(const ConvForward& op);
OpFacts opFacts(const ConvBackwardData& op);
OpFacts opFacts(const ConvBackwardWeights& op);

} // namespace heteroscope::compute
