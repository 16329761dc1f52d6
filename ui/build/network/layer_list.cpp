// SPDX-License-Identifier: GPL-3.0-or-later
// Names and inputs are made explicit when read; sweeps follow when written.
#include "ui/build/network/layer_list.h"

#include "compute/experiment/spec/network_json.h"
#include "ui/build/json_text.h"

#include <algorithm>
#include <charconv>

namespace heteroscope::ui {

namespace {

const std::string kPrefix = "/network/layers/";

/// Other values than a list of texts stay as they are.
bool hasReadableInputs(const Json& layer) {
    const auto inputs = layer.find("inputs");
    return inputs == layer.end() ||
           (inputs->is_array() &&
            std::all_of(inputs->begin(), inputs->end(), [](const Json& name) { return name.is_string(); }));
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end = text.find(separator); end != std::string::npos;
         end = text.find(separator, start)) {
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    parts.push_back(text.substr(start));
    return parts;
}

/// Name, type and inputs first, as people read them.
Json ordered(const Json& layer, const std::string& name, const std::vector<std::string>& inputs,
             bool writeInputs) {
    Json object = {{"name", name}};
    if (layer.contains("type"))
        object["type"] = layer.at("type");
    if (writeInputs)
        object["inputs"] = inputs;
    for (const auto& [key, value] : layer.items())
        if (key != "name" && key != "type" && (key != "inputs" || !hasReadableInputs(layer)))
            object[key] = value;
    return object;
}

/// A part of the view, when it is of the type that it should be.
Json* partOf(Json& view, const char* key, Json::value_t type) {
    if (!view.is_object())
        return nullptr;
    const auto part = view.find(key);
    return part != view.end() && part->type() == type ? &*part : nullptr;
}

} // namespace

LayerList::LayerList(const Json& document) : m_document(document) {
    const Json* layers = valueAt(document, "/network/layers");
    std::string before = compute::kInputName;
    for (std::size_t i = 0; layers && layers->is_array() && i < layers->size(); ++i) {
        Item item{
            (*layers)[i].is_object() ? (*layers)[i] : Json::object(), {}, {before}, static_cast<int>(i)};
        item.name = compute::layerName(item.layer, i);
        if (!hasReadableInputs(item.layer))
            item.inputs.clear();
        else if (item.layer.contains("inputs"))
            item.inputs = item.layer.at("inputs").get<std::vector<std::string>>();
        before = item.name;
        m_items.push_back(std::move(item));
    }
    if (const Json* view = valueAt(document, "/network/view"))
        m_view = *view;
}

std::string LayerList::name(int layer) const {
    return layer < 0 ? std::string(compute::kInputName) : m_items.at(static_cast<std::size_t>(layer)).name;
}

std::vector<std::string> LayerList::inputs(int layer) const {
    return m_items.at(static_cast<std::size_t>(layer)).inputs;
}

Json LayerList::explicitLayer(int layer) const {
    const Item& item = m_items.at(static_cast<std::size_t>(layer));
    return ordered(item.layer, item.name, item.inputs, hasReadableInputs(item.layer));
}

std::string LayerList::freeName(const std::string& stem, const std::string& wanted) const {
    const auto isFree = [this](const std::string& name) {
        return name != compute::kInputName &&
               std::none_of(m_items.begin(), m_items.end(),
                            [&](const Item& item) { return item.name == name; });
    };
    if (!wanted.empty() && isFree(wanted))
        return wanted;
    for (std::size_t number = 1;; ++number) // there are more numbers than layers
        if (const std::string name = stem + std::to_string(number); isFree(name))
            return name;
}

void LayerList::insert(std::size_t place, Json layer, std::vector<std::string> inputs) {
    Item item{std::move(layer), {}, std::move(inputs), -1};
    item.layer.erase("inputs");
    item.name = compute::layerName(item.layer, place);
    m_items.insert(m_items.begin() + static_cast<std::ptrdiff_t>(place), std::move(item));
}

void LayerList::remove(int layer) {
    leaveView(layer);
    m_items.erase(m_items.begin() + layer);
}

void LayerList::move(int layer, std::size_t place) {
    leaveView(layer);
    Item item = std::move(m_items.at(static_cast<std::size_t>(layer)));
    m_items.erase(m_items.begin() + layer);
    m_items.insert(m_items.begin() + static_cast<std::ptrdiff_t>(place), std::move(item));
}

void LayerList::rename(int layer, const std::string& name) {
    renameInView(this->name(layer), name);
    m_items.at(static_cast<std::size_t>(layer)).name = name;
}

/// A group that began or ended with the layer begins or ends with its neighbour; one of that layer alone
/// goes.
void LayerList::leaveView(int layer) {
    const std::string own = name(layer);
    if (Json* places = partOf(m_view, "places", Json::value_t::object))
        places->erase(own);
    Json* groups = partOf(m_view, "groups", Json::value_t::array);
    for (std::size_t i = groups ? groups->size() : 0; i-- > 0;) {
        Json& group = (*groups)[i];
        if (!group.is_object())
            continue;
        const bool begins = group.value("first", Json()) == own, ends = group.value("last", Json()) == own;
        if (begins && ends)
            groups->erase(i);
        else if (begins && layer + 1 < size())
            group["first"] = name(layer + 1);
        else if (ends && layer > 0)
            group["last"] = name(layer - 1);
    }
}

void LayerList::renameInView(const std::string& from, const std::string& to) {
    Json* places = partOf(m_view, "places", Json::value_t::object);
    if (places && places->contains(from)) {
        (*places)[to] = Json((*places)[from]);
        places->erase(from);
    }
    if (Json* groups = partOf(m_view, "groups", Json::value_t::array))
        for (Json& group : *groups)
            for (const char* end : {"first", "last"})
                if (group.is_object() && group.value(end, Json()) == from)
                    group[end] = to;
}

void LayerList::writeView(Json& network) const {
    Json view = m_view;
    for (const char* part : {"groups", "places"})
        if (view.is_object() && view.contains(part) && view[part].empty())
            view.erase(part);
    network.erase("view");
    if (!view.empty())
        network["view"] = std::move(view);
}

void LayerList::setInputs(int layer, std::vector<std::string> inputs) {
    Item& item = m_items.at(static_cast<std::size_t>(layer));
    item.inputs = std::move(inputs);
    item.layer.erase("inputs");
}

void LayerList::redirect(const std::string& from, const std::string& to, std::size_t first) {
    for (std::size_t i = first; i < m_items.size(); ++i)
        std::replace(m_items[i].inputs.begin(), m_items[i].inputs.end(), from, to);
}

Json LayerList::written() const {
    Json layers = Json::array();
    std::string before = compute::kInputName;
    for (const Item& item : m_items) {
        const bool asBefore = item.inputs == std::vector<std::string>{before};
        layers.push_back(
            ordered(item.layer, item.name, item.inputs, !asBefore && hasReadableInputs(item.layer)));
        before = item.name;
    }
    Json document = m_document;
    if (!document.contains("network") || !document["network"].is_object())
        document["network"] = Json::object();
    document["network"]["layers"] = std::move(layers);
    writeView(document["network"]);
    return withAxes(std::move(document));
}

/// Empty when the layer is gone.
std::string LayerList::movedPointer(const std::string& pointer) const {
    if (!pointer.starts_with(kPrefix))
        return pointer;
    int origin = -1;
    const char* end = pointer.data() + pointer.size();
    const auto number = std::from_chars(pointer.data() + kPrefix.size(), end, origin);
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (origin >= 0 && m_items[i].origin == origin)
            return kPrefix + std::to_string(i) + std::string(number.ptr, end);
    return {};
}

Json LayerList::withAxes(Json document) const {
    const auto axes = document.find("axes");
    if (axes == document.end() || !axes->is_object())
        return document;
    Json moved = Json::object();
    for (const auto& [key, values] : axes->items()) {
        std::string name;
        bool whole = true;
        for (const std::string& part : split(key, ',')) {
            const std::string pointer = movedPointer(part);
            whole = whole && (!pointer.empty() || part.empty());
            name += (name.empty() ? "" : ",") + pointer;
        }
        if (whole)
            moved[name] = values;
    }
    document["axes"] = std::move(moved);
    return document;
}

} // namespace heteroscope::ui
