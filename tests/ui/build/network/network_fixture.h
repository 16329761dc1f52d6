// SPDX-License-Identifier: GPL-3.0-or-later
// A build view with a network, and short ways to its palette and canvas.
#pragma once

#include "tests/ui/build/build_fixture.h"
#include "ui/build/network/network_canvas.h"
#include "ui/common/format.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

namespace heteroscope::ui {

inline Json networkOf(const Json& layers) {
    Json document = compute::defaultNetworkDocument();
    document["network"] = {{"input", {{"shape", {3, 32, 32}}}}, {"layers", layers}};
    return document;
}

inline Json modelZero() {
    return Json::parse(R"([
        {"name": "conv1", "type": "conv2d", "filters": 16, "padding": 1}, {"name": "relu1", "type": "relu"},
        {"name": "pool1", "type": "maxpool2d"},
        {"name": "conv2", "type": "conv2d", "filters": 32, "padding": 1}, {"name": "relu2", "type": "relu"},
        {"name": "pool2", "type": "maxpool2d"}, {"name": "flatten1", "type": "flatten"},
        {"name": "dense1", "type": "dense", "units": 100}, {"name": "relu3", "type": "relu"},
        {"name": "dense2", "type": "dense", "units": 10}])");
}

/// A click on a type in the palette.
inline void clickLayerType(QWidget& window, const QString& type) {
    auto* tree = window.findChild<QTreeWidget*>("layer-palette");
    for (QTreeWidgetItemIterator at(tree); *at; ++at)
        if ((*at)->data(0, Qt::UserRole).toString() == type) {
            tree->scrollToItem(*at);
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(*at).center());
            return;
        }
    QFAIL("no such type in the palette");
}

struct NetworkFixture : BuildFixture {
    using BuildFixture::BuildFixture;

    NetworkCanvas* canvas() { return find<NetworkCanvas>("network-canvas"); }
    Json layers() const { return at("/network/layers"); }
    int node(const char* name) { return canvas()->scene().graph.indexOf(name); }
    const GraphNode& layer(const char* name) {
        return canvas()->scene().graph.layers.at(static_cast<std::size_t>(node(name)));
    }

    void clickType(const QString& type) { clickLayerType(view, type); }

    void clickNode(const char* name, Qt::KeyboardModifiers modifiers = {}) {
        const QRectF& rect = canvas()->scene().layout.rectOf(node(name));
        QTest::mouseClick(canvas(), Qt::LeftButton, modifiers, canvas()->toScreen(rect.center()));
    }

    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }

    /// Drops a type at a point of the scene.
    void drop(const QString& type, const QPointF& place) {
        QMimeData data;
        data.setData(NetworkCanvas::kLayerMime, type.toUtf8());
        const QPoint point = canvas()->toScreen(place);
        QDragEnterEvent enter(point, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(canvas(), &enter);
        QDropEvent event(point, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(canvas(), &event);
    }

    const PlacedEdge& edge(const char* from, const char* to) {
        for (const PlacedEdge& edge : canvas()->scene().layout.edges)
            if (edge.edge.from == node(from) && edge.edge.to == node(to))
                return edge;
        qFatal("no edge from %s to %s", from, to);
    }

    void undoAll() {
        while (document.undoStack().canUndo())
            document.undoStack().undo();
    }
};

} // namespace heteroscope::ui
