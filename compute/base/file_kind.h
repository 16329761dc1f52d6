// SPDX-License-Identifier: Apache-2.0
// What a path names, before it is opened: opening a FIFO waits for a writer, and a device may never end. Asks
// the file system; any thread.
#pragma once

#include "compute/base/result.h"

#include <filesystem>
#include <string>

namespace heteroscope {

/// "procfs", "sysfs" and such, where what is read is made by the kernel and no file can be created; nothing
/// of a disk, and of what is not there. Of the file that a link leads to: /proc/self/fd/3 may be on a disk.
std::string kernelFileSystemOf(const std::filesystem::path& file);

/// "FIFO", "socket", "character device", "block device", "folder", "file that the kernel makes up (procfs)";
/// nothing for any other regular file, for what does not exist and for what cannot be asked.
std::string kindOfSpecialFile(const std::filesystem::path& file);

/// Errors (BadInput) name the file: none there, no right to look, or its kind. `expected` says what should
/// have been there ("a run file (.hscope)") and may be empty. Links are followed,
/// those of /proc/self/fd too.
Status requireRegularFile(const std::filesystem::path& file, const std::string& expected = {});

} // namespace heteroscope
