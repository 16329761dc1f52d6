// SPDX-License-Identifier: Apache-2.0
// How a builder shows a network: "/network/view" of an experiment file. No result depends on it. Pure; any
// thread.
#pragma once

#include "compute/experiment/spec/findings.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Layers that lie next to one another in the list. Whatever is inserted between them belongs to them, and
/// showing them as one box can never close a circle.
struct LayerGroup {
    std::string name;
    int first = 0, last = 0; ///< numbers of layers, both included
    bool collapsed = false;  ///< shown as one box
    std::size_t entry = 0;   ///< its number in the document's list
};

/// Where a person put a box: its upper left corner, device-independent pixels before zoom.
struct LayerPlace {
    double x = 0, y = 0;
};

inline constexpr double kMostPlace = 1e6;         ///< of a coordinate, either way
inline constexpr std::size_t kMaxGroupName = 200; ///< bytes

/// Those that make sense, in the order of their layers; `checkNetworkView` says what is wrong with the rest.
std::vector<LayerGroup> readLayerGroups(const Json& document);
/// By the layer's number, -1 for the input.
std::map<int, LayerPlace> readLayerPlaces(const Json& document);

/// Errors for what cannot be read, warnings for groups that no longer fit their layers.
void checkNetworkView(const Json& document, Findings& findings);

} // namespace heteroscope::compute
