// SPDX-License-Identifier: GPL-3.0-or-later
// One press of Run: a worker, its run file and the session that shows it. GUI thread.
#pragma once

#include "compute/base/json.h"
#include "ui/models/study_session.h"
#include "ui/run/worker_process.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <memory>

namespace heteroscope::ui {

class RunController : public QObject {
    Q_OBJECT
  public:
    enum class State { Idle, Running, Stopping };

    explicit RunController(QObject* parent = nullptr);
    ~RunController() override; ///< stops the worker

    void setProgram(const QString& path);       ///< tests: a fake worker
    void setRunsDirectory(const QString& path); ///< where run files go

    /// `directory`: folder of the experiment, for relative paths in it; `options`: more of the command
    /// line's. Does nothing while running.
    void start(const Json& experiment, const QString& directory, const QStringList& options = {});
    /// The session shows the end within kStopShownMs, whether or not the worker has gone by then.
    void stop();

    State state() const { return m_state; }
    std::shared_ptr<StudySession> session() const { return m_session; } ///< null before the first run
    qint64 processId() const;

    static constexpr int kStopShownMs = 200;
    /// "2026-11-21_14-03-22-3fa9c1_max-pooling.hscope": the time, six random digits, so that no other window
    /// chooses the same name at the same time, and what runs.
    static QString runFileName(const QString& directory, const QString& experimentName);

  signals:
    void sessionStarted(std::shared_ptr<heteroscope::ui::StudySession> session);
    void stateChanged();
    /// The worker cannot write its run file and goes on for the window alone: the session has what arrives.
    void fileFailed(const QString& sentence);
    /// The session has reached its end. `sentence` is empty after a clean one.
    void runFinished(heteroscope::ui::WorkerProcess::Outcome outcome, const QString& sentence);

  private:
    void onWorkerFinished(WorkerProcess::Outcome outcome);
    void giveUpWaiting();
    void setState(State state);
    void conclude(WorkerProcess::Outcome outcome, const WorkerEnd& end);

    std::unique_ptr<WorkerProcess> m_worker;
    std::shared_ptr<StudySession> m_session;
    QTimer m_stopTimer;
    QString m_program, m_runsDirectory;
    State m_state = State::Idle;
};

} // namespace heteroscope::ui
