// SPDX-License-Identifier: GPL-3.0-or-later
// The application's style sheet, set on its windows. GUI thread.
//
// QApplication::setStyleSheet() makes Qt style every widget of a tree again whenever the tree is put into
// another one (QWidget::setParent() restyles all that it moves): a form that is built from the inside out is
// styled once for each level that it has. A window that gets its sheet when it is first shown styles what it
// holds once.
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace heteroscope::ui {

/// Styles each window, also one without a frame such as a menu's, when it is first shown: the widget above
/// which there is none. What has a window as its parent, as a dialogue has, takes the style from there. Size
/// hints that are asked for before are not the theme's: whenStyled() (widgets.h).
class WindowStyle : public QObject {
  public:
    /// A filter of all events of `application`, which owns it.
    explicit WindowStyle(QObject* application);
    /// For windows that there are and those to come.
    void setSheet(const QString& sheet);

    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void style(QWidget* window);

    QString m_sheet;
};

} // namespace heteroscope::ui
