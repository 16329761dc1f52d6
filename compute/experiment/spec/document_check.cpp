// SPDX-License-Identifier: Apache-2.0
// All checks of an experiment document, from its keys to its points.
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/effect.h"
#include "compute/experiment/spec/findings.h"
#include "compute/experiment/spec/network_view.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr int kFormatVersion = 1;
constexpr std::size_t kMaxTargets = 64;
constexpr std::size_t kMaxNameBytes = 1000;
constexpr std::size_t kMaxNetworks = 256; ///< by name; each is looked for among all
constexpr std::size_t kMaxNotesBytes = 1u << 20;

void checkVersion(const Json& document, Findings& findings) {
    const Json* version = valueAt(document, "/heteroscope");
    if (!version)
        return findings.error("/heteroscope", "the format version is missing", "1", "add \"heteroscope\": 1");
    const auto number = wholeNumber(*version);
    if (!number || *number < 1)
        return findings.error("/heteroscope", foundText(*version), "1");
    if (*number > kFormatVersion)
        findings.error("/heteroscope", "the file is of version " + std::to_string(*number), "1",
                       "open it with a newer Heteroscope");
}

void checkKind(const Json& document, Findings& findings) {
    const std::vector<std::string> kinds(experimentKinds().begin(), experimentKinds().end());
    const Json* kind = valueAt(document, "/kind");
    if (!kind)
        return findings.error("/kind", "the kind of experiment is missing", quotedList(kinds));
    if (kindText(document).empty())
        findings.error("/kind", foundText(*kind), quotedList(kinds),
                       kind->is_string() ? suggestion(kind->get<std::string>(), kinds) : "");
}

void checkFreeText(const Json& document, const char* key, std::size_t mostBytes, Findings& findings) {
    const auto found = document.find(key);
    if (found == document.end())
        return;
    const std::string pointer = std::string("/") + key;
    if (!found->is_string())
        return findings.error(pointer, foundText(*found), "a text");
    if (found->get_ref<const std::string&>().size() > mostBytes)
        findings.error(
            pointer, "the text has " + std::to_string(found->get_ref<const std::string&>().size()) + " bytes",
            "at most " + std::to_string(mostBytes) + " bytes");
}

std::vector<std::string> topLevelKeys(const std::string& kind) {
    std::vector<std::string> keys{"heteroscope", "kind", "name", "notes", "targets", "axes"};
    for (const ParameterGroup& group : parameterGroups(kind)) {
        const std::size_t slash = group.pointer.find('/', 1);
        if (!group.pointer.empty() && slash == std::string::npos)
            keys.push_back(group.pointer.substr(1));
        else if (group.pointer.empty())
            for (const Parameter& parameter : group.parameters)
                keys.push_back(parameter.key);
    }
    if (kind == "network")
        keys.push_back(std::string(kNetworks).substr(1));
    return keys;
}

/// Keys of a group: its parameters and the groups inside it.
std::vector<std::string> groupKeys(const ParameterGroup& group, std::span<const ParameterGroup> groups) {
    std::vector<std::string> keys;
    for (const Parameter& parameter : group.parameters)
        keys.push_back(parameter.key);
    for (const ParameterGroup& inner : groups)
        if (inner.pointer.starts_with(group.pointer + "/"))
            keys.push_back(inner.pointer.substr(group.pointer.size() + 1));
    if (group.pointer == "/network")
        keys.push_back("view");
    return keys;
}

void checkGroup(const Json& document, const ParameterGroup& group, std::span<const ParameterGroup> groups,
                Findings& findings) {
    const Json* object = valueAt(document, group.pointer);
    if (object && !object->is_object())
        return findings.error(group.pointer, foundText(*object), "an object with parameters");
    if (object && !group.pointer.empty())
        checkKeys(*object, group.pointer, groupKeys(group, groups), findings);
    for (const Parameter& parameter : group.parameters) {
        const std::string pointer = childPointer(group.pointer, parameter.key);
        const Json* value = valueAt(document, pointer);
        if (value)
            checkParameterValue(parameter, *value, pointer, findings);
        else if (parameter.required)
            findings.error(pointer, "missing", allowedText(parameter));
    }
}

void checkTarget(const Json& value, const std::string& pointer, std::set<std::string>& seen,
                 Findings& findings) {
    const char* allowed = "device/implementation, such as \"cpu/openmp?threads=2\"";
    if (!value.is_string())
        return findings.error(pointer, foundText(value), allowed);
    const auto target = parseTarget(value.get_ref<const std::string&>());
    if (!target)
        return findings.error(pointer, target.error().message,
                              target.error().allowed.empty() ? allowed : target.error().allowed,
                              target.error().advice);
    if (!seen.insert(target->text()).second)
        findings.error(pointer, "the target \"" + target->text() + "\" is listed twice", "each target once",
                       "remove one of the two");
}

void checkTargets(const Json& document, Findings& findings) {
    const Json* targets = valueAt(document, "/targets");
    if (!targets)
        return findings.error("/targets", "the targets are missing", "a list such as [\"cpu/sequential\"]");
    if (!targets->is_array() || targets->empty())
        return findings.error("/targets", foundText(*targets), "a list such as [\"cpu/sequential\"]");
    if (targets->size() > kMaxTargets)
        return findings.error("/targets", "found " + std::to_string(targets->size()) + " targets",
                              "at most " + std::to_string(kMaxTargets));
    std::set<std::string> seen;
    for (std::size_t i = 0; i < targets->size(); ++i)
        checkTarget((*targets)[i], childPointer("/targets", i), seen, findings);
}

/// Whether an axis that sets several parameters changes anything by one of the others.
bool changesByAnother(const std::string& kind, const Json& expanded, const std::string& axis,
                      const std::string& pointer, const AxisValues& axisValues) {
    const auto parts = axisPointers(axis);
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
        const Parameter* const other = findParameter(kind, part);
        if (part == pointer || part.starts_with(pointer + "/"))
            return false;
        return other == nullptr ? !layerParameterWithoutEffect(expanded, part, axisValues)
                                : !withoutEffect(kind, expanded, part, *other, axisValues);
    });
}

/// Warns of a value that another one leaves without effect. An axis over such parameters alone is a mistake:
/// its points would be told apart and be the same.
void checkEffect(const Json& document, const Json& expanded, const ParameterGroup& group,
                 Findings& findings) {
    const std::string kind = kindText(document);
    const AxisValues axisValues = axisValuesOf(document);
    for (const Parameter& parameter : group.parameters) {
        const std::string pointer = childPointer(group.pointer, parameter.key);
        const Json* given = valueAt(document, pointer);
        const auto axis = axisOver(document, pointer);
        if (!axis && (!given || *given == parameter.defaultValue))
            continue;
        const auto without = withoutEffect(kind, expanded, pointer, parameter, axisValues);
        if (!without)
            continue;
        if (!axis || changesByAnother(kind, expanded, axis->pointer, pointer, axisValues))
            findings.warning(pointer, without->message, without->allowed);
        else
            findings.error(childPointer("/axes", axis->pointer), "\"" + pointer + "\" " + without->message,
                           without->allowed, without->advice);
    }
}

/// The same of axes over parameters of layers.
void checkLayerEffect(const Json& document, const Json& expanded, Findings& findings) {
    const AxisValues axisValues = axisValuesOf(document);
    for (const Axis& axis : readAxes(document))
        for (const std::string& pointer : axisPointers(axis.pointer)) {
            const auto without = layerParameterWithoutEffect(expanded, pointer, axisValues);
            if (!without)
                continue;
            if (changesByAnother(kindText(document), expanded, axis.pointer, pointer, axisValues))
                findings.warning(pointer, without->message, without->allowed);
            else
                return findings.error(childPointer("/axes", axis.pointer),
                                      "\"" + pointer + "\" " + without->message, without->allowed);
        }
}

/// One of the named networks, as if it were the experiment's own.
void checkNamedNetwork(const std::string& name, const Json& network, Findings& findings) {
    const std::string place = childPointer(kNetworks, name);
    if (name.empty() || name.size() > kMaxNameBytes)
        return findings.error(place, "the name has " + std::to_string(name.size()) + " bytes",
                              "1 to " + std::to_string(kMaxNameBytes) + " bytes");
    if (!network.is_object())
        return findings.error(place, foundText(network), "an object with input and layers");
    if (network.contains("weights"))
        findings.error(childPointer(place, "weights"), "a named network is drawn from the seed",
                       "\"input\", \"layers\" and \"view\"", "remove it");
    const Json alone{{"network", network}};
    Findings inside;
    const auto groups = parameterGroups("network");
    for (const ParameterGroup& group : groups)
        if ((group.pointer + "/").starts_with("/network/"))
            checkGroup(alone, group, groups, inside);
    checkNetworkView(alone, inside);
    for (const Diagnostic& found : inside.take()) {
        const std::string where = place + found.pointer.substr(std::string_view(kNetwork).size());
        if (found.severity == Diagnostic::Severity::Error)
            findings.error(where, found.message, found.allowed, found.advice);
        else
            findings.warning(where, found.message, found.allowed, found.advice);
    }
}

void checkNamedNetworks(const Json& document, Findings& findings) {
    const Json* networks = valueAt(document, kNetworks);
    if (!networks)
        return;
    if (!networks->is_object() || networks->empty())
        return findings.error(kNetworks, foundText(*networks), "an object with networks by their names");
    if (networks->size() > kMaxNetworks)
        return findings.error(kNetworks, "found " + std::to_string(networks->size()) + " networks",
                              "at most " + std::to_string(kMaxNetworks));
    for (const auto& [name, network] : networks->items())
        if (!findings.full())
            checkNamedNetwork(name, network, findings);
    if (!choosesNetwork(document))
        findings.warning(kNetworks, "has no effect without an axis", "axes with \"/network\": [names]");
}

void checkParameters(const Json& document, const std::string& kind, Findings& findings) {
    const auto groups = parameterGroups(kind);
    checkKeys(document, {}, topLevelKeys(kind), findings);
    for (const ParameterGroup& group : groups)
        checkGroup(document, group, groups, findings);
    if (kind != "network")
        return;
    checkNetworkView(document, findings);
    checkNamedNetworks(document, findings);
}

} // namespace

std::vector<Diagnostic> checkExperiment(const Json& document) {
    Findings findings;
    if (!document.is_object()) {
        findings.error({}, "an experiment is one JSON object, " + foundText(document),
                       "{ \"heteroscope\": 1, ... }");
        return findings.take();
    }
    checkVersion(document, findings);
    checkKind(document, findings);
    checkFreeText(document, "name", kMaxNameBytes, findings);
    checkFreeText(document, "notes", kMaxNotesBytes, findings);
    checkTargets(document, findings);
    const std::string kind = kindText(document);
    if (kind.empty())
        return findings.take();
    checkParameters(document, kind, findings);
    if (findings.hasErrors())
        return findings.take();
    const Json expanded = withDefaults(document);
    checkAxes(expanded, findings);
    if (!findings.hasErrors())
        checkPoints(expanded, findings);
    for (const ParameterGroup& group : parameterGroups(kind))
        checkEffect(document, expanded, group, findings);
    if (kind == "network")
        checkLayerEffect(document, expanded, findings);
    return findings.take();
}

} // namespace heteroscope::compute
