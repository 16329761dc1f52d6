// SPDX-License-Identifier: GPL-3.0-or-later
// Searches the layers of the canvas it lies on and goes from hit to hit. GUI thread.
#pragma once

#include "ui/build/network/network_canvas.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace heteroscope::ui {

/// Numbers of the layers whose name, type or summary holds every word of the text.
std::vector<int> findLayers(const NetworkGraph& graph, const QString& text);

class NetworkFindBar : public QFrame {
    Q_OBJECT
  public:
    /// Lies on `canvas`, which owns it; hidden until it is opened.
    explicit NetworkFindBar(NetworkCanvas* canvas);

    void open();
    void close();
    void step(int by);  ///< to the next or previous hit, around the ends
    void searchAgain(); ///< the network changed

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QToolButton* addButton(const QString& name, const QString& iconName, const QString& toolTip);
    void search();
    void show(int hit);
    void place();

    NetworkCanvas* m_canvas;
    QLineEdit* m_text;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    std::vector<int> m_hits;
    int m_at = -1; ///< among the hits
};

} // namespace heteroscope::ui
