// SPDX-License-Identifier: Apache-2.0
// Reads and checks groups and places by the names of layers.
#include "compute/experiment/spec/network_view.h"

#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscope::compute {

namespace {

const char* const kView = "/network/view";

using Numbers = std::map<std::string, int>;

/// The first layer of a name counts; the input is -1.
Numbers layerNumbers(const Json& document) {
    Numbers numbers{{kInputName, -1}};
    const Json* layers = valueAt(document, "/network/layers");
    for (std::size_t i = 0; layers && layers->is_array() && i < layers->size(); ++i)
        if ((*layers)[i].is_object())
            numbers.emplace(layerName((*layers)[i], i), static_cast<int>(i));
    return numbers;
}

std::optional<int> numberOf(const Json& group, const char* key, const Numbers& numbers) {
    const auto name = group.find(key);
    if (name == group.end() || !name->is_string())
        return std::nullopt;
    const auto found = numbers.find(name->get_ref<const std::string&>());
    return found == numbers.end() || found->second < 0 ? std::nullopt : std::optional<int>(found->second);
}

std::optional<LayerGroup> groupOf(const Json& json, const Numbers& numbers) {
    if (!json.is_object())
        return std::nullopt;
    const auto first = numberOf(json, "first", numbers), last = numberOf(json, "last", numbers);
    const auto name = json.find("name");
    if (!first || !last || *first > *last || name == json.end() || !name->is_string())
        return std::nullopt;
    const auto collapsed = json.find("collapsed");
    return LayerGroup{name->get<std::string>(), *first, *last,
                      collapsed != json.end() && collapsed->is_boolean() && collapsed->get<bool>(), 0};
}

bool isPlace(const Json& json) {
    return json.is_array() && json.size() == 2 && std::all_of(json.begin(), json.end(), [](const Json& item) {
               return item.is_number() && std::abs(item.get<double>()) <= kMostPlace;
           });
}

bool overlaps(const LayerGroup& a, const LayerGroup& b) {
    return a.first <= b.last && b.first <= a.last;
}

void checkGroupTexts(const Json& group, const std::string& pointer, Findings& findings) {
    for (const char* key : {"name", "first", "last"}) {
        const auto value = group.find(key);
        const std::string place = childPointer(pointer, key);
        if (value == group.end())
            findings.error(place, "missing", "a text");
        else if (!value->is_string())
            findings.error(place, foundText(*value), "a text");
        else if (value->get_ref<const std::string&>().size() > kMaxGroupName)
            findings.error(place, "the text is too long",
                           "at most " + std::to_string(kMaxGroupName) + " bytes");
    }
    if (const auto collapsed = group.find("collapsed"); collapsed != group.end() && !collapsed->is_boolean())
        findings.error(childPointer(pointer, "collapsed"), foundText(*collapsed), "true or false");
}

void checkGroups(const Json& groups, const Numbers& numbers, Findings& findings) {
    const std::string place = std::string(kView) + "/groups";
    if (!groups.is_array() || groups.size() > kMaxLayers)
        return findings.error(place, foundText(groups),
                              "a list of objects such as {\"name\": \"block1\", \"first\": \"conv1\", "
                              "\"last\": \"pool1\"}");
    std::vector<LayerGroup> seen;
    for (std::size_t i = 0; i < groups.size() && !findings.full(); ++i) {
        const std::string pointer = childPointer(place, i);
        if (!groups[i].is_object()) {
            findings.error(pointer, foundText(groups[i]), "an object with name, first and last");
            continue;
        }
        checkKeys(groups[i], pointer, {"name", "first", "last", "collapsed"}, findings);
        checkGroupTexts(groups[i], pointer, findings);
        const auto group = groupOf(groups[i], numbers);
        if (!group)
            findings.warning(
                pointer, "the group is not shown: it names layers that are not there or not in this order",
                "first and last: names of layers, in the order of the list");
        else if (std::any_of(seen.begin(), seen.end(),
                             [&](const auto& other) { return overlaps(*group, other); }))
            findings.warning(pointer, "the group is not shown: it shares layers with another one",
                             "each layer in one group");
        else
            seen.push_back(*group);
    }
}

void checkPlaces(const Json& places, Findings& findings) {
    const std::string pointer = std::string(kView) + "/places";
    if (!places.is_object())
        return findings.error(pointer, foundText(places), "an object such as {\"conv1\": [0, 120]}");
    for (const auto& [name, place] : places.items())
        if (!isPlace(place) && !findings.full())
            findings.error(childPointer(pointer, name), foundText(place),
                           "[x, y], each from -1000000 to 1000000");
}

} // namespace

std::vector<LayerGroup> readLayerGroups(const Json& document) {
    const Json* groups = valueAt(document, std::string(kView) + "/groups");
    std::vector<LayerGroup> read;
    if (!groups || !groups->is_array())
        return read;
    const Numbers numbers = layerNumbers(document);
    for (std::size_t i = 0; i < groups->size(); ++i) {
        auto group = groupOf((*groups)[i], numbers);
        const auto shares = [&](const LayerGroup& other) { return overlaps(*group, other); };
        if (!group || std::any_of(read.begin(), read.end(), shares))
            continue;
        group->entry = i;
        read.push_back(*group);
    }
    std::sort(read.begin(), read.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return read;
}

std::map<int, LayerPlace> readLayerPlaces(const Json& document) {
    std::map<int, LayerPlace> read;
    const Json* places = valueAt(document, std::string(kView) + "/places");
    if (!places || !places->is_object() || places->empty())
        return read;
    const Numbers numbers = layerNumbers(document);
    for (const auto& [name, place] : places->items())
        if (const auto number = numbers.find(name); number != numbers.end() && isPlace(place))
            read[number->second] = {place[0].get<double>(), place[1].get<double>()};
    return read;
}

void checkNetworkView(const Json& document, Findings& findings) {
    const Json* view = valueAt(document, kView);
    if (!view)
        return;
    if (!view->is_object())
        return findings.error(kView, foundText(*view), "an object with groups and places");
    checkKeys(*view, kView, {"groups", "places"}, findings);
    if (const auto groups = view->find("groups"); groups != view->end())
        checkGroups(*groups, layerNumbers(document), findings);
    if (const auto places = view->find("places"); places != view->end())
        checkPlaces(*places, findings);
}

} // namespace heteroscope::compute
