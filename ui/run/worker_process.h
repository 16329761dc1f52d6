// SPDX-License-Identifier: GPL-3.0-or-later
// Starts heteroscope-cli as a child, feeds it an experiment, hands on its bytes, stops it. Never blocks. GUI
// thread.
#pragma once

#include "compute/base/json.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace heteroscope::ui {

struct WorkerEnd;

class WorkerProcess : public QObject {
    Q_OBJECT
  public:
    enum class Outcome { Done, Failed, BadInput, TargetUnavailable, Cancelled, Crashed, Killed, NotStarted };

    explicit WorkerProcess(QObject* parent = nullptr);
    ~WorkerProcess() override; ///< ends the child: SIGTERM, then SIGKILL

    /// The CLI beside this program, else $HETEROSCOPE_CLI, else on PATH.
    static QString programPath();
    void setProgram(const QString& path); ///< tests: a fake worker
    /// `directory`: where the experiment's relative paths begin; it need not be there while nothing in it is
    /// named.
    void start(const Json& experiment, const QString& directory, const QString& runFile,
               const QStringList& extra = {});
    void stop(); ///< closes stdin and sends SIGTERM; SIGKILL after 2 s
    bool isRunning() const;
    bool fileFailed() const; ///< it has said that the run file cannot be written
    qint64 processId() const;
    /// How the last one ended, for a sentence with more than this knows; while one runs: as it was started.
    const WorkerEnd& lastEnd() const;

  signals:
    void started();
    void bytesArrived(const QByteArray& bytes);
    /// The worker has put on stderr, as it happens, that the run file cannot be written.
    void runFileFailed(const QString& sentence);
    /// `sentence`: what happened and what to do, from the exit code and the last lines of stderr.
    void finished(heteroscope::ui::WorkerProcess::Outcome outcome, const QString& sentence);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
