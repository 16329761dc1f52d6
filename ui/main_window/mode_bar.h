// SPDX-License-Identifier: GPL-3.0-or-later
// The column of modes at the left edge. GUI thread.
#pragma once

#include "ui/main_window/main_window.h"

#include <QFrame>

class QButtonGroup;

namespace heteroscope::ui {

class ModeBar : public QFrame {
    Q_OBJECT
  public:
    explicit ModeBar(QWidget* parent = nullptr);
    void setMode(MainWindow::Mode mode);
    static QString modeName(MainWindow::Mode mode);

  signals:
    void modeRequested(heteroscope::ui::MainWindow::Mode mode);

  private:
    QButtonGroup* m_buttons;
};

} // namespace heteroscope::ui
