// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas shows of a network document, also of one with mistakes: layers, who feeds whom, shapes,
// figures and findings. Pure; GUI thread (translated texts).
#pragma once

#include "compute/experiment/spec/network_view.h"
#include "compute/experiment/spec/spec_json.h"

#include <QPointF>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

inline constexpr int kInputNode = -1; ///< the network's own input among the numbers of layers

struct GraphEdge {
    int from = kInputNode, to = 0;
    std::size_t slot = 0; ///< which of the layer's inputs
};

/// A layer, or a group of layers that is shown as one box.
struct GraphNode {
    std::string name, type;
    QString typeLabel; ///< "Convolution"; what stands there for an unknown type
    QString group;     ///< of the palette
    QString summary;   ///< "16 filters 3×3 s1 p1"
    std::vector<std::string> inputs;
    std::optional<compute::Shape4> output; ///< nothing where this layer or one before it is wrong
    std::string identity;                  ///< compute::layerIdentity(); likewise empty
    std::int64_t parameters = 0;           ///< elements
    double multiplyAdds = 0;               ///< of the whole batch, forward
    double outputBytes = 0;                ///< of a group: of all its layers
    std::vector<compute::Diagnostic> findings;
    bool isWrong() const;
};

struct NetworkGraph {
    std::optional<compute::Shape4> input;
    std::vector<GraphNode> layers;
    std::vector<GraphEdge> edges;
    std::vector<compute::Diagnostic> inputFindings;
    std::vector<compute::LayerGroup> groups; ///< in the order of their layers
    std::vector<GraphNode> boxes;            ///< of each group
    std::map<int, QPointF> places;           ///< of shown nodes that a person put somewhere

    int indexOf(const std::string& name) const; ///< kInputNode for "input", -2 when there is none
    std::optional<compute::Shape4> outputOf(int node) const;
    std::vector<int> readersOf(int node) const;
    std::vector<int> sourcesOf(int node) const;

    int groupOf(int node) const; ///< -1: none
    /// The collapsed group that stands at this node; -1: none.
    int boxAt(int node) const;
    /// The last layer of a collapsed group stands for all of it; else the node itself.
    int shownAs(int node) const;
    bool isShown(int node) const { return shownAs(node) == node; }
    const GraphNode& shown(int node) const; ///< the layer, or the box that stands there
    std::vector<int> membersOf(int group) const;
};

/// `findings` are checkExperiment's about the same document.
NetworkGraph readGraph(const Json& document, const std::vector<compute::Diagnostic>& findings);

/// Reads groups and places, and sums up each group. Part of `readGraph`.
void addBoxes(NetworkGraph& graph, const Json& document);

/// "32 × 3 × 28 × 28", "32 × 10": batch first; a row of numbers without its ones.
QString shapeText(const compute::Shape4& shape);
/// "16 filters 3×3 s1 p1": what tells layers of one type apart.
QString layerSummary(const std::string& type, const Json& values);

} // namespace heteroscope::ui
