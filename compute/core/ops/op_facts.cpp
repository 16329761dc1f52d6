// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/op_facts.h"

#include "compute/base/checked_math.h"

#include <utility>

namespace heteroscope::compute {

double operandBytes(const OperandSizes& sizes) {
    double elements = 0;
    for (const auto& side : {sizes.src, sizes.dst})
        for (const std::int64_t count : side)
            elements += static_cast<double>(count);
    return 4.0 * elements;
}

std::optional<std::int64_t> elementsOf(std::initializer_list<std::int64_t> extents) {
    for (const std::int64_t extent : extents)
        if (extent < 1)
            return std::nullopt;
    return checkedProduct(extents);
}

OpFacts plainFacts(std::string name, std::string detail, std::vector<std::optional<std::int64_t>> src,
                   std::vector<std::optional<std::int64_t>> dst, double flops) {
    OperandSizes sizes;
    for (auto* side : {&src, &dst})
        for (const auto& elements : *side) {
            if (!elements || *elements < 1 || !checkedMul(*elements, 4))
                return impossible(std::move(name), std::move(detail),
                                  badInput("input", "a tensor is empty or does not fit 63 bits of bytes", {},
                                           "choose sizes from 1 that are smaller"));
            (side == &src ? sizes.src : sizes.dst).push_back(*elements);
        }
    const double bytes = operandBytes(sizes);
    return {std::move(name), std::move(detail), std::move(sizes), bytes, flops};
}

OpFacts impossible(std::string name, std::string detail, Error error) {
    return {std::move(name), std::move(detail), std::move(error), 0, 0};
}

} // namespace heteroscope::compute
