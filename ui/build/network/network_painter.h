// SPDX-License-Identifier: GPL-3.0-or-later
// Draws nodes, edges and shapes of a network. GUI thread.
#pragma once

#include "ui/build/network/network_heat.h"
#include "ui/build/network/network_layout.h"
#include "ui/common/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <optional>
#include <set>

namespace heteroscope::ui {

struct NetworkScene {
    NetworkGraph graph;
    NetworkLayout layout;
    std::vector<QString> fixes; ///< of each layer; empty: none
    std::set<int> selected;     ///< of a collapsed group: all its layers
    int current = -2, hovered = -2;
    int group = -1;                   ///< the group that is selected as such
    std::set<int> hits;               ///< shown nodes that the search found
    QRectF band;                      ///< of a selection that is being drawn
    int dropEdge = -1, dropNode = -2; ///< where a dragged layer would go
    bool hasFocus = false;
    NetworkHeat heat; ///< shown when it has values
};

/// The button on a wrong node that cures it.
QRectF fixRect(const QRectF& node, const QString& fix);

class NetworkPainter {
    Q_DECLARE_TR_FUNCTIONS(heteroscope::ui::NetworkPainter)
  public:
    NetworkPainter(QPainter& painter, const NetworkScene& scene);
    void paint(const QRectF& visible);

  private:
    void paintEdge(const PlacedEdge& edge, bool target);
    void paintInput();
    void paintAdvice(); ///< of an empty network
    void paintNode(int node);
    std::optional<double> heatOf(int node) const; ///< of a collapsed group: of its layers together
    QColor fillOf(int node) const; ///< by its heat, where it has one
    void paintCorners(QRectF line, const GraphNode& node);
    void paintLeaf(const QRectF& rect); ///< a second sheet behind a collapsed group
    void paintGroup(std::size_t group);
    void paintBand();
    void paintFrame(const QRectF& rect, int node, bool wrong);
    void paintGlyph(const QRectF& rect, const GraphNode& node);
    void paintFinding(const QRectF& rect, const GraphNode& node, const QString& fix);
    void text(const QRectF& rect, const QString& text, const QColor& color, int flags, bool bold = false);

    QPainter& m_painter;
    const NetworkScene& m_scene;
    const ThemeColors& m_colors;
    QFont m_font, m_bold;
};

/// "448 parameters", "14.2 M multiply-adds": a node's last line, its left and its right end.
QString parametersText(const GraphNode& node);
QString multiplyAddsText(const GraphNode& node);
/// What tells a group of layer types from the others wherever layers are drawn.
QColor layerColor(const QString& group);
/// The worst finding as a sentence; empty when there is none.
QString findingSentence(const std::vector<compute::Diagnostic>& findings);
/// "1.2 M", "640": counts too long for a node.
QString shortCount(double count);

} // namespace heteroscope::ui
