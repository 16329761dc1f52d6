// SPDX-License-Identifier: Apache-2.0
// What the modules of the NVIDIA implementations have in common: one backend for each device, and the
// exported entry.
#pragma once

#include "compute/core/module.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Opens a session for a target on a device.
using OpenSession = std::function<Result<std::unique_ptr<Session>>(const Target&, const DeviceInfo&)>;

/// The implementation `info` on every device of queryDevices(). `open` is called with known option names
/// only.
std::unique_ptr<BackendModule> makeModule(ImplementationInfo info, OpenSession open);

} // namespace heteroscope::compute::nvidia

/// Defines the module's exported entry, for a file that includes heteroscope_module_build.h; `create` is a
/// function without arguments that returns std::unique_ptr<BackendModule>.
#define HETEROSCOPE_EXPORT_MODULE(create)                                                                    \
    extern "C" __attribute__((visibility("default")))                                                        \
    const ::heteroscope::compute::ModuleEntry heteroscopeModule;                                             \
    const ::heteroscope::compute::ModuleEntry heteroscopeModule {                                            \
        HETEROSCOPE_MODULE_BUILD, [] { return (create)().release(); }                                        \
    }
