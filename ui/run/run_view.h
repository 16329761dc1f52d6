// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Run: progress, samples and a small timeline of the study under way. GUI thread.
#pragma once

#include "ui/models/study_session.h"

#include <QWidget>

#include <memory>

namespace heteroscope::ui {

class RunView : public QWidget {
    Q_OBJECT
  public:
    explicit RunView(QWidget* parent = nullptr);
    ~RunView() override;
    void setSession(std::shared_ptr<StudySession> session);
    /// Whether there is an experiment that can run, and its name: for the empty state's button.
    void setRunnable(bool runnable, const QString& experimentName);
    /// Whether the shown study is of the experiment that would run now.
    void setRepeatable(bool repeatable);

  signals:
    void runRequested();
    void repeatWhenQuietRequested(); ///< the same experiment, waiting for other programs to be done
    void stopRequested();
    void showTimelineRequested(qint64 startNs, qint64 endNs);
    void openTimelineRequested();
    void openAnalyzeRequested();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
