// SPDX-License-Identifier: GPL-3.0-or-later
// What a view shows instead of an empty picture: an icon, a line, advice and the button that helps. GUI
// thread.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QHBoxLayout;
class QProgressBar;
class QPushButton;

namespace heteroscope::ui {

class Placeholder : public QWidget {
    Q_OBJECT
  public:
    explicit Placeholder(QWidget* parent = nullptr);
    void setContent(const QString& iconName, const QString& title, const QString& advice);
    /// The caller connects clicked(). Buttons stay until clearButtons().
    QPushButton* addButton(const QString& text, const QString& iconName = {}, bool primary = false);
    void clearButtons();
    void setButtonsVisible(bool visible);
    void setBusy(bool busy); ///< shows a moving bar

  private:
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_advice;
    QProgressBar* m_busy;
    QHBoxLayout* m_buttons;
    QString m_iconName;
};

} // namespace heteroscope::ui
