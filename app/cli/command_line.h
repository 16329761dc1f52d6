// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to a verb and its exit code.
#pragma once

#include <string>
#include <vector>

namespace heteroscope::cli {

/// Runs the verb that `words` name; words[0] is the program. Returns the exit code
/// (compute/base/exit_code.h); sentences about errors have gone to stderr. Throws nothing.
int runCommandLine(const std::vector<std::string>& words);

} // namespace heteroscope::cli
