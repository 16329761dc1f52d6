// SPDX-License-Identifier: GPL-3.0-or-later
// Answers the question that a window is about to ask. GUI thread.
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QString>
#include <QTimer>

namespace heteroscope::ui {

/// Presses a button of the next question that is asked.
class Answer {
  public:
    explicit Answer(const QString& button) {
        m_timer.setInterval(10);
        QObject::connect(&m_timer, &QTimer::timeout, [this, button] { look(button); });
        m_timer.start();
    }
    bool given() const { return m_given; }

  private:
    void look(const QString& text) {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr)
            return;
        m_timer.stop();
        for (auto* button : box->buttons())
            if (button->text().remove('&') == text) {
                m_given = true;
                button->click();
                return;
            }
        box->reject();
    }

    QTimer m_timer;
    bool m_given = false;
};

} // namespace heteroscope::ui
