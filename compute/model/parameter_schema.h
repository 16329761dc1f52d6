// SPDX-License-Identifier: Apache-2.0
// The one description of each parameter: forms, JSON checks, command-line help and documentation come from
// it. Plain values; any thread.
#pragma once

#include "compute/base/json.h"

#include <functional>
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
    Extent,    ///< a whole number or [h, w]
    Padding,   ///< a whole number, [h, w] or [top, bottom, left, right]
    Matrix,    ///< rows of numbers
    Shape,     ///< [channels, height, width] or [features]
    Layers,    ///< a network's layers, whose parameters are those of their types (layer_type.h)
    File,      ///< a path, relative to the experiment file
    Folder,    ///< likewise
    Numbers,   ///< a number, or a list with one a channel
    Transforms ///< what happens to images, a list whose parameters are those of its types (transform_type.h)
};

/// A parameter has an effect only while another one has one of these values.
struct ParameterCondition {
    std::string pointer;             ///< JSON pointer of the other parameter, from the document's root
    std::vector<std::string> values; ///< its JSON texts
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
    std::vector<ParameterCondition> activeWhen; ///< all of these; none: always
};

struct ParameterGroup {
    std::string pointer; ///< where the group lies in an experiment: "/pooling", "/pooling/window",
                         ///< "/pooling/input", "/matmul", "/network/input", "/training", "/sampling"; empty:
                         ///< at its top
    std::string title;
    std::vector<Parameter> parameters;
};

/// All kinds of experiments: "pooling", "matmul", "network".
std::span<const std::string> experimentKinds();

/// All groups of an experiment kind; empty for an unknown kind.
std::span<const ParameterGroup> parameterGroups(const std::string& kind);

/// The parameter at a JSON pointer such as "/pooling/input/size"; nullptr when the kind has none there.
const Parameter* findParameter(const std::string& kind, const std::string& pointer);

/// The values that an axis gives to the parameter at a pointer, or to a number of its list; none without one.
using AxisValues = std::function<std::vector<Json>(const std::string& pointer)>;

/// The condition that leaves a parameter of a document without effect at each point: one of its own, or one
/// of a parameter that these name. Nothing: it has an effect.
std::optional<ParameterCondition> inactiveBecause(const std::string& kind, const Json& document,
                                                  const Parameter& parameter,
                                                  const AxisValues& axisValues = {});

/// The value at a parameter's pointer in a document, or its default; null where the kind has no such one.
Json valueOrDefault(const std::string& kind, const Json& document, const std::string& pointer);

/// What a parameter accepts, as a clause for people: "a whole number from 1 to 65536, or [height, width]".
std::string allowedText(const Parameter& parameter);

} // namespace heteroscope::compute
