// SPDX-License-Identifier: Apache-2.0
// Makes the input tensors of an experiment. Sizes are checked before anything is allocated.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "compute/experiment/spec/spec.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

/// Host memory of a dense tensor. Sessions copy it into their own, aligned buffers.
struct HostTensor {
    Shape4 shape;
    std::vector<float> values;
};

/// The shape an input file would give, read from its header only. Random and manual inputs need no file.
Result<Shape4> inputShape(const InputSpec& input, const std::string& directory);

/// Errors name the file and the offset, or the JSON pointer.
Result<HostTensor> loadInput(const InputSpec& input, const std::string& directory);

} // namespace heteroscope::compute
