// SPDX-License-Identifier: GPL-3.0-or-later
// A column of controls that scrolls up and down and is never narrower than the controls need, so that nothing
// is cut at its right edge. GUI thread.
#pragma once

#include <QScrollArea>

namespace heteroscope::ui {

class ColumnScroll : public QScrollArea {
    Q_OBJECT
  public:
    /// Takes the column over.
    explicit ColumnScroll(QWidget* column);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void takeWidthOfColumn();
};

} // namespace heteroscope::ui
