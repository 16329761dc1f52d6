// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of layers in a graph: which layers they hold, what stands for them, and their sums.
#include "ui/build/axis_syntax.h"
#include "ui/build/network/network_graph.h"
#include "ui/common/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscope::ui {

namespace {

GraphNode boxOf(const NetworkGraph& graph, const compute::LayerGroup& group) {
    const auto& layers = graph.layers;
    const auto first = static_cast<std::size_t>(group.first), last = static_cast<std::size_t>(group.last);
    GraphNode box;
    box.name = group.name;
    box.typeLabel = counted(last - first + 1, QCoreApplication::translate("Layer", "1 layer"),
                            QCoreApplication::translate("Layer", "%n layers"));
    box.summary = first == last ? fromStd(layers[first].name)
                                : QStringLiteral("%1 … %2").arg(fromStd(layers[first].name),
                                                                fromStd(layers[last].name));
    box.output = layers[last].output;
    for (std::size_t i = first; i <= last; ++i) {
        box.parameters += layers[i].parameters;
        box.multiplyAdds += layers[i].multiplyAdds;
        box.outputBytes += layers[i].outputBytes;
        for (compute::Diagnostic finding : layers[i].findings) {
            finding.message = layers[i].name + ": " + finding.message;
            box.findings.push_back(std::move(finding));
        }
    }
    return box;
}

} // namespace

int NetworkGraph::groupOf(int node) const {
    const auto found = std::find_if(groups.begin(), groups.end(), [node](const auto& group) {
        return group.first <= node && node <= group.last;
    });
    return found == groups.end() ? -1 : static_cast<int>(found - groups.begin());
}

int NetworkGraph::boxAt(int node) const {
    const int group = groupOf(node);
    if (group < 0)
        return -1;
    const auto& at = groups[static_cast<std::size_t>(group)];
    return at.collapsed && at.last == node ? group : -1;
}

int NetworkGraph::shownAs(int node) const {
    const int group = groupOf(node);
    const auto* at = group < 0 ? nullptr : &groups[static_cast<std::size_t>(group)];
    return at && at->collapsed ? at->last : node;
}

const GraphNode& NetworkGraph::shown(int node) const {
    const int box = boxAt(node);
    return box < 0 ? layers[static_cast<std::size_t>(node)] : boxes[static_cast<std::size_t>(box)];
}

std::vector<int> NetworkGraph::membersOf(int group) const {
    const auto& at = groups.at(static_cast<std::size_t>(group));
    std::vector<int> members;
    for (int layer = at.first; layer <= at.last; ++layer)
        members.push_back(layer);
    return members;
}

void addBoxes(NetworkGraph& graph, const Json& document) {
    graph.groups = compute::readLayerGroups(document);
    for (const compute::LayerGroup& group : graph.groups)
        graph.boxes.push_back(boxOf(graph, group));
    for (const auto& [node, place] : compute::readLayerPlaces(document))
        if (graph.isShown(node))
            graph.places[node] = {place.x, place.y};
}

} // namespace heteroscope::ui
