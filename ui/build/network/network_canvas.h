// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a picture that the mouse and the keyboard work on. It changes nothing itself: it tells what
// is wanted. GUI thread.
#pragma once

#include "ui/build/network/network_painter.h"

#include <QWidget>

namespace heteroscope::ui {

class NetworkCanvas : public QWidget {
    Q_OBJECT
  public:
    explicit NetworkCanvas(QWidget* parent = nullptr);

    /// The selection stays on the layers of the same names.
    void setGraph(NetworkGraph graph, std::vector<QString> fixes);
    const NetworkScene& scene() const { return m_scene; }
    /// Colours the layers by a figure of a run, with a legend; without values: none.
    void setHeat(NetworkHeat heat);

    void select(int node, bool extend = false); ///< -1: the input; -2: nothing
    void selectAll(const std::vector<int>& nodes);
    void selectGroup(int group);                        ///< its layers and the group itself
    int selectedGroup() const { return m_scene.group; } ///< -1: none
    /// Rings around nodes that a search found; the view goes to the layer `current` when it is one.
    void showHits(const std::vector<int>& layers, int current);
    int current() const { return m_scene.current; }
    std::vector<int> selectedLayers() const; ///< without the input, in order
    /// After which a new layer goes: the present node, else the last one.
    int insertionPlace() const;

    double zoom() const { return m_zoom; }
    void zoomBy(double factor);
    void fit();
    QPoint toScreen(const QPointF& scenePoint) const;
    QRectF visibleScene() const;
    void centerOn(const QPointF& scenePoint);

    QSize minimumSizeHint() const override { return {280, 200}; }
    QSize sizeHint() const override { return {560, 560}; }

    static constexpr const char* kLayerMime = "application/x-heteroscope-layer"; ///< data: a type's id

  signals:
    void selectionChanged();
    void insertRequested(const QString& type, int after);
    void insertOnEdgeRequested(const QString& type, int to, int slot);
    void removeRequested();
    void duplicateRequested();
    void copyRequested();
    void cutRequested();
    void pasteRequested();
    void paletteRequested();
    void editRequested();
    void fixRequested(int layer);
    void moved(const std::map<int, QPointF>& places); ///< nodes were dragged to where they are now
    void moveOntoEdgeRequested(int layer, int to, int slot);
    void groupRequested();
    void ungroupRequested();
    void collapseRequested(int group); ///< or expand
    void arrangeRequested();
    void menuRequested(const QPoint& globalPoint);
    void viewChanged(); ///< what is visible, or the layout

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    QPointF toScene(const QPointF& screenPoint) const;
    void zoomAround(double factor, const QPointF& screenPoint);
    void keepInside();
    void show(int node);
    void afterSelection();
    bool arrowKey(int key, bool extend);
    bool editKey(QKeyEvent* event);
    bool zoomKey(int key);
    bool groupKey(QKeyEvent* event);
    bool isWorkKey(QKeyEvent* event) const;
    int neighbour(int key) const;
    void markDrop(const QPointF& screenPoint);
    void clearDrop();
    QString toolTipAt(const QPointF& scenePoint) const;
    QString describe(int node) const;

    void look(const QPointF& offset); ///< the view was moved
    void add(int node);               ///< to the selection; a box with all its layers
    void toggle(int node);
    void pressNode(int node, const QPointF& scenePoint);
    void startDrag();
    void dragNodes(const QPointF& scenePoint);
    void dragBand(const QPointF& scenePoint);
    void endDrag();
    void cancelDrag();

    /// What a pressed button of the mouse does.
    struct Press {
        enum class Kind { None, Pan, Band, Node, Drag } kind = Kind::None;
        QPointF screen, scene;
        bool extends = false;
        std::set<int> selected;            ///< before a band
        std::map<int, QPointF> start, was; ///< corners of the dragged nodes; all places before
    };

    NetworkScene m_scene;
    Press m_press;
    double m_zoom = 1;
    QPointF m_offset; ///< of the scene's origin on screen
    bool m_fitted = true;
};

} // namespace heteroscope::ui
