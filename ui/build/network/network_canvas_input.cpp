// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the network's canvas, and what is dropped on it.
#include "ui/build/network/network_canvas.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kKeyStep = 1.25;

bool holdsLayer(const QMimeData* data) {
    return data->hasFormat(QLatin1String(NetworkCanvas::kLayerMime));
}

} // namespace

/// Keys that the window's menus must not take while the canvas has the keyboard.
bool NetworkCanvas::isWorkKey(QKeyEvent* event) const {
    for (const auto key : {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::Delete})
        if (event->matches(key))
            return true;
    const bool isLetter = event->key() == Qt::Key_D || event->key() == Qt::Key_G;
    return event->key() == Qt::Key_Insert || event->key() == Qt::Key_Backspace ||
           (isLetter && (event->modifiers() & Qt::ControlModifier));
}

void NetworkCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_press.kind != Press::Kind::None)
        cancelDrag();
    else if (!editKey(event) && !groupKey(event) &&
             !arrowKey(event->key(), event->modifiers() & Qt::ShiftModifier) && !zoomKey(event->key()))
        QWidget::keyPressEvent(event);
}

bool NetworkCanvas::groupKey(QKeyEvent* event) {
    const int group = m_scene.group >= 0 ? m_scene.group : m_scene.graph.groupOf(m_scene.current);
    if (event->key() == Qt::Key_G && event->modifiers() == Qt::ControlModifier)
        emit groupRequested();
    else if (event->key() == Qt::Key_G && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
        emit ungroupRequested();
    else if (event->key() == Qt::Key_Space && group >= 0)
        emit collapseRequested(group);
    else if (event->key() == Qt::Key_L && event->modifiers() == Qt::NoModifier)
        emit arrangeRequested();
    else
        return false;
    return true;
}

bool NetworkCanvas::editKey(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        emit copyRequested();
    else if (event->matches(QKeySequence::Cut))
        emit cutRequested();
    else if (event->matches(QKeySequence::Paste))
        emit pasteRequested();
    else if (event->matches(QKeySequence::SelectAll)) {
        std::vector<int> all;
        for (int i = 0; i < static_cast<int>(m_scene.graph.layers.size()); ++i)
            all.push_back(i);
        selectAll(all);
    } else if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier)
        emit duplicateRequested();
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        emit removeRequested();
    else if (event->key() == Qt::Key_Insert)
        emit paletteRequested();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F2)
        emit editRequested();
    else
        return false;
    return true;
}

bool NetworkCanvas::zoomKey(int key) {
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomBy(kKeyStep);
    else if (key == Qt::Key_Minus)
        zoomBy(1 / kKeyStep);
    else if (key == Qt::Key_0 || key == Qt::Key_F)
        fit();
    else
        return false;
    return true;
}

/// Along edges upwards and downwards; sideways to the nearest node of the same row. -2: none.
int NetworkCanvas::neighbour(int key) const {
    const int at = m_scene.current;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        for (const PlacedEdge& edge : m_scene.layout.edges)
            if ((key == Qt::Key_Up ? edge.to : edge.from) == at)
                return key == Qt::Key_Up ? edge.from : edge.to;
        return -2;
    }
    int best = -2;
    double least = 1e18;
    const QRectF own = m_scene.layout.rectOf(at);
    for (int i = 0; i < static_cast<int>(m_scene.layout.nodes.size()); ++i) {
        const QRectF& other = m_scene.layout.rectOf(i);
        const double distance = (other.center().x() - own.center().x()) * (key == Qt::Key_Left ? -1 : 1);
        const bool sameRow = other.top() < own.bottom() && own.top() < other.bottom();
        if (!other.isNull() && sameRow && distance > 1 && distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

bool NetworkCanvas::arrowKey(int key, bool extend) {
    const int last = static_cast<int>(m_scene.graph.layers.size()) - 1;
    if (key == Qt::Key_Home || key == Qt::Key_End) {
        select(key == Qt::Key_Home ? kInputNode : last, extend);
        return true;
    }
    if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_Left && key != Qt::Key_Right)
        return false;
    if (m_scene.current < kInputNode)
        select(last);
    else if (const int next = neighbour(key); next != -2)
        select(next, extend);
    return true;
}

void NetworkCanvas::dragEnterEvent(QDragEnterEvent* event) {
    if (holdsLayer(event->mimeData()))
        event->acceptProposedAction();
}

void NetworkCanvas::dragMoveEvent(QDragMoveEvent* event) {
    if (!holdsLayer(event->mimeData()))
        return;
    markDrop(event->position());
    event->acceptProposedAction();
}

/// On an edge: into it. On a node: after it. Elsewhere: at the end.
void NetworkCanvas::markDrop(const QPointF& screenPoint) {
    const QPointF point = toScene(screenPoint);
    m_scene.dropNode = m_scene.layout.nodeAt(point);
    m_scene.dropEdge = m_scene.dropNode == -2 ? m_scene.layout.edgeAt(point) : -1;
    if (m_scene.dropNode == -2 && m_scene.dropEdge < 0)
        m_scene.dropNode = static_cast<int>(m_scene.graph.layers.size()) - 1;
    update();
}

void NetworkCanvas::clearDrop() {
    m_scene.dropEdge = -1;
    m_scene.dropNode = -2;
    update();
}

void NetworkCanvas::dragLeaveEvent(QDragLeaveEvent*) {
    clearDrop();
}

void NetworkCanvas::dropEvent(QDropEvent* event) {
    if (!holdsLayer(event->mimeData()))
        return;
    const QString type = QString::fromUtf8(event->mimeData()->data(QLatin1String(kLayerMime)));
    markDrop(event->position());
    const int edge = m_scene.dropEdge, node = m_scene.dropNode;
    clearDrop();
    event->acceptProposedAction();
    setFocus(Qt::MouseFocusReason);
    if (edge >= 0) {
        const GraphEdge& into = m_scene.layout.edges[static_cast<std::size_t>(edge)].edge;
        emit insertOnEdgeRequested(type, into.to, static_cast<int>(into.slot));
    } else {
        emit insertRequested(type, node);
    }
}

} // namespace heteroscope::ui
