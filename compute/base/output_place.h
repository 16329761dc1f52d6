// SPDX-License-Identifier: Apache-2.0
// Where writing to a path ends up. Asks the file system; any thread.
#pragma once

#include "compute/base/error.h"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace heteroscope {

struct OutputPlace {
    std::string path;    ///< with symbolic links followed where asked, also one that leads to no file yet
    bool exists = false; ///< and then:
    bool folder = false;
    bool direct = false; ///< a device, a pipe or a descriptor: nothing can be renamed over it
    /// The number in /dev/stdout, /dev/fd/N, /proc/self/fd/N; -1: another path. Such a descriptor is shared
    /// with whoever else writes to it, and with its position.
    int descriptor = -1;
    mode_t mode = 0; ///< permissions
    off_t bytes = 0;
};

OutputPlace outputPlace(const std::string& path, bool followLinks = true);

/// Why a pipe, a socket or a device could not be opened for writing. `systemError`: errno of open(); `shown`:
/// the name for the sentence.
Error openRefusal(const std::string& path, const std::string& shown, int systemError);

/// Whether `path` is `folder` or lies below it. Of the writing alone: both absolute, links followed.
bool liesIn(const std::filesystem::path& path, const std::filesystem::path& folder);
/// Whether both name one file, through links or not; false when either is not there.
bool isSameFile(const std::string& a, const std::string& b);
/// Whether `file`, which is there, is one of the inputs under any name, or lies in a folder that is one.
bool isInput(const std::string& file, const std::vector<std::string>& inputs);

} // namespace heteroscope
