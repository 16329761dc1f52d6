// SPDX-License-Identifier: GPL-3.0-or-later
// What a matrix multiplication is and costs: A × B = C to scale, the row and column that make one element,
// work and memory. GUI thread.
#pragma once

#include "ui/build/document.h"

#include <QLabel>
#include <QWidget>

namespace heteroscope::ui {

class FactsPanel;
class MatmulCanvas;

class MatmulPicture : public QWidget {
    Q_OBJECT
  public:
    explicit MatmulPicture(Document& document, QWidget* parent = nullptr);
    void refresh();

  private:
    Document& m_document;
    QLabel* m_sentence;
    QLabel* m_problem;
    MatmulCanvas* m_canvas;
    FactsPanel* m_work;
    FactsPanel* m_memory;
};

} // namespace heteroscope::ui
