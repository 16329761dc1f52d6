// SPDX-License-Identifier: GPL-3.0-or-later
// Under a roofline without roofs: offers to measure what this machine's processors do at most, and shows how
// far that is. Somebody else measures. GUI thread.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace heteroscope::ui {

/// How far a measurement of the peaks is.
struct PeaksProgress {
    bool running = false;
    int step = 0, steps = 0; ///< of a running one; 0: not known yet
    QString sentence;        ///< why the last one ended without a result; empty without one
    bool possible = true;    ///< false: something runs that it would disturb, and that would disturb it
};

class PeaksBar : public QWidget {
    Q_OBJECT
  public:
    explicit PeaksBar(QWidget* parent = nullptr);
    void setProgress(const PeaksProgress& progress);

  signals:
    void measureRequested();
    void cancelRequested();

  private:
    QPushButton* m_measure;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    QLabel* m_text;
};

} // namespace heteroscope::ui
