// SPDX-License-Identifier: Apache-2.0
// Which examples of the files belong to which part of a dataset. Any thread.
#pragma once

#include "compute/data/example_set.h"

#include <span>

namespace heteroscope::compute {

/// Numbers of examples in the training files, in the order of each part.
struct Split {
    std::vector<std::int64_t> training, validation, test;
};

/// Whether the test part has files of its own, or is drawn for itself.
bool hasTestFiles(const DataSpec& data, const std::filesystem::path& directory);

/// How many examples each part has.
struct SplitSizes {
    std::int64_t training = 0, validation = 0, test = 0;
};
SplitSizes splitSizes(const DataSpec& data, std::int64_t count, bool testFiles);

/// Of `count` examples: training, then test where there are no files for it, then validation.
Split splitOf(const DataSpec& data, std::int64_t count, bool testFiles);

/// Those of `count` examples of the test files that are taken: all, or the first ones.
std::vector<std::int64_t> testOrder(const DataSpec& data, std::int64_t count);

/// Some examples of a set, in the given order; each number is of one of them.
Examples chooseExamples(const ExampleSet& set, std::span<const std::int64_t> which);

} // namespace heteroscope::compute
