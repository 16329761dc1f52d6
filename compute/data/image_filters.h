// SPDX-License-Identifier: Apache-2.0
// Filters that previews of samples show beside the image. Pure functions; any thread.
#pragma once

#include "compute/core/shape.h"

#include <span>
#include <vector>

namespace heteroscope::compute {

/// The length of the gradient of each channel by Sobel's 3 x 3 kernels, the border repeated outside.
std::vector<float> sobel(std::span<const float> image, const Shape4& shape);

/// The largest of each 2 x 2 pixels; an odd last row or column is left out. The shape becomes the result's.
std::vector<float> pooledByTwo(std::span<const float> image, Shape4& shape);

} // namespace heteroscope::compute
