// SPDX-License-Identifier: Apache-2.0
// Shapes of tensors: float32, NCHW, dense, row-major. Plain values.
#pragma once

#include "compute/base/checked_math.h"

#include <cstdint>
#include <optional>

namespace heteroscope::compute {

struct Extent2d {
    std::int64_t h = 1;
    std::int64_t w = 1;
    bool operator==(const Extent2d&) const = default;
};

struct Padding2d {
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;
    bool operator==(const Padding2d&) const = default;
};

struct Shape4 {
    std::int64_t n = 1, c = 1, h = 1, w = 1;
    bool operator==(const Shape4&) const = default;

    /// Elements, or nothing when the product does not fit 63 bits.
    std::optional<std::int64_t> elements() const { return checkedProduct({n, c, h, w}); }
    std::optional<std::int64_t> bytes() const { return checkedProduct({n, c, h, w, 4}); }
};

} // namespace heteroscope::compute
