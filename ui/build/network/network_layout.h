// SPDX-License-Identifier: GPL-3.0-or-later
// Places a network's nodes: rows from top to bottom by the longest way from the input, branches side by
// side, long edges around what lies between. Pure; device-independent pixels before zoom.
#pragma once

#include "ui/build/network/network_graph.h"

#include <QPointF>
#include <QRectF>

#include <vector>

namespace heteroscope::ui {

struct PlacedEdge {
    GraphEdge edge;
    std::vector<QPointF> points; ///< from the lower side of one node to the upper side of the other
    QRectF label;                ///< where its shape is written
};

struct NetworkLayout {
    static constexpr double kNodeWidth = 316, kNodeHeight = 74, kErrorHeight = 26;
    static constexpr double kInputHeight = 44, kRowGap = 38, kColumnGap = 28, kLaneWidth = 112;

    QRectF input;
    std::vector<QRectF> nodes;
    std::vector<int> rows; ///< of each layer; the input is row 0
    std::vector<PlacedEdge> edges;
    QRectF bounds;

    const QRectF& rectOf(int node) const {
        return node == kInputNode ? input : nodes[static_cast<std::size_t>(node)];
    }
    /// The node there; -2: none.
    int nodeAt(const QPointF& point) const;
    /// The number of the edge within a few pixels; -1: none.
    int edgeAt(const QPointF& point) const;
};

NetworkLayout layOutNetwork(const NetworkGraph& graph);

} // namespace heteroscope::ui
