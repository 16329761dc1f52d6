// SPDX-License-Identifier: Apache-2.0
// "--set /pointer=value": one value of a document replaced from the command line.
#include "compute/base/printable.h"
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/effect.h"
#include "compute/experiment/spec/findings.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMostOfArgument = 200; ///< bytes that a sentence repeats

std::vector<std::string> knownPointers(const Json& expanded) {
    std::vector<std::string> pointers{"/name", "/notes", "/targets"};
    for (const ParameterGroup& group : parameterGroups(kindText(expanded)))
        for (const Parameter& parameter : group.parameters)
            pointers.push_back(childPointer(group.pointer, parameter.key));
    for (std::string& pointer : layerPointers(expanded))
        pointers.push_back(std::move(pointer));
    return pointers;
}

bool wantsText(const Json& expanded, const std::string& pointer) {
    const Json* present = valueAt(expanded, pointer);
    return (present && present->is_string()) || pointer == "/name" || pointer == "/notes";
}

bool isUtf8(const Json& text) {
    try {
        static_cast<void>(text.dump());
        return true;
    } catch (const Json::type_error&) {
        return false;
    }
}

std::string exampleOf(const std::string& kind) {
    if (kind == "matmul")
        return "/matmul/n";
    return kind == "network" ? "/training/batch, or /network/layers/0/filters" : "/pooling/input/size";
}

Result<Json> parseValue(const Json& expanded, const std::string& pointer, std::string_view text) {
    const auto parsed = parseJsonText(text);
    const bool plainText = wantsText(expanded, pointer) && !(parsed.ok() && parsed->is_string());
    if (parsed.ok() && !plainText)
        return *parsed;
    Json value = std::string(text);
    if (!isUtf8(value))
        return badInput(pointer, "the value is not UTF-8 text");
    return value;
}

/// A parameter that an axis varies is set by leaving that axis one value; true when there was such an axis.
Result<bool> setThroughAxis(Json& document, const std::string& pointer, const Json& value) {
    for (const Axis& axis : readAxes(document))
        for (const std::string& part : axisPointers(axis.pointer)) {
            if (part != pointer)
                continue;
            if (part != axis.pointer)
                return badInput(
                    pointer, "the axis \"" + axis.pointer + "\" sets this parameter with others", {},
                    "set " + childPointer("/axes", axis.pointer) + " to a list of values instead");
            document["axes"][axis.pointer] = Json::array({value});
            return true;
        }
    return false;
}

} // namespace

Status applyOverride(Json& document, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || !assignment.starts_with('/'))
        return Error{ErrorCode::Usage,
                     "\"" + shortened(assignment, kMostOfArgument) + "\" is no assignment",
                     {},
                     "/pointer=value",
                     "for example --set /pooling/kernel=3"};
    const std::string pointer(assignment.substr(0, equals));
    const Json expanded = withDefaults(document);
    const std::vector<std::string> known = knownPointers(expanded);
    const bool isKnown = std::find(known.begin(), known.end(), pointer) != known.end();
    if (!isKnown && !valueAt(expanded, pointer))
        return badInput(shortened(pointer, kMostOfArgument), "names nothing in this experiment",
                        "pointers such as " + exampleOf(kindText(expanded)), suggestion(pointer, known));
    const auto value = parseValue(expanded, pointer, assignment.substr(equals + 1));
    if (!value)
        return value.error();
    const auto throughAxis = setThroughAxis(document, pointer, *value);
    if (!throughAxis)
        return throughAxis.error();
    if (!*throughAxis && !setValueAt(document, pointer, *value))
        return badInput(pointer, "cannot be set: what it lies in is no object or list");
    return {};
}

Status checkOverrideEffect(const Json& document, std::string_view assignment) {
    const std::string pointer(assignment.substr(0, assignment.find('=')));
    const Json expanded = withDefaults(document);
    const std::string kind = kindText(expanded);
    if (pointer.starts_with(std::string(kNetwork) + "/") && choosesNetwork(document))
        return badInput(pointer, "has no effect while an axis chooses the network",
                        "an axis that leaves /network alone", "set it in /networks");
    const Parameter* const parameter = findParameter(kind, pointer);
    if (parameter == nullptr) {
        const auto without = layerParameterWithoutEffect(expanded, pointer, axisValuesOf(document));
        return without ? Status(badInput(pointer, without->message, without->allowed)) : Status();
    }
    const auto without = withoutEffect(kind, expanded, pointer, *parameter, axisValuesOf(document));
    return without ? Status(badInput(pointer, without->message, without->allowed, without->advice))
                   : Status();
}

} // namespace heteroscope::compute
