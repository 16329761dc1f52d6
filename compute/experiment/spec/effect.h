// SPDX-License-Identifier: Apache-2.0
// Parameters that others leave without effect: what is said of them. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"
#include "compute/model/parameter_schema.h"

#include <functional>
#include <optional>
#include <string>

namespace heteroscope::compute {

struct WithoutEffect {
    std::string message; ///< "has no effect while /task is \"train\""
    std::string allowed; ///< "/task = \"infer\""
    std::string
        advice; ///< a parameter of the same name that has one: "set /training/batch instead"; or empty
};

/// Why a parameter of an expanded document has no effect; nothing where it has one. `varies`: see
/// inactiveBecause().
std::optional<WithoutEffect> withoutEffect(const std::string& kind, const Json& expanded,
                                           const std::string& pointer, const Parameter& parameter,
                                           const std::function<bool(const std::string&)>& varies = {});

} // namespace heteroscope::compute
