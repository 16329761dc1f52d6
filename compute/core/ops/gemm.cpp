// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/gemm.h"

#include "compute/base/checked_math.h"

namespace heteroscope::compute {
namespace {

Result<OperandSizes> gemmElements(const Gemm& op) {
    if (op.m < 1 || op.n < 1 || op.k < 1)
        return badInput("matmul",
                        "found m = " + std::to_string(op.m) + ", n = " + std::to_string(op.n) +
                            ", k = " + std::to_string(op.k),
                        "whole numbers from 1");
    // In bytes, so that callers may multiply by the element size.
    const auto a = checkedProduct({op.m, op.k, 4});
    const auto b = checkedProduct({op.k, op.n, 4});
    const auto c = checkedProduct({op.m, op.n, 4});
    if (!a || !b || !c)
        return badInput("matmul", "a matrix does not fit 63 bits of bytes", {}, "choose smaller m, n and k");
    return OperandSizes{{*a / 4, *b / 4}, {*c / 4}, {}};
}

} // namespace

OpFacts opFacts(const Gemm& op) {
    const auto sizes = gemmElements(op);
    OpFacts facts{"gemm",
                  "m" + std::to_string(op.m) + " n" + std::to_string(op.n) + " k" + std::to_string(op.k),
                  sizes};
    if (sizes) {
        facts.bytes = operandBytes(*sizes);
        facts.flops = 2.0 * static_cast<double>(op.m) * static_cast<double>(op.n) * static_cast<double>(op.k);
    }
    return facts;
}

} // namespace heteroscope::compute
