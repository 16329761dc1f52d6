// SPDX-License-Identifier: Apache-2.0
// What tests of the loaded modules share: where modules lie, and what the program says of its GPUs.
#pragma once

#include "tests/process/child_process.h"

#include <string>
#include <vector>

namespace heteroscope::process_test {

/// Below the build's lib folder: "heteroscope", "test_modules", "old_driver".
std::string libraryFolder(const std::string& name);

/// `file` is known in the folder as `name`.
void link(const std::string& file, const TemporaryFolder& folder, const std::string& name);

/// The program takes its modules from a folder.
ChildProcess::Options modulesIn(const TemporaryFolder& folder);

/// Why the first GPU that `heteroscope-cli devices` lists cannot be used; empty when it can.
std::string gpuReason(const ChildProcess::Options& options = {});

} // namespace heteroscope::process_test
