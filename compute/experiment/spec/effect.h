// SPDX-License-Identifier: Apache-2.0
// Parameters that others leave without effect: what is said of them. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"
#include "compute/model/parameter_schema.h"

#include <optional>
#include <string>

namespace heteroscope::compute {

/// Of the axes of a document, which outlives it.
AxisValues axisValuesOf(const Json& document);

struct WithoutEffect {
    std::string message; ///< "has no effect while /task is \"train\""
    std::string allowed; ///< "/task = \"infer\""
    std::string
        advice; ///< a parameter of the same name that has one: "set /training/batch instead"; or empty
};

/// Why a parameter of an expanded document has no effect at any of its points, as far as that follows from
/// other parameters; nothing where it has one.
std::optional<WithoutEffect> withoutEffect(const std::string& kind, const Json& expanded,
                                           const std::string& pointer, const Parameter& parameter,
                                           const AxisValues& axisValues);

/// The same of a parameter of a layer ("/network/layers/2/rate").
std::optional<WithoutEffect> layerParameterWithoutEffect(const Json& expanded, const std::string& pointer,
                                                         const AxisValues& axisValues);

} // namespace heteroscope::compute
