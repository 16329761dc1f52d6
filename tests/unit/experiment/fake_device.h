// SPDX-License-Identifier: Apache-2.0
// Devices that exist in a test only: they compute as cpu/sequential does, and have as much memory as they are
// told.
#pragma once

#include "compute/core/backend_registry.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

namespace heteroscope::compute {

/// One device. Outlives the registry that it is in.
struct FakeDevice {
    std::string id;                 ///< "cuda:0"
    std::int64_t freeBytes = 0;     ///< what it says is free
    std::size_t workspaceBytes = 0; ///< what each of its ops says it needs beside the operands
    bool sharesWorkspace = false;   ///< its ops use one such piece in turn
    std::int64_t heldBytes = 0;     ///< allocated now
    std::int64_t mostHeldBytes = 0;
    bool recordsRepetitions = false;
    std::int64_t recorded = 0; ///< operations that were recorded, not run
    std::int64_t launches = 0; ///< of recordings
};

/// The builtin implementations; each fake device is added with its implementations.
BackendRegistry registryForFakes();
void addFake(BackendRegistry& registry, FakeDevice& device,
             std::initializer_list<const char*> implementations);

} // namespace heteroscope::compute
