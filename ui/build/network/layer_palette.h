// SPDX-License-Identifier: GPL-3.0-or-later
// The layers that can be put into a network, grouped and searchable. A click or Return chooses one; each can
// be dragged. GUI thread.
#pragma once

#include <QWidget>

class QLineEdit;
class QTreeWidget;

namespace heteroscope::ui {

class LayerPalette : public QWidget {
    Q_OBJECT
  public:
    explicit LayerPalette(QWidget* parent = nullptr);
    void focusSearch();

  signals:
    void layerChosen(const QString& type);
    void escaped(); ///< the search was left by Escape

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void colorHeadings();
    void filter(const QString& text);
    void chooseCurrent();

    QLineEdit* m_search;
    QTreeWidget* m_tree;
};

} // namespace heteroscope::ui
