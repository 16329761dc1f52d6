// SPDX-License-Identifier: GPL-3.0-or-later
// Says what the focused field means and what it allows. GUI thread.
#pragma once

#include "ui/build/form_item.h"

#include <QFrame>
#include <QLabel>

namespace heteroscope::ui {

class HintPanel : public QFrame {
    Q_OBJECT
  public:
    explicit HintPanel(QWidget* parent = nullptr);
    void showHint(const Hint& hint);
    QString text() const { return m_text->text(); }

  private:
    QLabel* m_title;
    QLabel* m_text;
};

} // namespace heteroscope::ui
