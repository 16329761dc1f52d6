// SPDX-License-Identifier: Apache-2.0
// The one description of each parameter: forms, JSON checks, command-line help and documentation come from
// it. Plain values; any thread.
#pragma once

#include "compute/base/json.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class ParameterType {
    Integer,
    Number,
    Boolean,
    Choice,
    Text,
    Extent,  ///< a whole number or [h, w]
    Padding, ///< a whole number, [h, w] or [top, bottom, left, right]
    Matrix   ///< rows of numbers
};

struct Parameter {
    std::string key; ///< JSON key
    ParameterType type = ParameterType::Integer;
    std::string label; ///< for people
    std::string unit;  ///< "", "elements", "s"
    Json defaultValue;
    std::optional<double> min, max;   ///< both included
    std::vector<std::string> choices; ///< JSON texts, for Choice
    std::string help;                 ///< one or two sentences
    bool required = false;
};

struct ParameterGroup {
    std::string pointer; ///< where the group lies in an experiment: "/pooling", "/pooling/input", "/matmul",
                         ///< "/sampling"
    std::string title;
    std::vector<Parameter> parameters;
};

/// All groups of an experiment kind ("pooling", "matmul"); empty for an unknown kind.
std::span<const ParameterGroup> parameterGroups(const std::string& kind);

} // namespace heteroscope::compute
