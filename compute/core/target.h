// SPDX-License-Identifier: Apache-2.0
// "device/implementation[?option=value&...]": what a run computes on. A plain value.
#pragma once

#include "compute/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace heteroscope::compute {

struct Target {
    std::string device;         ///< "cpu", "cuda:0"
    std::string implementation; ///< "openmp"
    std::map<std::string, std::string> options;

    /// The canonical text; options in alphabetical order.
    std::string text() const;
    bool operator==(const Target&) const = default;
};

/// Whether a device id, or the target that begins with it, is a GPU's: "cuda:0".
bool namesGpu(std::string_view deviceOrTarget);

/// Syntax only; whether it exists is the registry's business.
Result<Target> parseTarget(std::string_view text);

} // namespace heteroscope::compute
