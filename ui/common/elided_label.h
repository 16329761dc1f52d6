// SPDX-License-Identifier: GPL-3.0-or-later
// A label of one line that ends in an ellipsis where it has no room; the tooltip has the whole text then. GUI
// thread.
#pragma once

#include <QLabel>

namespace heteroscope::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT
  public:
    /// `mostWidth`: the widest it wants to be, in pixels.
    explicit ElidedLabel(int mostWidth, QWidget* parent = nullptr);

    bool isElided() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int m_mostWidth;
};

} // namespace heteroscope::ui
