// SPDX-License-Identifier: Apache-2.0
// Examples with targets, split for training, validation and test. Host memory; read once, shared by all
// runs.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "compute/data/example_set.h"
#include "compute/experiment/spec/spec.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct Dataset {
    Shape4 image;                    ///< n = 1
    std::int64_t targetElements = 1; ///< of one image
    Examples training, validation, test;
    std::vector<std::string> classNames; ///< empty: classes are called by their numbers
    /// What is still to be done with each training image in every epoch; the rest has been done to all. Its
    /// draws depend on `seed`.
    std::vector<TransformSpec> augmentations;
    std::uint64_t seed = 0;

    std::string className(std::int64_t number) const;
};

/// The validation part is the last share of the training examples, the test part the last one before it where
/// there are no test files. Transforms are done in their order: up to the first random one on all examples,
/// from there on as `augmentations` on training examples, while random ones leave the others alone. An
/// inference takes the test part, or everything where there is none, made as in the training; it is `test`
/// then. Errors name the file and byte or line, or the JSON pointer when files and network disagree.
Result<Dataset> loadDataset(const NetworkExperiment& experiment, const std::string& directory);

/// Whether a network with this input takes these images, which have been through the transforms. The error
/// stands at /network/input/shape.
Status checkImageFits(const Shape4& input, const Shape4& image);
/// Whether so many training examples make a batch. The error stands at /training/batch.
Status checkBatchFits(std::int64_t examples, std::int64_t batch);

/// The order of an epoch: a permutation of 0 to count - 1 that depends on seed and epoch alone.
std::vector<std::int64_t> shuffledOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

} // namespace heteroscope::compute
