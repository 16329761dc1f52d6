// SPDX-License-Identifier: GPL-3.0-or-later
// An inline message with actions, in place of a dialog. Hidden until something is shown. GUI thread.
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace heteroscope::ui {

class MessageBar : public QFrame {
    Q_OBJECT
  public:
    enum class Tone { Info, Good, Warning, Error };

    struct Action {
        QString text;
        std::function<void()> run; ///< called once; the bar closes first
    };

    explicit MessageBar(QWidget* parent = nullptr);
    /// Replaces what is shown.
    void showMessage(Tone tone, const QString& text, std::vector<Action> actions = {});
    void clear();
    QString text() const; ///< empty when nothing is shown

  signals:
    void cleared();

  private:
    void showIcon();

    Tone m_tone = Tone::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_actions;
    QToolButton* m_close;
};

} // namespace heteroscope::ui
