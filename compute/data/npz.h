// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz archives: named float32 arrays in a zip file. Any thread, one file at a time.
#pragma once

#include "compute/base/npy.h"

namespace heteroscope::compute {

using NpzArrays = NamedArrays;

/// Errors: BadInput with the file, the entry and the offset in it.
Result<NpzArrays> readNpz(const std::filesystem::path& file);

/// Replaces the file only when everything was written. Errors: Io.
Status writeNpz(const std::filesystem::path& file, const NpzArrays& arrays);

} // namespace heteroscope::compute
