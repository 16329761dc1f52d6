// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and wheel of the network's canvas: clicks, a band around nodes, nodes that are dragged, panning.
#include "ui/build/network/network_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kWheelStep = 1.0015;
constexpr double kGrid = 8; ///< what is dragged lands on it

double onGrid(double value) {
    return std::round(value / kGrid) * kGrid;
}

} // namespace

void NetworkCanvas::mousePressEvent(QMouseEvent* event) {
    const QPointF point = toScene(event->position());
    const int node = m_scene.layout.nodeAt(point), title = node == -2 ? m_scene.layout.titleAt(point) : -1;
    m_press = {};
    m_press.screen = event->position();
    m_press.scene = point;
    m_press.extends = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton) {
        m_press.kind = Press::Kind::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (title >= 0) {
        selectGroup(title);
    } else if (node != -2) {
        if (event->button() == Qt::LeftButton)
            pressNode(node, point);
        else if (!m_scene.selected.contains(node)) // the menu is about what is clicked
            select(node);
    } else if (event->button() == Qt::LeftButton) {
        m_press.kind = Press::Kind::Band;
        m_press.selected = m_press.extends ? m_scene.selected : std::set<int>();
        if (!m_press.extends)
            select(-2);
    }
}

void NetworkCanvas::pressNode(int node, const QPointF& scenePoint) {
    const auto number = static_cast<std::size_t>(node);
    const bool onFix = node >= 0 && m_scene.graph.boxAt(node) < 0 && !m_scene.fixes[number].isEmpty() &&
                       fixRect(m_scene.layout.nodes[number], m_scene.fixes[number]).contains(scenePoint);
    if (m_press.extends) {
        toggle(node);
        m_scene.group = -1;
        afterSelection();
        return;
    }
    m_press.kind = Press::Kind::Node;
    if (m_scene.selected.contains(node))
        m_scene.current = node; // several may be dragged together
    else
        select(node);
    afterSelection();
    if (onFix) {
        m_press = {};
        emit fixRequested(node);
    }
}

void NetworkCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF point = toScene(event->position());
    if (m_press.kind == Press::Kind::Node &&
        (event->position() - m_press.screen).manhattanLength() >= QApplication::startDragDistance())
        startDrag();
    if (m_press.kind == Press::Kind::Pan) {
        look(m_offset + event->position() - m_press.screen);
        m_press.screen = event->position();
    } else if (m_press.kind == Press::Kind::Band) {
        dragBand(point);
    } else if (m_press.kind == Press::Kind::Drag) {
        dragNodes(point);
    } else if (const int node = m_scene.layout.nodeAt(point); node != m_scene.hovered) {
        m_scene.hovered = node;
        update();
    }
}

void NetworkCanvas::dragBand(const QPointF& scenePoint) {
    m_scene.band = QRectF(m_press.scene, scenePoint).normalized();
    m_scene.selected = m_press.selected;
    m_scene.current = -2;
    for (int node = kInputNode; node < static_cast<int>(m_scene.graph.layers.size()); ++node)
        if (m_scene.graph.isShown(node) && m_scene.layout.rectOf(node).intersects(m_scene.band)) {
            add(node);
            m_scene.current = node;
        }
    m_scene.group = -1;
    afterSelection();
}

void NetworkCanvas::startDrag() {
    m_press.kind = Press::Kind::Drag;
    m_press.was = m_scene.graph.places;
    for (const int node : m_scene.selected)
        if (m_scene.graph.isShown(node))
            m_press.start[node] = m_scene.layout.rectOf(node).topLeft();
    setCursor(Qt::SizeAllCursor);
}

/// The nodes follow the mouse. One layer alone over an edge would go into it.
void NetworkCanvas::dragNodes(const QPointF& scenePoint) {
    const QPointF by = scenePoint - m_press.scene;
    for (const auto& [node, corner] : m_press.start)
        m_scene.graph.places[node] = {onGrid(corner.x() + by.x()), onGrid(corner.y() + by.y())};
    m_scene.layout = layOutNetwork(m_scene.graph);
    m_scene.dropEdge = -1;
    const int node = m_press.start.begin()->first;
    const bool isChained =
        node >= 0 && m_scene.graph.layers[static_cast<std::size_t>(node)].inputs.size() == 1;
    if (m_press.start.size() == 1 && isChained && m_scene.graph.boxAt(node) < 0) {
        const int edge = m_scene.layout.edgeAt(scenePoint);
        const PlacedEdge* over = edge < 0 ? nullptr : &m_scene.layout.edges[static_cast<std::size_t>(edge)];
        if (over && over->from != node && over->to != node)
            m_scene.dropEdge = edge;
    }
    update();
    emit viewChanged();
}

void NetworkCanvas::endDrag() {
    const int node = m_press.start.begin()->first, edge = m_scene.dropEdge;
    if (edge >= 0) {
        const GraphEdge onto = m_scene.layout.edges[static_cast<std::size_t>(edge)].edge;
        cancelDrag();
        emit moveOntoEdgeRequested(node, onto.to, static_cast<int>(onto.slot));
        return;
    }
    std::map<int, QPointF> places;
    for (const auto& [dragged, corner] : m_press.start)
        places[dragged] = m_scene.layout.rectOf(dragged).topLeft();
    const bool changed = places != m_press.start;
    m_press = {};
    unsetCursor();
    if (changed)
        emit moved(places);
}

void NetworkCanvas::cancelDrag() {
    if (m_press.kind == Press::Kind::Drag) {
        m_scene.graph.places = m_press.was;
        m_scene.layout = layOutNetwork(m_scene.graph);
    }
    m_press = {};
    m_scene.band = {};
    unsetCursor();
    clearDrop();
}

void NetworkCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Press press = m_press;
    if (press.kind == Press::Kind::Drag) {
        endDrag();
        return;
    }
    cancelDrag();
    if (press.kind == Press::Kind::Node && event->button() == Qt::LeftButton)
        select(m_scene.current); // a click on one of several selected nodes means that one
}

void NetworkCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF point = toScene(event->position());
    const int node = m_scene.layout.nodeAt(point);
    const int group = node >= 0 ? m_scene.graph.boxAt(node) : node == -2 ? m_scene.layout.titleAt(point) : -1;
    if (group >= 0)
        emit collapseRequested(group);
    else if (node >= kInputNode)
        emit editRequested();
}

/// The wheel scrolls as in a document; with Ctrl it zooms at the mouse.
void NetworkCanvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        zoomAround(std::pow(kWheelStep, event->angleDelta().y()), event->position());
    } else {
        QPointF by =
            event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
        if (event->modifiers() & Qt::ShiftModifier)
            by = {by.y(), by.x()};
        look(m_offset + by);
    }
    event->accept();
}

void NetworkCanvas::contextMenuEvent(QContextMenuEvent* event) {
    cancelDrag();
    if (event->reason() == QContextMenuEvent::Mouse) {
        emit menuRequested(event->globalPos());
        return;
    }
    const bool any = m_scene.current >= kInputNode;
    const QPointF place = any ? m_scene.layout.rectOf(m_scene.current).center() : visibleScene().center();
    emit menuRequested(mapToGlobal(toScreen(place)));
}

} // namespace heteroscope::ui
