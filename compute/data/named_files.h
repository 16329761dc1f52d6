// SPDX-License-Identifier: Apache-2.0
// Which files an experiment names, and where they are: the one list that `check`, `--confine` and what may be
// written over go by. Any thread.
#pragma once

#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Levels of a folder that readers of data look at: classes, images.
inline constexpr int kInputFolderLevels = 2;

struct NamedFile {
    std::string pointer; ///< JSON pointer of its name
    std::filesystem::path path;
    bool isFolder = false; ///< what is read are the files in it, at most two levels deep
};

/// A name as the experiment gives it, relative to its folder; an absolute one stays as it is.
std::filesystem::path placedFile(const std::string& directory, const std::string& name);

/// "arrays.npz:name" in two; of other names the second part is empty.
struct ArrayPlace {
    std::string file, array;
};
ArrayPlace arrayPlace(const std::string& name);

/// Every file that a run of this point would open, whether it is there or not. Nothing is looked at.
std::vector<NamedFile> namedFiles(const ExperimentSpec& pointSpec);
/// Those of the experiment and of all its points, each once. Errors: expandPoints()'s.
Result<std::vector<NamedFile>> namedFilesOfStudy(const ExperimentSpec& spec);

} // namespace heteroscope::compute
