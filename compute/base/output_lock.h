// SPDX-License-Identifier: Apache-2.0
// Who writes a file: locks that end with their holder, however it ends, and keep nobody from reading. Any
// thread.
#pragma once

#include "compute/base/file_system.h"
#include "compute/base/result.h"

#include <string>
#include <vector>

namespace heteroscope {

/// A file that is written beside the one that it will replace. The lock lies on the open file and goes with
/// it through a rename.
struct PartFile {
    int fd = -1;
    std::string path;
    bool locked = false; ///< false where the file system knows no locks
};

/// What such a file is called: ".NAME.TAG.heteroscope-part" in the folder of `target`, never longer than a
/// name may be.
std::string partPath(const std::string& target, const std::string& tag);

/// Creates the file and locks it. With `exclusive` there is one name for all writers of `target`, so that
/// there is one writer at a time; else the name is this writer's own. What a killed writer left under the
/// name is begun anew. Errors: BadInput when another one writes (the sentence names `shown`, the process
/// where it is known, and what to do), Io.
Result<PartFile> createPart(const std::string& target, const std::string& shown, bool exclusive,
                            FileSystem& files);

/// Error as above when some process writes the file now.
Status requireNoWriter(const std::string& path, const std::string& shown);

/// Removes what killed writers left in the folder: files with names of partPath() that nobody has locked, but
/// for those that are read now.
void removeAbandonedParts(const std::string& folder, FileSystem& files,
                          const std::vector<std::string>& inputs = {});

} // namespace heteroscope
