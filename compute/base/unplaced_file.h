// SPDX-License-Identifier: Apache-2.0
// Files that could not be given the name that they were written for. Any thread.
#pragma once

#include "compute/base/file_system.h"

#include <string>

namespace heteroscope {

/// "run.new.hscope" for run.hscope, and then "run.new-2.hscope": never longer than a name may be.
std::string unplacedPath(const std::string& target, int number);

/// Gives `part`, a file beside `target`, the first of these names that nobody has. Returns its name
/// then: `part` where it can be given no other.
std::string giveFreeName(const std::string& part, const std::string& target, FileSystem& files);

} // namespace heteroscope
