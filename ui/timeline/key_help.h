// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's keys and mouse gestures, shown over it on request. GUI thread.
#pragma once

#include <QFrame>

namespace heteroscope::ui {

class KeyHelp : public QFrame {
    Q_OBJECT
  public:
    explicit KeyHelp(QWidget* parent);
    /// Shows itself in the middle of its parent, or hides.
    void toggle();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
};

} // namespace heteroscope::ui
