// SPDX-License-Identifier: Apache-2.0
// What backends ask of a target's options: known names, thread counts, one of a list. Pure functions.
#pragma once

#include "compute/base/result.h"
#include "compute/core/target.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

/// Error (BadInput) when the target has an option that is not in `known`.
Status checkOptionNames(const Target& target, const std::vector<std::string>& known);

/// The option "threads": 1 to 1024; absent or 0 means one for each core this process may use.
Result<int> threadOption(const Target& target);

/// The option's value, or `fallback` when absent; an error when it is none of `allowed`.
Result<std::string> choiceOption(const Target& target, const std::string& name,
                                 const std::vector<std::string>& allowed, const std::string& fallback);

} // namespace heteroscope::compute
