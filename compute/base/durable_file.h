// SPDX-License-Identifier: Apache-2.0
// Files that are whole under their name at every moment, also after a kill or a loss of power: written
// beside, flushed to the disk, renamed, the folder flushed. Any thread; one writer a name. Errors: Io, with
// the file and the system's words.
#pragma once

#include "compute/base/result.h"

#include <filesystem>
#include <string_view>

namespace heteroscope {

/// Flushes the file and gives it another name in the same folder, in place of what has that name. After a
/// failure `written` is gone.
Status publishFile(const std::filesystem::path& written, const std::filesystem::path& name);

/// Writes `bytes` to `beside`, then as publishFile().
Status writeDurably(const std::filesystem::path& beside, const std::filesystem::path& name,
                    std::string_view bytes);

} // namespace heteroscope
