// SPDX-License-Identifier: Apache-2.0
// Operations with typed parameters. They say nothing of who computes them.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

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

/// C = A * B, all row-major and dense. Operands: A (m x k) [0], B (k x n) [1] -> C (m x n) [0].
struct Gemm {
    std::int64_t m = 1, n = 1, k = 1;
    /// Wanted product kernel ("guarded", "loops", "tiled", ...) where an implementation has several and its
    /// target names none; the others compute the same product their own way. Empty: the implementation's
    /// choice.
    std::string kernel = {};
};

using Op = std::variant<PoolForward, PoolBackward, Gemm>;

/// "maxpool.forward", "avgpool.backward", "gemm": the name in traces and messages.
std::string opName(const Op& op);
/// Short text of shape and parameters: "32x64x112x112 k2x2 s2x2 p0".
std::string opDetail(const Op& op);

/// Elements of each input and output operand, in the order given above; an error where a shape is impossible.
struct OperandSizes {
    std::vector<std::int64_t> src; ///< those that must be there
    std::vector<std::int64_t> dst;
    std::vector<std::int64_t> optionalSrc; ///< those that may follow src
};
Result<OperandSizes> operandElements(const Op& op);

/// Fewest bytes that must move (each input read once, each output written once) and floating-point operations
/// (comparisons count as one; a multiply-add as two). For rates and limits.
double opMinimumBytes(const Op& op);
double opFlops(const Op& op);

} // namespace heteroscope::compute
