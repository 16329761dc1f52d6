// SPDX-License-Identifier: Apache-2.0
// What the beginnings of data files tell of the examples in them. Any thread.
#pragma once

#include "compute/data/example_set.h"

#include <optional>

namespace heteroscope::compute {

/// Of the training files, or the test files.
struct ExamplesHeader {
    std::optional<std::int64_t> count;   ///< nothing: the whole file would have to be read
    std::int64_t aboutCount = 0;         ///< where it is not known: estimated from the beginning
    std::int64_t rawBytes = 0;           ///< as they stand in the file, held while numbers are made of them
    Shape4 image;                        ///< n = 1
    std::vector<std::string> classNames; ///< where they are known without reading all
};

/// An error and the pointer of the name of the file that it is about.
struct HeaderError {
    const char* pointer;
    Error error;
};

/// Of sources with files. On an error `fault` is set.
std::optional<ExamplesHeader> readExamplesHeader(const ReadRequest& request,
                                                 std::optional<HeaderError>& fault);

} // namespace heteroscope::compute
