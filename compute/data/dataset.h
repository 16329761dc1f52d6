// SPDX-License-Identifier: Apache-2.0
// Images with targets, split for training, validation and test. Host memory; read once, shared by all
// targets.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "compute/experiment/spec/spec.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct Examples {
    std::int64_t count = 0;
    std::vector<float> images;  ///< count x image elements
    std::vector<float> targets; ///< count x target elements; a class is its number
};

struct Dataset {
    Shape4 image;                    ///< n = 1
    std::int64_t targetElements = 1; ///< of one image
    Examples training, validation, test;
};

/// Values become (byte / 255 - mean) / deviation. The validation part is the last share of the training
/// files. Errors name the file and byte, or the JSON pointer when files and network disagree.
Result<Dataset> loadDataset(const NetworkExperiment& experiment, const std::string& directory);

/// The order of an epoch: a permutation of 0 to count - 1 that depends on seed and epoch alone.
std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

} // namespace heteroscope::compute
