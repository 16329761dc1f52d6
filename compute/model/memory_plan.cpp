// SPDX-License-Identifier: Apache-2.0
#include "compute/model/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {

namespace {

bool meet(const Lifetime& a, const Lifetime& b) {
    return a.first <= b.last && b.first <= a.last;
}

std::int64_t aligned(std::int64_t elements, std::int64_t alignment) {
    return (elements + alignment - 1) / alignment * alignment;
}

/// The lowest offset at which `tensor` overlaps none of `placed` (sorted by offset) that live with it.
std::int64_t lowestPlace(const Lifetime& tensor, const std::vector<const Lifetime*>& placed,
                         std::int64_t alignment) {
    std::int64_t offset = 0;
    for (const Lifetime* other : placed)
        if (meet(tensor, *other)) {
            if (other->offset >= offset + tensor.elements)
                break;
            offset = std::max(offset, aligned(other->offset + other->elements, alignment));
        }
    return offset;
}

} // namespace

std::int64_t placeTensors(std::vector<Lifetime>& tensors, std::int64_t alignment) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return tensors[a].elements > tensors[b].elements; });
    std::vector<const Lifetime*> placed;
    std::int64_t size = 0;
    for (const std::size_t index : order) {
        Lifetime& tensor = tensors[index];
        tensor.offset = lowestPlace(tensor, placed, alignment);
        size = std::max(size, aligned(tensor.offset + tensor.elements, alignment));
        const auto place =
            std::upper_bound(placed.begin(), placed.end(), &tensor,
                             [](const Lifetime* a, const Lifetime* b) { return a->offset < b->offset; });
        placed.insert(place, &tensor);
    }
    return size;
}

} // namespace heteroscope::compute
