// SPDX-License-Identifier: Apache-2.0
// The header of one array of an .npz archive, without the others and without its elements. Any thread.
#pragma once

#include "compute/base/npy.h"

namespace heteroscope::compute {

/// Errors (BadInput): the file with the names that it holds, or the entry and byte.
Result<NpyHeader> readNpzHeader(const std::filesystem::path& file, const std::string& array);

/// libzip's `code` as an error (BadInput) that says what to do.
Error cannotOpenNpz(const std::filesystem::path& file, int code);

} // namespace heteroscope::compute
