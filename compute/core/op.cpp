// SPDX-License-Identifier: Apache-2.0
#include "compute/core/op.h"

namespace heteroscope::compute {

OpFacts opFacts(const Op& op) {
    return std::visit([](const auto& one) { return opFacts(one); }, op);
}

std::string opName(const Op& op) {
    return opFacts(op).name;
}

std::string opDetail(const Op& op) {
    return opFacts(op).detail;
}

Result<OperandSizes> operandElements(const Op& op) {
    return opFacts(op).sizes;
}

double opMinimumBytes(const Op& op) {
    return opFacts(op).bytes;
}

double opFlops(const Op& op) {
    return opFacts(op).flops;
}

} // namespace heteroscope::compute
