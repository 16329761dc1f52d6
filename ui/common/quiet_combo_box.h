// SPDX-License-Identifier: GPL-3.0-or-later
// A box that never changes by the wheel: who scrolls a form over it means the form. GUI thread.
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace heteroscope::ui {

class QuietComboBox : public QComboBox {
  public:
    using QComboBox::QComboBox;

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace heteroscope::ui
