// SPDX-License-Identifier: Apache-2.0
// Files of the MNIST family: a big-endian header (two zero bytes, the type 0x08, the number of dimensions,
// the dimensions), then unsigned bytes. Gzip-compressed files are read as they are. Any thread. Format:
// LeCun, Cortes, Burges, "The MNIST database of handwritten digits".
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace heteroscope::compute {

struct IdxArray {
    std::vector<std::int64_t> dims; ///< one to four, each at least 1
    std::vector<std::uint8_t> values;
};

/// At most `mostBytes` of values, which stay charged to `budget`. Errors (BadInput) name the file and the
/// byte.
Result<IdxArray> readIdx(const std::filesystem::path& file, std::int64_t mostBytes, MemoryBudget& budget);

/// The dimensions alone. Of a file that is not compressed, its size is checked as well.
Result<std::vector<std::int64_t>> readIdxDims(const std::filesystem::path& file);

} // namespace heteroscope::compute
