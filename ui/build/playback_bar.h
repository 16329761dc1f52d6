// SPDX-License-Identifier: GPL-3.0-or-later
// Steps through the windows of the picture: first, back, play or pause, forward, last, and a slider. GUI
// thread.
#pragma once

#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace heteroscope::ui {

class PlaybackBar : public QWidget {
    Q_OBJECT
  public:
    explicit PlaybackBar(QWidget* parent = nullptr);

    void setCount(int count);
    void setStep(int step); ///< does not signal
    void setCaption(const QString& caption);
    int step() const { return m_slider->value(); }
    bool isPlaying() const { return m_timer.isActive(); }
    void togglePlay();
    void pause();

  signals:
    void stepChosen(int step);

  private:
    QToolButton* addButton(const QString& text, const QString& name);
    void advance();
    void showState();

    QTimer m_timer;
    QSlider* m_slider;
    QToolButton* m_play;
    QLabel* m_caption;
};

} // namespace heteroscope::ui
