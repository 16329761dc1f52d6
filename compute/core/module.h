// SPDX-License-Identifier: Apache-2.0
// A part of the program that is loaded while it runs, so that its libraries need not be there: devices and
// implementations behind one C entry point. Shared objects made by the same build only: the entry's build
// text is compared before anything else is called.
#pragma once

#include "compute/core/backend.h"

#include <memory>
#include <vector>

namespace heteroscope::compute {

class BackendModule {
  public:
    virtual ~BackendModule() = default;
    /// The devices this module reaches. One that cannot be used carries its reason; a module that finds none
    /// gives the first it would serve ("cuda:0") with the reason. Called once, on the main thread.
    virtual std::vector<DeviceInfo> devices() = 0;
    /// One backend for each usable device of devices(); one for its first device when none is usable.
    virtual std::vector<std::unique_ptr<Backend>> backends() = 0;
};

/// What a module exports as `heteroscopeModule` (extern "C").
struct ModuleEntry {
    const char* build = nullptr;          ///< HETEROSCOPE_MODULE_BUILD of the module's build
    BackendModule* (*create)() = nullptr; ///< the caller owns the result; it must not outlive the library
};

inline constexpr const char* kModuleEntryName = "heteroscopeModule";

} // namespace heteroscope::compute
