// SPDX-License-Identifier: Apache-2.0
// Products with broadcasting: every element of the product, and where its factors lie.
#include "compute/backends/sequential/sequential_ops.h"

#include <vector>

namespace heteroscope::compute::sequential {

namespace {

/// The index of a product's element in a tensor that is repeated along its axes of one element.
std::int64_t indexIn(const Shape4& s, std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) {
    return (((s.n == 1 ? 0 : n) * s.c + (s.c == 1 ? 0 : c)) * s.h + (s.h == 1 ? 0 : y)) * s.w +
           (s.w == 1 ? 0 : x);
}

/// Calls f(index in the product, in a, in b) for every element of the product.
template <class Function>
void forEachProduct(const Shape4& a, const Shape4& b, Function f) {
    const Shape4 all = broadcastShape(a, b).value_or(Shape4{});
    std::int64_t i = 0;
    for (std::int64_t n = 0; n < all.n; ++n)
        for (std::int64_t c = 0; c < all.c; ++c)
            for (std::int64_t y = 0; y < all.h; ++y)
                for (std::int64_t x = 0; x < all.w; ++x)
                    f(i++, indexIn(a, n, c, y, x), indexIn(b, n, c, y, x));
}

} // namespace

void compute(const Multiply& op, const HostOperands& operands) {
    forEachProduct(op.a, op.b, [&](std::int64_t i, std::int64_t inA, std::int64_t inB) {
        operands.dst[0][i] = operands.src[0][inA] * operands.src[1][inB];
    });
}

void compute(const MultiplyBackward& op, const HostOperands& operands) {
    std::vector<double> sums(static_cast<std::size_t>(op.factor.elements().value_or(0)));
    forEachProduct(op.factor, op.other, [&](std::int64_t i, std::int64_t inFactor, std::int64_t inOther) {
        sums[static_cast<std::size_t>(inFactor)] +=
            static_cast<double>(operands.src[0][i]) * static_cast<double>(operands.src[1][inOther]);
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
        operands.dst[0][i] = static_cast<float>(sums[i]);
}

} // namespace heteroscope::compute::sequential
