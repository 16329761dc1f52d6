// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment name, its targets, progress, Run and Stop. GUI thread.
#pragma once

#include <QFrame>
#include <QList>
#include <QString>
#include <QStringList>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace heteroscope::ui {

class ElidedLabel;

class TopBar : public QFrame {
    Q_OBJECT
  public:
    explicit TopBar(QWidget* parent = nullptr);
    void setExperiment(const QString& title, const QStringList& targets);
    /// What Run starts. `isShown`: it is the experiment of setExperiment(); else the button names it.
    void setRuns(const QString& title, const QStringList& targets, bool isShown);
    /// `why`: shown as tool tip of a Run button that cannot be pressed.
    void setRunnable(bool runnable, const QString& why);
    void setRunning(bool running, bool stopping);
    void setProgress(double fraction, double remainingS, const QString& what);
    /// Without the targets, which are shown as far as there is room.
    QSize minimumSizeHint() const override;

  signals:
    void runRequested();
    void stopRequested();
    void targetsClicked(); ///< a person wants to change the targets

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showRunTip();
    /// Shows the targets that fit beside all else, and how many there are more.
    void fitTargets();
    void showTargets(qsizetype count);

    ElidedLabel* m_title;
    QHBoxLayout* m_chips;
    QProgressBar* m_progress;
    QLabel* m_progressText;
    QPushButton* m_run;
    QPushButton* m_stop;
    QStringList m_targets;
    QList<QLabel*> m_targetChips;
    QLabel* m_more = nullptr; ///< after the chips
    bool m_runnable = false;
    QString m_runs, m_whyNot; ///< the button's tool tip: what runs, or why nothing does
};

} // namespace heteroscope::ui
