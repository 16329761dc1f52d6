// SPDX-License-Identifier: Apache-2.0
// Whether two implementations computed the same: digests and largest differences. Pure functions; any thread.
#pragma once

#include "compute/exec/work.h"

#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// 16 hexadecimal digits of the values' bits; the two zeros count as one. The same on every machine.
std::string outputDigest(std::span<const OutputTensor> outputs);

struct OutputError {
    double maxAbs = 0;
    /// Absolute error by the reference's size, or by the floor (of OutputTensor) or the smallest normal float
    /// where that is less.
    double maxRel = 0;
};

/// Two NaN are equal, as are two equal infinities; NaN or infinity against a number is an infinite error.
OutputError outputError(std::span<const float> values, std::span<const float> reference,
                        double errorFloor = 0);
OutputError outputError(const std::vector<OutputTensor>& outputs, const std::vector<OutputTensor>& reference);

} // namespace heteroscope::compute
