// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts, removes, renames, copies and pastes layers.
#include "ui/build/network/network_edits.h"

#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/spec_json.h"
#include "ui/build/network/layer_list.h"

#include <algorithm>
#include <map>

namespace heteroscope::ui {

namespace {

const char* const kClipboardKey = "heteroscope_layers";

/// "conv" of "conv2d", "pool" of "maxpool2d".
std::string stemOf(const std::string& type) {
    static const std::map<std::string, std::string> stems = {
        {"conv2d", "conv"},          {"maxpool2d", "pool"},          {"avgpool2d", "pool"},
        {"global_avgpool2d", "gap"}, {"adaptive_avgpool2d", "pool"}, {"batchnorm", "norm"},
        {"layernorm", "norm"}};
    const auto found = stems.find(type);
    return found == stems.end() ? type : found->second;
}

std::string withoutNumber(const std::string& name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    return end == std::string::npos ? std::string("layer") : name.substr(0, end + 1);
}

std::vector<std::string> sourcesFor(const std::string& type, const std::string& first,
                                    const std::string& partner) {
    const compute::LayerType* known = compute::findLayerType(type);
    std::vector<std::string> inputs{first};
    while (known && inputs.size() < known->minInputs)
        inputs.push_back(partner.empty() ? first : partner);
    return inputs;
}

/// The layers of a clipboard's text; empty when it has none.
Json layersOfText(const std::string& text) {
    const auto parsed = compute::parseJsonText(text);
    if (!parsed || !parsed->is_object())
        return Json::array();
    const auto found = parsed->find(kClipboardKey);
    if (found == parsed->end() || !found->is_array() || found->size() > compute::kMaxLayers)
        return Json::array();
    const bool good =
        std::all_of(found->begin(), found->end(), [](const Json& layer) { return layer.is_object(); });
    return good ? *found : Json::array();
}

} // namespace

Json newLayer(const Json& document, const std::string& type) {
    const LayerList list(document);
    Json layer = {{"name", list.freeName(stemOf(type))}, {"type", type}};
    if (const compute::LayerType* known = compute::findLayerType(type))
        for (const compute::Parameter& parameter : known->parameters)
            if (parameter.required) // numbers that suit small networks
                layer[parameter.key] = parameter.key == "filters" ? 16 : parameter.key == "units" ? 10 : 1;
    return layer;
}

NetworkEdit insertAfter(const Json& document, int after, const std::string& type,
                        const std::string& partner) {
    LayerList list(document);
    const Json layer = newLayer(document, type);
    const std::string source = list.name(after);
    list.redirect(source, layer["name"].get<std::string>());
    list.insert(static_cast<std::size_t>(after) + 1, layer, sourcesFor(type, source, partner));
    return {list.written(), {after + 1}};
}

NetworkEdit insertOnEdge(const Json& document, int to, std::size_t slot, const std::string& type,
                         const std::string& partner) {
    LayerList list(document);
    const Json layer = newLayer(document, type);
    auto inputs = list.inputs(to);
    const std::string source = inputs.at(slot);
    inputs[slot] = layer["name"].get<std::string>();
    list.setInputs(to, inputs);
    list.insert(static_cast<std::size_t>(to), layer, sourcesFor(type, source, partner));
    return {list.written(), {to}};
}

NetworkEdit removeLayers(const Json& document, const std::vector<int>& layers) {
    LayerList list(document);
    std::vector<int> order = layers;
    std::sort(order.rbegin(), order.rend());
    for (const int layer : order) {
        const auto inputs = list.inputs(layer);
        list.redirect(list.name(layer), inputs.empty() ? std::string(compute::kInputName) : inputs.front());
        list.remove(layer);
    }
    const int next = order.empty() ? 0 : std::min(order.back(), list.size() - 1);
    return {list.written(), {next}};
}

NetworkEdit moveOntoEdge(const Json& document, int layer, int to, std::size_t slot) {
    LayerList list(document);
    const std::string name = list.name(layer), source = list.inputs(to).at(slot);
    list.redirect(name, list.inputs(layer).at(0));
    auto inputs = list.inputs(to);
    inputs.at(slot) = name;
    list.setInputs(to, inputs);
    list.setInputs(layer, {source});
    const int place = layer < to ? to - 1 : to;
    list.move(layer, static_cast<std::size_t>(place));
    return {list.written(), {place}};
}

NetworkEdit renameLayer(const Json& document, int layer, const std::string& name) {
    LayerList list(document);
    list.redirect(list.name(layer), name);
    list.rename(layer, name);
    return {list.written(), {layer}};
}

NetworkEdit setInputs(const Json& document, int layer, const std::vector<std::string>& inputs) {
    LayerList list(document);
    list.setInputs(layer, inputs);
    return {list.written(), {layer}};
}

std::string copyLayers(const Json& document, const std::vector<int>& layers) {
    const LayerList list(document);
    std::vector<int> order = layers;
    std::sort(order.begin(), order.end());
    Json copied = Json::array();
    for (const int layer : order)
        copied.push_back(list.explicitLayer(layer));
    return Json({{kClipboardKey, copied}}).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::optional<NetworkEdit> pasteLayers(const Json& document, int after, const std::string& text) {
    const Json layers = layersOfText(text);
    if (layers.empty())
        return std::nullopt;
    LayerList list(document);
    const std::string source = list.name(after);
    std::map<std::string, std::string> renamed;
    std::string before = source, last = source;
    std::vector<int> selected;
    // Layers before the place are known; what was outside the copy and is not there reads the layer before.
    std::vector<std::string> known{compute::kInputName};
    for (int i = 0; i <= after; ++i)
        known.push_back(list.name(i));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Json layer = layers[i];
        const std::string old = compute::layerName(layer, i);
        std::vector<std::string> inputs;
        const auto given = layer.find("inputs");
        if (i > 0 && given != layer.end() && given->is_array())
            for (const Json& input : *given) {
                const std::string name = input.is_string() ? input.get<std::string>() : std::string();
                const bool isKnown = std::find(known.begin(), known.end(), name) != known.end();
                inputs.push_back(renamed.contains(name) ? renamed[name] : isKnown ? name : before);
            }
        const std::string type = layer.contains("type") && layer["type"].is_string()
                                     ? layer["type"].get<std::string>()
                                     : std::string();
        if (inputs.empty())
            inputs = sourcesFor(type, before, {});
        layer["name"] = list.freeName(withoutNumber(old), old);
        renamed[old] = layer["name"].get<std::string>();
        last = before = renamed[old];
        const int place = after + 1 + static_cast<int>(i);
        list.insert(static_cast<std::size_t>(place), layer, inputs);
        selected.push_back(place);
    }
    list.redirect(source, last, static_cast<std::size_t>(after + 1) + layers.size());
    return NetworkEdit{list.written(), selected};
}

} // namespace heteroscope::ui
