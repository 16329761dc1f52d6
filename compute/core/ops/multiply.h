// SPDX-License-Identifier: Apache-2.0
// Products of two tensors, element by element, of which each is repeated along the axes where it has one
// element and the other more: NumPy's broadcasting, as ONNX' Mul has it.
#pragma once

#include "compute/core/ops/op_facts.h"
#include "compute/core/shape.h"

#include <array>
#include <optional>

namespace heteroscope::compute {

/// dst = a b. Operands: a [0], b [1] -> dst [0] of broadcastShape(a, b), which may be the memory of an
/// operand of its size.
struct Multiply {
    Shape4 a, b;
};

/// The gradient of one factor of a Multiply: dstGrad times the other factor, summed over the axes along which
/// the factor was repeated. Operands: dstGrad [0] of broadcastShape(factor, other), other [1] -> factorGrad
/// [0], which may be dstGrad's memory where it has its size.
struct MultiplyBackward {
    Shape4 factor, other;
};

OpFacts opFacts(const Multiply& op);
OpFacts opFacts(const MultiplyBackward& op);

/// Of a product; nothing where extents differ and neither is 1.
std::optional<Shape4> broadcastShape(const Shape4& a, const Shape4& b);

/// A product's axes for loops, the innermost last; neighbours that are walked alike are one axis, and axes of
/// one element are left out (those at the front have extent 1). Steps are in elements: 0 where a factor is
/// repeated, and where the sum of a gradient stays at its place.
struct ProductAxes {
    static constexpr int kAxes = 4;
    struct Axis {
        std::int64_t extent = 1;
        std::array<std::int64_t, 3> steps{}; ///< of the three tensors that were given
        bool operator==(const Axis&) const = default;
    };
    std::array<Axis, kAxes> axes;

    const Axis& inner() const { return axes[kAxes - 1]; }
    std::int64_t elements() const;
    /// Where the tensors are read at `index` of elements(), the innermost axis walked first.
    std::array<std::int64_t, 3> at(std::int64_t index) const;
    /// The axes along which tensor `which` advances, or those along which it is repeated.
    ProductAxes along(std::size_t which, bool advances) const;
};

/// `all`: the product's shape; each of the others has its extents or 1.
ProductAxes productAxes(const Shape4& all, const std::array<Shape4, 3>& tensors);

} // namespace heteroscope::compute
