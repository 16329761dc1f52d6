// SPDX-License-Identifier: Apache-2.0
// A quotient of whole numbers, rounded up. Any thread.
#pragma once

#include <type_traits>

namespace heteroscope {

/// How many parts of `part` (above 0) hold the `whole` (not below 0); no sum that could be too large is
/// formed.
template <class Whole, class Part>
constexpr std::common_type_t<Whole, Part> ceilDiv(Whole whole, Part part) {
    using Common = std::common_type_t<Whole, Part>;
    return Common(whole) / Common(part) + (Common(whole) % Common(part) != 0 ? 1 : 0);
}

} // namespace heteroscope
