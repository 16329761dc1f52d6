// SPDX-License-Identifier: Apache-2.0
// A whole file as bytes, its size bounded. Any thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace heteroscope::compute {

/// Errors (BadInput) name the file: none there, no regular file, larger than `mostBytes`, unreadable. The
/// bytes stay charged to `budget`.
Result<std::vector<std::uint8_t>> readFileBytes(const std::filesystem::path& file, std::int64_t mostBytes,
                                                MemoryBudget& budget);

} // namespace heteroscope::compute
