// SPDX-License-Identifier: GPL-3.0-or-later
// The network builder: palette, canvas and sums, and the edits that they ask for. GUI thread.
#pragma once

#include "ui/build/document.h"
#include "ui/build/network/heat_chooser.h"
#include "ui/build/network/network_canvas.h"
#include "ui/build/network/network_edits.h"

#include <QWidget>

class QToolButton;

namespace heteroscope::ui {

class LayerPalette;
class NetworkFindBar;
class NetworkTotals;

class NetworkView : public QWidget {
    Q_OBJECT
  public:
    explicit NetworkView(Document& document, QWidget* parent = nullptr);

    void refresh();
    void setDevices(const Json& devices);
    void selectLayer(int layer); ///< -1: the input
    /// Of the study that is open: what the layers can be coloured by.
    void setLayerTimes(MeasuredLayersPtr times) { m_heat->setLayerTimes(std::move(times)); }

  signals:
    void layerSelected(int layer); ///< -1: the input; -2: none
    void groupSelected(int group); ///< instead of a layer
    void editRequested();

  private:
    QWidget* makeBar();
    QWidget* makeColours();
    QToolButton* addTool(QWidget* bar, const QString& name, const QString& text, const QString& toolTip);
    void connectCanvas();
    void commit(const NetworkEdit& edit, const QString& label);
    void insertLayer(const QString& type, int after);
    void insertInto(const QString& type, int to, int slot);
    void remove(const QString& label);
    void copy();
    void paste(const std::string& text, const QString& label);
    void duplicate();
    void fixLayer(int layer);
    void connectView();
    void group();
    void ungroup();
    void collapse(int group);
    void arrange();
    void moveLayer(int layer, int to, int slot);
    void showMenu(const QPoint& globalPoint);
    void tellSelection();
    std::string partnerFor(const std::string& type, int source, int before) const;
    int lastSelected() const;

    Document& m_document;
    Json m_devices;
    LayerPalette* m_palette;
    NetworkCanvas* m_canvas;
    NetworkTotals* m_totals;
    HeatChooser* m_heat = nullptr;
    QToolButton* m_remove = nullptr;
    QToolButton* m_duplicate = nullptr;
    QToolButton* m_group = nullptr;
    QToolButton* m_arrange = nullptr;
    NetworkFindBar* m_find;
    int m_told = -2, m_toldGroup = -1; ///< what was announced last
};

} // namespace heteroscope::ui
