// SPDX-License-Identifier: Apache-2.0
// Places tensors in one block of memory so that those alive at the same time do not overlap. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

struct Lifetime {
    std::int64_t elements = 0;
    int first = 0, last = 0; ///< steps, both included
    std::int64_t offset = 0; ///< the result
};

/// Sets the offsets, multiples of `alignment`, and returns the size of the block: the largest tensors first,
/// each at the lowest place that is free for its whole life (the greedy rule of Pisarchyk and Lee, "Efficient
/// Memory Management for Deep Neural Net Inference", 2020).
std::int64_t placeTensors(std::vector<Lifetime>& tensors, std::int64_t alignment);

} // namespace heteroscope::compute
