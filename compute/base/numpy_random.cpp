// SPDX-License-Identifier: Apache-2.0
// Bounded integers by masking and rejecting, as NumPy's legacy generator draws them.
#include "compute/base/numpy_random.h"

#include <bit>

namespace heteroscope::compute {

std::int64_t NumpyRandom::integer(std::int64_t low, std::int64_t high) {
    const auto range = static_cast<std::uint32_t>(high - low);
    if (range == 0)
        return low; // NumPy draws nothing for a single possible value
    const std::uint32_t mask = ~std::uint32_t{0} >> std::countl_zero(range);
    std::uint32_t draw = 0;
    do
        draw = static_cast<std::uint32_t>(m_engine()) & mask;
    while (draw > range);
    return low + static_cast<std::int64_t>(draw);
}

} // namespace heteroscope::compute
