// SPDX-License-Identifier: Apache-2.0
// Images (PNG, JPEG, BMP, PGM, PPM) as planes of float32: values 0 to 255, or 0 to 65535 for 16-bit files.
// Any thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"
#include "compute/core/shape.h"

#include <filesystem>
#include <vector>

namespace heteroscope::compute {

struct ImagePlanes {
    Shape4 shape; ///< 1 x channels x height x width
    std::vector<float> values;
    double largest = 255; ///< the value that means one: 65535 of 16-bit files
};

/// From the header alone. Errors name the file and the byte.
Result<Shape4> imageShape(const std::filesystem::path& file, bool grey);
Result<ImagePlanes> readImage(const std::filesystem::path& file, bool grey);
/// All that decoding allocates is charged to `budget`; the values stay charged.
Result<ImagePlanes> readImage(const std::filesystem::path& file, bool grey, MemoryBudget& budget);

} // namespace heteroscope::compute
