// SPDX-License-Identifier: Apache-2.0
// Max and average pooling.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

namespace heteroscope::compute {

enum class PoolMode { Max, Average };

/// What a padded element counts as in max pooling: minus infinity (the field's rule, padding never wins) or
/// zero (the thesis method). Average pooling always adds zeros.
enum class PadValue { NegativeInfinity, Zero };

struct PoolParams {
    PoolMode mode = PoolMode::Max;
    Extent2d kernel{2, 2};
    Extent2d stride{2, 2};
    Padding2d padding;
    PadValue padValue = PadValue::NegativeInfinity;
    bool countIncludePad =
        true; ///< average: divide by the kernel area (true) or by the elements inside the input
    bool operator==(const PoolParams&) const = default;
};

/// floor((in + before + after - kernel) / stride) + 1 per axis; an error when kernel, stride or padding are
/// impossible (kernel or stride < 1, padding < 0, padding >= kernel, window larger than the padded input,
/// overflow).
Result<Shape4> poolOutputShape(const PoolParams& params, const Shape4& src);

/// dst = pool(src). Operands: src [0] -> dst [0]. Ties: the first element in row-major order wins. NaN
/// propagates.
struct PoolForward {
    PoolParams params;
    Shape4 src;
};

/// Gradient of PoolForward. Operands: src [0], dstGrad [1] and, where the caller has it, the forward's dst
/// [2] (for implementations whose library reads it) -> srcGrad [0]. Max: the whole gradient goes to the first
/// maximum of each window (nothing when a zero pad wins); overlapping windows add up. srcGrad is overwritten.
struct PoolBackward {
    PoolParams params;
    Shape4 src;
};

OpFacts opFacts(const PoolForward& op);
OpFacts opFacts(const PoolBackward& op);

} // namespace heteroscope::compute
