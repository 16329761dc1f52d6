// SPDX-License-Identifier: Apache-2.0
// Sums of tensors, parts of tensors, sums of squares.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

/// dst = a + b. Operands: a [0], b [1] -> dst [0], which may be either one's memory.
struct Add {
    std::int64_t elements = 1;
};

/// Copies `channels` channels of every image from srcChannel on to dstChannel on; the other channels of dst
/// stay as they are. Concatenation is one such copy an input, its gradient the copies back. Operands: src [0]
/// -> dst [0]; both have n images of the same height and width.
struct CopyChannels {
    Shape4 src;
    std::int64_t dstChannels = 1; ///< of the whole dst
    std::int64_t srcChannel = 0, dstChannel = 0, channels = 1;
};

/// The square of the L2 norm, of the gradient in a training. Operands: src [0] -> dst [0], one element.
struct SumOfSquares {
    std::int64_t elements = 1;
};

OpFacts opFacts(const Add& op);
OpFacts opFacts(const CopyChannels& op);
OpFacts opFacts(const SumOfSquares& op);

} // namespace heteroscope::compute
