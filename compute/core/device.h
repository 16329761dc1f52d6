// SPDX-License-Identifier: Apache-2.0
// What is known of a device before anything runs on it. A plain value.
#pragma once

#include "compute/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// One implementation on a device and the options it understands, e.g. {"openmp", {"threads"}}.
struct ImplementationInfo {
    std::string id;                   ///< "sequential", "openmp", "onednn", ...
    std::string version;              ///< of the library behind it; empty for our own code
    std::string unavailableReason;    ///< empty: usable
    std::vector<std::string> options; ///< names allowed after '?' in a target
    std::string summary;              ///< one sentence for a newcomer
};

struct DeviceInfo {
    std::string id;   ///< "cpu", "cuda:0"
    std::string kind; ///< "cpu", "gpu"
    std::string name; ///< as the maker calls it
    std::int64_t memoryTotalBytes = 0;
    std::int64_t memoryFreeBytes = 0; ///< what a new allocation may use now
    std::string unavailableReason;    ///< empty: usable
    Json properties;                  ///< cores, caches, SIMD level, clocks, driver ...: names carry units
    std::vector<ImplementationInfo> implementations;
};

} // namespace heteroscope::compute
