// SPDX-License-Identifier: Apache-2.0
// Loads the parts of the program that need libraries which may not be there (CUDA, cuBLAS, cuDNN). What
// cannot be loaded becomes a device or implementation with its reason. Main thread, once per process.
#pragma once

#include "compute/core/backend_registry.h"
#include "compute/core/target.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace heteroscope::cli {

/// What a process needs: every module, or those that the targets name (starting the driver takes a tenth of a
/// second, and a CPU study should not pay it).
struct ModuleWish {
    bool all = true;
    std::vector<compute::Target> targets;
};

/// The implementations linked into the program and the wished modules. The modules stay loaded until the
/// process ends.
compute::BackendRegistry makeRegistry(const ModuleWish& wish = {});

/// Where the modules lie: beside the program (../lib/heteroscope), or where the environment variable
/// HETEROSCOPE_MODULES says.
std::filesystem::path moduleFolder();

} // namespace heteroscope::cli
