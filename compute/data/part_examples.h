// SPDX-License-Identifier: Apache-2.0
// Single examples of a part of a dataset, to be looked at. Any thread.
#pragma once

#include "compute/data/example_set.h"

#include <span>

namespace heteroscope::compute {

enum class DataPart { Training, Validation, Test };

/// The examples of a training's part at these places of it, in the given order: as the network was given
/// them, resized that is, but with the values of the files: neither normalised nor changed at random. What is
/// not asked for is not kept, and image files are not even opened. Errors are loadDataset's, and a place
/// that the part does not have.
Result<ExampleSet> loadPartExamples(const DataSpec& data, const Shape4& input, const std::string& directory,
                                    DataPart part, std::span<const std::int64_t> places);

} // namespace heteroscope::compute
