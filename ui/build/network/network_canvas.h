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
    int current() const { return m_scene.current; }
    std::vector<int> selectedLayers() const; ///< without the input, in order
    /// After which a new layer goes: the present node, else the last one.
    int insertionPlace() const;

    double zoom() const { return m_zoom; }
    void zoomBy(double factor);
    void fit();
    QPoint toScreen(const QPointF& scenePoint) const;

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

  private:
    QPointF toScene(const QPointF& screenPoint) const;
    void zoomAround(double factor, const QPointF& screenPoint);
    void keepInside();
    void show(int node);
    void afterSelection();
    bool arrowKey(int key, bool extend);
    bool editKey(QKeyEvent* event);
    bool zoomKey(int key);
    bool isWorkKey(QKeyEvent* event) const;
    int neighbour(int key) const;
    void markDrop(const QPointF& screenPoint);
    void clearDrop();
    QString toolTipAt(const QPointF& scenePoint) const;
    QString describe(int node) const;

    NetworkScene m_scene;
    double m_zoom = 1;
    QPointF m_offset; ///< of the scene's origin on screen
    bool m_fitted = true;
    std::optional<QPointF> m_panFrom;
};

} // namespace heteroscope::ui
