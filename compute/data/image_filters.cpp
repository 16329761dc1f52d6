// SPDX-License-Identifier: Apache-2.0
#include "compute/data/image_filters.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {

std::vector<float> sobel(std::span<const float> image, const Shape4& shape) {
    std::vector<float> out;
    out.reserve(image.size());
    for (std::int64_t channel = 0; channel < shape.c; ++channel) {
        const float* plane = image.data() + channel * shape.h * shape.w;
        const auto at = [&](std::int64_t y, std::int64_t x) {
            return plane[std::clamp<std::int64_t>(y, 0, shape.h - 1) * shape.w +
                         std::clamp<std::int64_t>(x, 0, shape.w - 1)];
        };
        for (std::int64_t y = 0; y < shape.h; ++y)
            for (std::int64_t x = 0; x < shape.w; ++x) {
                const float right = at(y - 1, x + 1) + 2 * at(y, x + 1) + at(y + 1, x + 1);
                const float left = at(y - 1, x - 1) + 2 * at(y, x - 1) + at(y + 1, x - 1);
                const float lower = at(y + 1, x - 1) + 2 * at(y + 1, x) + at(y + 1, x + 1);
                const float upper = at(y - 1, x - 1) + 2 * at(y - 1, x) + at(y - 1, x + 1);
                out.push_back(std::hypot(right - left, lower - upper));
            }
    }
    return out;
}

std::vector<float> pooledByTwo(std::span<const float> image, Shape4& shape) {
    const Shape4 from = shape;
    shape.h /= 2;
    shape.w /= 2;
    std::vector<float> out;
    for (std::int64_t channel = 0; channel < from.c; ++channel)
        for (std::int64_t y = 0; y < shape.h; ++y)
            for (std::int64_t x = 0; x < shape.w; ++x) {
                const float* corner = image.data() + (channel * from.h + 2 * y) * from.w + 2 * x;
                out.push_back(
                    std::max(std::max(corner[0], corner[1]), std::max(corner[from.w], corner[from.w + 1])));
            }
    return out;
}

} // namespace heteroscope::compute
