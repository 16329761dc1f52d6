// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of how a network is shown, "/network/view": groups of layers and places of nodes. Pure functions from
// document to document, like network_edits.h. Any thread.
#pragma once

#include "ui/build/network/network_edits.h"

#include <QPointF>

#include <map>

namespace heteroscope::ui {

/// The layers and what lies between them in the list become one collapsed group; groups that they touch go up
/// in it.
NetworkEdit groupLayers(const Json& document, const std::vector<int>& layers);
/// Takes groups away that hold one of the layers; the layers stay.
NetworkEdit ungroupLayers(const Json& document, const std::vector<int>& layers);
/// Shows a group (its number among compute::readLayerGroups) as one box, or opens it.
NetworkEdit collapseGroup(const Json& document, std::size_t group, bool collapsed);

/// Nodes (-1: the input) stay where they were put.
Json placeNodes(const Json& document, const std::map<int, QPointF>& places);
/// Without any place: everything is laid out automatically.
Json arrangeNodes(const Json& document);
bool hasPlaces(const Json& document);

} // namespace heteroscope::ui
