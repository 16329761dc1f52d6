// SPDX-License-Identifier: Apache-2.0
// Looks for tensors that an evaluation was given. Pure; any thread.
#pragma once

#include "compute/base/result.h"
#include "compute/data/npz.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::cli {

/// "4x3x2"
std::string shapeText(const std::vector<std::int64_t>& shape);

/// Errors name the tensor, what the file holds instead, and the wanted shape. The result points into
/// `tensors`.
Result<const compute::NpyArray*> tensor(const compute::NpzArrays& tensors, const std::string& name);
Result<const compute::NpyArray*> tensorOfShape(const compute::NpzArrays& tensors, const std::string& name,
                                               const std::vector<std::int64_t>& shape);

} // namespace heteroscope::cli
