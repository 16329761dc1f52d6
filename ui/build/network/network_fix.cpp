// SPDX-License-Identifier: GPL-3.0-or-later
// One rule for each kind of mistake that has an obvious cure.
#include "ui/build/network/network_fix.h"

#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/pointer.h"
#include "ui/build/network/layer_list.h"
#include "ui/build/network/network_edits.h"
#include "ui/build/value_editors.h"
#include "ui/common/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscope::ui {

namespace {

using Fix = std::optional<NetworkFix>;

QString words(const char* text) {
    return QCoreApplication::translate("NetworkFix", text);
}

Fix setTo(const Json& document, const std::string& pointer, const QString& label, const Json& value) {
    NetworkFix fix{
        words(QT_TRANSLATE_NOOP("NetworkFix", "Set %1 to %2")).arg(label.toLower(), valueText(value)),
        document};
    if (!compute::setValueAt(fix.document, pointer, value))
        return std::nullopt;
    return fix;
}

Json inside(const compute::Parameter& parameter, const Json& value) {
    const double low = parameter.min.value_or(-1e15), high = parameter.max.value_or(1e15);
    const double number = std::clamp(value.get<double>(), low, high);
    return parameter.type == compute::ParameterType::Number ? Json(number)
                                                            : Json(static_cast<std::int64_t>(number));
}

/// A value that is missing, out of its range, or that its neighbours do not go with.
Fix fixValue(const Json& document, const std::string& pointer, const std::string& type) {
    const compute::Parameter* parameter = compute::findLayerParameter(document, pointer);
    if (!parameter)
        return std::nullopt;
    const QString label = QCoreApplication::translate("Parameter", parameter->label.c_str());
    const Json* value = compute::valueAt(document, pointer);
    if (!value && parameter->required)
        return setTo(document, pointer, label, newLayer(document, type).at(parameter->key));
    if (parameter->key == "groups")
        return setTo(document, pointer, label, 1);
    if (value && value->is_number() && inside(*parameter, *value) != *value)
        return setTo(document, pointer, label, inside(*parameter, *value));
    if (parameter->key == "padding")
        return setTo(document, pointer, label, 0);
    return std::nullopt;
}

Fix fixName(const Json& document, int layer, const GraphNode& node) {
    const LayerList list(document);
    const std::string fresh = newLayer(document, node.type).at("name").get<std::string>();
    Json changed = document;
    const std::string pointer = "/network/layers/" + std::to_string(layer) + "/name";
    if (!compute::setValueAt(changed, pointer, fresh))
        return std::nullopt;
    return NetworkFix{words(QT_TRANSLATE_NOOP("NetworkFix", "Rename to %1")).arg(fromStd(fresh)), changed};
}

/// Unknown names, or too few: the layer before.
Fix fixInputs(const Json& document, int layer, const GraphNode& node) {
    const compute::LayerType* type = compute::findLayerType(node.type);
    if (!type)
        return std::nullopt;
    const LayerList list(document);
    std::vector<std::string> known;
    for (int i = -1; i < layer; ++i)
        known.push_back(list.name(i));
    std::vector<std::string> inputs = node.inputs;
    for (std::string& input : inputs)
        if (std::find(known.begin(), known.end(), input) == known.end())
            input = known.back();
    while (inputs.size() < type->minInputs)
        inputs.push_back(known.back());
    if (inputs.size() > type->maxInputs)
        inputs.resize(type->maxInputs);
    if (inputs == node.inputs)
        return std::nullopt;
    return NetworkFix{words(QT_TRANSLATE_NOOP("NetworkFix", "Read %1")).arg(fromStd(known.back())),
                      setInputs(document, layer, inputs).document};
}

} // namespace

Fix networkFix(const Json& document, const NetworkGraph& graph, int layer) {
    const GraphNode& node = graph.layers.at(static_cast<std::size_t>(layer));
    const std::string place = "/network/layers/" + std::to_string(layer);
    for (const compute::Diagnostic& finding : node.findings) {
        if (finding.severity != compute::Diagnostic::Severity::Error)
            continue;
        const std::string rest = finding.pointer.substr(std::min(place.size(), finding.pointer.size()));
        Fix fix = rest == "/name"               ? fixName(document, layer, node)
                  : rest.starts_with("/inputs") ? fixInputs(document, layer, node)
                                                : fixValue(document, finding.pointer, node.type);
        if (fix)
            return fix;
    }
    return std::nullopt;
}

} // namespace heteroscope::ui
