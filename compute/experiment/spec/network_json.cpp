// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/network_json.h"

#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <set>

namespace heteroscope::compute {

namespace {

const std::vector<std::string>& commonKeys() {
    static const std::vector<std::string> keys{"name", "type", "inputs"};
    return keys;
}

std::vector<std::string> layerTypeNames() {
    std::vector<std::string> names;
    for (const LayerType& type : layerTypes())
        names.push_back(type.id);
    return names;
}

const LayerType* typeOf(const Json& layer) {
    const auto type = layer.find("type");
    return type == layer.end() || !type->is_string() ? nullptr
                                                     : findLayerType(type->get_ref<const std::string&>());
}

void checkType(const Json& layer, const std::string& pointer, Findings& findings) {
    const auto type = layer.find("type");
    if (type == layer.end())
        findings.error(childPointer(pointer, "type"), "the layer's type is missing",
                       quotedList(layerTypeNames()));
    else if (!type->is_string())
        findings.error(childPointer(pointer, "type"), foundText(*type), quotedList(layerTypeNames()));
    else if (typeOf(layer) == nullptr)
        findings.error(childPointer(pointer, "type"), foundText(*type), quotedList(layerTypeNames()),
                       suggestion(type->get<std::string>(), layerTypeNames()));
}

/// Names stand in tensor names ("conv1.weight") and files.
bool isGoodName(const std::string& name) {
    return !name.empty() && name.size() <= kMaxLayerName && name != kInputName &&
           std::none_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

void checkName(const Json& layer, std::size_t index, const std::string& pointer, std::set<std::string>& names,
               Findings& findings) {
    const std::string place = childPointer(pointer, "name");
    const auto given = layer.find("name");
    if (given != layer.end() && !given->is_string())
        return findings.error(place, foundText(*given), "a text");
    const std::string name = layerName(layer, index);
    if (!isGoodName(name))
        return findings.error(place, "\"" + name.substr(0, kMaxLayerName) + "\" cannot be a layer's name",
                              "1 to " + std::to_string(kMaxLayerName) +
                                  " bytes without slashes and control characters, not \"input\"");
    if (!names.insert(name).second)
        findings.error(place, "two layers are called \"" + name + "\"", "each name once");
}

void checkInputs(const Json& layer, const LayerType& type, bool first, const std::string& pointer,
                 Findings& findings) {
    const std::string place = childPointer(pointer, "inputs");
    const auto inputs = layer.find("inputs");
    if (inputs == layer.end()) {
        if (type.minInputs > 1)
            findings.error(place, "the layer's inputs are missing",
                           "a list of at least " + std::to_string(type.minInputs) + " names of layers",
                           first ? "put layers before it" : "name the layers that it joins");
        return;
    }
    const std::string allowed = type.maxInputs == 1 ? "a list of one name"
                                                    : "a list of " + std::to_string(type.minInputs) + " to " +
                                                          std::to_string(type.maxInputs) + " names";
    if (!inputs->is_array())
        return findings.error(place, foundText(*inputs), allowed);
    if (inputs->size() < type.minInputs || inputs->size() > type.maxInputs)
        return findings.error(place, "found " + std::to_string(inputs->size()) + " names", allowed);
    for (std::size_t i = 0; i < inputs->size(); ++i)
        if (!(*inputs)[i].is_string())
            findings.error(childPointer(place, i), foundText((*inputs)[i]),
                           "the name of a layer, or \"input\"");
}

void checkValues(const Json& layer, const LayerType& type, const std::string& pointer, Findings& findings) {
    std::vector<std::string> known = commonKeys();
    for (const Parameter& parameter : type.parameters)
        known.push_back(parameter.key);
    checkKeys(layer, pointer, known, findings, "unknown key of a " + type.id);
    for (const Parameter& parameter : type.parameters) {
        const std::string place = childPointer(pointer, parameter.key);
        const auto value = layer.find(parameter.key);
        if (value != layer.end() && !(parameter.required && value->is_null()))
            checkParameterValue(parameter, *value, place, findings);
        else if (parameter.required)
            findings.error(place, "missing", allowedText(parameter));
    }
}

/// "/network/layers/3" and "filters" of "/network/layers/3/filters"
std::pair<std::string, std::string> splitPointer(const std::string& pointer) {
    const std::size_t slash = pointer.rfind('/');
    if (slash == std::string::npos)
        return {};
    return {pointer.substr(0, slash), pointer.substr(slash + 1)};
}

const Parameter* parameterOf(const LayerType& type, const std::string& key) {
    const auto found = std::find_if(type.parameters.begin(), type.parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.key == key; });
    return found == type.parameters.end() ? nullptr : &*found;
}

} // namespace

std::string layerName(const Json& layer, std::size_t index) {
    const auto name = layer.find("name");
    if (name != layer.end() && name->is_string())
        return name->get<std::string>();
    const LayerType* type = typeOf(layer);
    return (type ? type->id : "layer") + std::to_string(index + 1);
}

Json layerValues(const Json& layer, const LayerType& type) {
    Json values = Json::object();
    for (const Parameter& parameter : type.parameters) {
        const auto value = layer.find(parameter.key);
        values[parameter.key] = value == layer.end() ? parameter.defaultValue : *value;
    }
    return values;
}

void checkLayers(const Json& layers, const std::string& pointer, Findings& findings) {
    if (!layers.is_array() || layers.empty())
        return findings.error(
            pointer, foundText(layers),
            "a list of layers such as {\"name\": \"conv1\", \"type\": \"conv2d\", \"filters\": 16}");
    if (layers.size() > kMaxLayers)
        return findings.error(pointer, "found " + std::to_string(layers.size()) + " layers",
                              "at most " + std::to_string(kMaxLayers));
    std::set<std::string> names;
    for (std::size_t i = 0; i < layers.size() && !findings.full(); ++i) {
        const std::string place = childPointer(pointer, i);
        if (!layers[i].is_object()) {
            findings.error(place, foundText(layers[i]), "an object with a \"type\"");
            continue;
        }
        checkType(layers[i], place, findings);
        checkName(layers[i], i, place, names, findings);
        const LayerType* type = typeOf(layers[i]);
        if (type == nullptr)
            continue;
        checkInputs(layers[i], *type, i == 0, place, findings);
        checkValues(layers[i], *type, place, findings);
    }
}

const Parameter* findLayerParameter(const Json& document, const std::string& pointer) {
    const auto [place, key] = splitPointer(pointer);
    if (!place.starts_with("/network/layers/"))
        return nullptr;
    const Json* layer = valueAt(document, place);
    const LayerType* type = layer != nullptr && layer->is_object() ? typeOf(*layer) : nullptr;
    return type == nullptr ? nullptr : parameterOf(*type, key);
}

std::vector<std::string> layerPointers(const Json& document) {
    std::vector<std::string> pointers;
    const Json* layers = valueAt(document, "/network/layers");
    if (layers == nullptr || !layers->is_array())
        return pointers;
    for (std::size_t i = 0; i < layers->size(); ++i)
        if (const LayerType* type = (*layers)[i].is_object() ? typeOf((*layers)[i]) : nullptr)
            for (const Parameter& parameter : type->parameters)
                pointers.push_back(childPointer(childPointer("/network/layers", i), parameter.key));
    return pointers;
}

NetworkSpec readNetwork(const Json& network) {
    NetworkSpec spec;
    for (const Json& size : network.at("input").at("shape"))
        spec.input.push_back(wholeNumber(size).value_or(0));
    const Json& layers = network.at("layers");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerType& type = *typeOf(layers[i]);
        LayerSpec layer{layerName(layers[i], i), type.id, layerValues(layers[i], type), {}};
        if (const auto inputs = layers[i].find("inputs"); inputs != layers[i].end())
            layer.inputs = inputs->get<std::vector<std::string>>();
        else
            layer.inputs = {i == 0 ? std::string(kInputName) : spec.layers.back().name};
        spec.layers.push_back(std::move(layer));
    }
    return spec;
}

Json networkJson(const NetworkSpec& network) {
    Json layers = Json::array();
    std::string before = kInputName;
    for (const LayerSpec& layer : network.layers) {
        Json object = {{"name", layer.name}, {"type", layer.type}};
        if (layer.inputs != std::vector<std::string>{before})
            object["inputs"] = layer.inputs;
        for (const Parameter& parameter : findLayerType(layer.type)->parameters)
            if (const Json& value = layer.values.at(parameter.key); value != parameter.defaultValue)
                object[parameter.key] = value;
        layers.push_back(std::move(object));
        before = layer.name;
    }
    return {{"input", {{"shape", network.input}}}, {"layers", std::move(layers)}};
}

} // namespace heteroscope::compute
