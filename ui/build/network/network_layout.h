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
    int from = kInputNode, to = 0; ///< the shown nodes; the edge's own may be inside collapsed groups
    std::vector<QPointF> points;   ///< from the lower side of one node to the upper side of the other
    QRectF label;                  ///< where its shape is written
};

struct NetworkLayout {
    static constexpr double kNodeWidth = 316, kNodeHeight = 72, kSummaryHeight = 22, kFigureHeight = 17,
                            kErrorHeight = 38;
    static constexpr double kInputHeight = 44, kRowGap = 38, kColumnGap = 28, kLaneWidth = 112;
    static constexpr double kFrameTitle = 26, kFrameMargin = 12; ///< of an open group around its layers

    QRectF input;
    std::vector<QRectF> nodes;  ///< null for layers inside collapsed groups
    std::vector<QRectF> frames; ///< of each group; null for collapsed ones
    std::vector<int> rows;      ///< of each layer; the input is row 0
    std::vector<PlacedEdge> edges;
    QRectF bounds;

    const QRectF& rectOf(int node) const {
        return node == kInputNode ? input : nodes[static_cast<std::size_t>(node)];
    }
    /// The node there; -2: none.
    int nodeAt(const QPointF& point) const;
    /// The number of the edge within a few pixels; -1: none.
    int edgeAt(const QPointF& point) const;
    /// The open group whose title is there; -1: none.
    int titleAt(const QPointF& point) const;
    static QRectF titleOf(const QRectF& frame);
};

NetworkLayout layOutNetwork(const NetworkGraph& graph);

} // namespace heteroscope::ui
