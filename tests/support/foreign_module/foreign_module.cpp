// SPDX-License-Identifier: Apache-2.0
// A module whose build text is not the program's. Its code must never be called: it ends the process.
#include "compute/core/module.h"

#include <cstdlib>

extern "C" __attribute__((visibility("default"))) const heteroscope::compute::ModuleEntry heteroscopeModule;
const heteroscope::compute::ModuleEntry heteroscopeModule{
    "0.0.9 another compiler", []() -> heteroscope::compute::BackendModule* { std::abort(); }};
