// SPDX-License-Identifier: Apache-2.0
// Average pooling to a given size: windows of different sizes that may overlap.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

/// Output row y averages the rows floor(y H / outH) to ceil((y + 1) H / outH) - 1, columns likewise
/// (PyTorch's rule). Operands: src [0] -> dst [0].
struct AdaptivePoolForward {
    Shape4 src;
    Extent2d output;
};

/// Operands: dstGrad [0] -> srcGrad [0].
struct AdaptivePoolBackward {
    Shape4 src;
    Extent2d output;
};

OpFacts opFacts(const AdaptivePoolForward& op);
OpFacts opFacts(const AdaptivePoolBackward& op);

} // namespace heteroscope::compute
