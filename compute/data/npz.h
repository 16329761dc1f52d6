// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz archives: named float32 arrays in a zip file. Any thread, one file at a time.
#pragma once

#include "compute/base/npy.h"
#include "compute/base/output_file.h"

namespace heteroscope::compute {

using NpzArrays = NamedArrays;

/// Errors: BadInput with the file, the entry and the offset in it.
Result<NpzArrays> readNpz(const std::filesystem::path& file);
/// The arrays stay charged to `budget`, all of them together; without one each archive has its own.
Result<NpzArrays> readNpz(const std::filesystem::path& file, MemoryBudget& budget);
/// One of them; the others are not read.
Result<NpyArray> readNpzArray(const std::filesystem::path& file, const std::string& name,
                              MemoryBudget& budget);

/// Replaces the file only when everything was written and is on the disk. The same arrays make the same
/// bytes, today and later. Errors: OutputFile's, Io; Usage without any array.
Status writeNpz(const std::filesystem::path& file, const NpzArrays& arrays, const OutputRules& rules = {},
                FileSystem& files = systemFiles());

} // namespace heteroscope::compute
