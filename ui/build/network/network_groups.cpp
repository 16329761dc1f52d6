// SPDX-License-Identifier: GPL-3.0-or-later
// Writes groups and places by the names of layers.
#include "ui/build/network/network_groups.h"

#include "compute/experiment/spec/network_view.h"
#include "ui/build/json_text.h"
#include "ui/build/network/layer_list.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

using Groups = std::vector<compute::LayerGroup>;

/// Names written out, since groups and places stand for them.
Json explicitly(const Json& document) {
    return LayerList(document).written();
}

void setPart(Json& document, const char* part, Json value) {
    Json& network = document["network"];
    if (!network.contains("view") || !network["view"].is_object())
        network["view"] = Json::object();
    network["view"][part] = std::move(value);
    if (network["view"][part].empty())
        network["view"].erase(part);
    if (network["view"].empty())
        network.erase("view");
}

Json withGroups(const Json& document, const Groups& groups) {
    Json changed = explicitly(document);
    const LayerList list(changed);
    Json written = Json::array();
    for (const compute::LayerGroup& group : groups) {
        Json entry = {
            {"name", group.name}, {"first", list.name(group.first)}, {"last", list.name(group.last)}};
        if (group.collapsed)
            entry["collapsed"] = true;
        written.push_back(std::move(entry));
    }
    setPart(changed, "groups", std::move(written));
    return changed;
}

Json placesOf(const Json& document) {
    const Json* places = valueAt(document, "/network/view/places");
    return places && places->is_object() ? *places : Json::object();
}

std::string freeGroupName(const Groups& groups) {
    for (std::size_t number = 1;; ++number) { // there are more numbers than groups
        const std::string name = "group" + std::to_string(number);
        if (std::none_of(groups.begin(), groups.end(), [&](const auto& group) { return group.name == name; }))
            return name;
    }
}

bool holdsAny(const compute::LayerGroup& group, const std::vector<int>& layers) {
    return std::any_of(layers.begin(), layers.end(),
                       [&](int layer) { return group.first <= layer && layer <= group.last; });
}

} // namespace

NetworkEdit groupLayers(const Json& document, const std::vector<int>& layers) {
    const auto [least, most] = std::minmax_element(layers.begin(), layers.end());
    if (least == layers.end() || *least < 0)
        return {document, layers};
    compute::LayerGroup fresh{{}, *least, *most, true, 0};
    Groups groups, others = compute::readLayerGroups(document);
    for (bool grown = true; grown;) { // one that sticks out takes its other layers along
        grown = false;
        for (auto other = others.begin(); other != others.end();) {
            if (other->first > fresh.last || fresh.first > other->last) {
                ++other;
                continue;
            }
            fresh.first = std::min(fresh.first, other->first);
            fresh.last = std::max(fresh.last, other->last);
            fresh.name = fresh.name.empty() ? other->name : fresh.name;
            other = others.erase(other);
            grown = true;
        }
    }
    groups = others;
    if (fresh.name.empty())
        fresh.name = freeGroupName(groups);
    groups.push_back(fresh);
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto own = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& group) { return group.first == fresh.first; });
    return collapseGroup(withGroups(document, groups), static_cast<std::size_t>(own - groups.begin()), true);
}

NetworkEdit ungroupLayers(const Json& document, const std::vector<int>& layers) {
    Groups groups = compute::readLayerGroups(document);
    std::vector<int> freed;
    for (const compute::LayerGroup& group : groups)
        for (int layer = group.first; holdsAny(group, layers) && layer <= group.last; ++layer)
            freed.push_back(layer);
    std::erase_if(groups, [&](const auto& group) { return holdsAny(group, layers); });
    return {withGroups(document, groups), freed};
}

NetworkEdit collapseGroup(const Json& document, std::size_t group, bool collapsed) {
    Groups groups = compute::readLayerGroups(document);
    if (group >= groups.size())
        return {document, {}};
    groups[group].collapsed = collapsed;
    Json changed = withGroups(document, groups);
    const LayerList list(changed);
    Json places = placesOf(changed); // a box and its layers need room in different places
    std::vector<int> members;
    for (int layer = groups[group].first; layer <= groups[group].last; ++layer) {
        places.erase(list.name(layer));
        members.push_back(layer);
    }
    setPart(changed, "places", std::move(places));
    return {changed, members};
}

Json placeNodes(const Json& document, const std::map<int, QPointF>& places) {
    Json changed = explicitly(document);
    const LayerList list(changed);
    Json written = placesOf(changed);
    for (const auto& [node, place] : places)
        written[list.name(node)] = {std::clamp(place.x(), -compute::kMostPlace, compute::kMostPlace),
                                    std::clamp(place.y(), -compute::kMostPlace, compute::kMostPlace)};
    setPart(changed, "places", std::move(written));
    return changed;
}

Json arrangeNodes(const Json& document) {
    Json changed = document;
    setPart(changed, "places", Json::object());
    return changed;
}

bool hasPlaces(const Json& document) {
    return !placesOf(document).empty();
}

} // namespace heteroscope::ui
