// SPDX-License-Identifier: Apache-2.0
// What is wrong with the data files of an experiment, found out without reading them whole: that they
// are there, their headers and sizes, how many examples they hold, and whether these fit the network. Any
// thread.
#pragma once

#include "compute/experiment/spec/spec_json.h"

#include <vector>

namespace heteroscope::compute {

/// Errors at the pointers of the files' names; empty when nothing is wrong, or the data are made up. Of
/// compressed files the sizes, of tables what follows the first MiB, and of folders all images but the first
/// are not looked at. Where that many examples are more than reading may hold (memory_budget.h), the error at
/// /data is OutOfMemory; a reader may want more than is counted here.
std::vector<Diagnostic> checkDataFiles(const ExperimentSpec& pointSpec);

} // namespace heteroscope::compute
