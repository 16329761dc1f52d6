// SPDX-License-Identifier: Apache-2.0
// Loads the parts of the program that need libraries which may not be there (CUDA, cuBLAS, cuDNN). What
// cannot be loaded becomes a device or implementation with its reason. Main thread, once per process.
#pragma once

#include "compute/core/backend_registry.h"
#include "compute/core/target.h"

#include <filesystem>
#include <string_view>
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

/// The entry that module `id` exports under `name`. Errors are the reason for people: no such module in this
/// build, a library it needs is missing, another build. The module stays loaded.
Result<const void*> loadModuleEntry(std::string_view id, const char* name);

template <class Entry>
Result<const Entry*> loadEntry(std::string_view id, const char* name) {
    const auto entry = loadModuleEntry(id, name);
    if (!entry)
        return entry.error();
    return static_cast<const Entry*>(*entry);
}

/// Where the modules lie: beside the program (../lib/heteroscope), or where the environment variable
/// HETEROSCOPE_MODULES says.
std::filesystem::path moduleFolder();

} // namespace heteroscope::cli
