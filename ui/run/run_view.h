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
    void setSession(std::shared_ptr<StudySession> session);

  signals:
    void runRequested();
    void stopRequested();
    void showTimelineRequested(qint64 startNs, qint64 endNs);
};

} // namespace heteroscope::ui
