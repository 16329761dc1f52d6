// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/multiply.h"

#include "compute/core/ops/window_extent.h"

namespace heteroscope::compute {

namespace {

using Extents = std::array<std::int64_t, ProductAxes::kAxes>;

Extents extentsOf(const Shape4& s) {
    return {s.n, s.c, s.h, s.w};
}

OpFacts noProduct(const char* name, const std::string& detail) {
    return impossible(name, detail,
                      badInput("shapes", detail + " do not broadcast",
                               "extents that are the same on each axis, or 1 in one of the two"));
}

} // namespace

std::optional<Shape4> broadcastShape(const Shape4& a, const Shape4& b) {
    const Extents first = extentsOf(a), second = extentsOf(b);
    Extents all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (first[i] != second[i] && first[i] != 1 && second[i] != 1)
            return std::nullopt;
        all[i] = first[i] == 1 ? second[i] : first[i];
    }
    return Shape4{all[0], all[1], all[2], all[3]};
}

OpFacts opFacts(const Multiply& op) {
    const std::string detail = shapeText(op.a) + " " + shapeText(op.b);
    const std::optional<Shape4> dst = broadcastShape(op.a, op.b);
    if (!dst)
        return noProduct("mul.forward", detail);
    return plainFacts("mul.forward", detail, {tensorElements(op.a), tensorElements(op.b)},
                      {tensorElements(*dst)}, countOf(*dst));
}

OpFacts opFacts(const MultiplyBackward& op) {
    const std::string detail = shapeText(op.factor) + " " + shapeText(op.other);
    const std::optional<Shape4> dst = broadcastShape(op.factor, op.other);
    if (!dst)
        return noProduct("mul.backward", detail);
    return plainFacts("mul.backward", detail, {tensorElements(*dst), tensorElements(op.other)},
                      {tensorElements(op.factor)}, (*dst == op.factor ? 1.0 : 2.0) * countOf(*dst));
}

std::int64_t ProductAxes::elements() const {
    std::int64_t product = 1;
    for (const Axis& axis : axes)
        product *= axis.extent;
    return product;
}

std::array<std::int64_t, 3> ProductAxes::at(std::int64_t index) const {
    std::array<std::int64_t, 3> place{};
    for (std::size_t i = axes.size(); i-- > 0; index /= axes[i].extent)
        for (std::size_t t = 0; t < place.size(); ++t)
            place[t] += index % axes[i].extent * axes[i].steps[t];
    return place;
}

ProductAxes ProductAxes::along(std::size_t which, bool advances) const {
    ProductAxes result;
    std::size_t last = axes.size();
    for (std::size_t i = axes.size(); i-- > 0;)
        if (axes[i].extent > 1 && (axes[i].steps[which] != 0) == advances)
            result.axes[--last] = axes[i];
    return result;
}

ProductAxes productAxes(const Shape4& all, const std::array<Shape4, 3>& tensors) {
    const Extents extents = extentsOf(all);
    std::array<std::int64_t, 3> steps{1, 1, 1};
    ProductAxes result;
    std::size_t last = result.axes.size(); // the axis that was made last
    for (std::size_t i = extents.size(); i-- > 0;) {
        if (extents[i] == 1)
            continue;
        ProductAxes::Axis axis{extents[i], {}};
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const std::int64_t own = extentsOf(tensors[t])[i];
            axis.steps[t] = own == 1 ? 0 : steps[t];
            steps[t] *= own;
        }
        const auto continues = [&](std::size_t t) {
            const ProductAxes::Axis& inside = result.axes[last];
            return axis.steps[t] == inside.extent * inside.steps[t];
        };
        if (last < result.axes.size() && continues(0) && continues(1) && continues(2))
            result.axes[last].extent *= axis.extent;
        else
            result.axes[--last] = axis;
    }
    return result;
}

} // namespace heteroscope::compute
