// SPDX-License-Identifier: GPL-3.0-or-later
// One study as the views see it, live or from a file. Lives on the GUI thread; bytes are decoded on a thread
// of its own: trace frames go straight into the store, everything else comes over as queued values.
#pragma once

#include "compute/base/error.h"
#include "profiling/analysis/live_transfers.h"
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace heteroscope::ui {

class StudySession : public QObject {
    Q_OBJECT
  public:
    enum class State { Empty, Loading, Live, Done, StoppedEarly, Failed };

    explicit StudySession(QObject* parent = nullptr);
    ~StudySession() override;

    void openFile(const QString& path); ///< .hscope, Chrome .json or .json.gz; asynchronous
    /// The file the worker writes, may be empty; `title` until the stream says its name.
    void beginLive(const QString& filePath, const QString& title = {});
    void feed(const QByteArray& bytes); ///< from the worker's stdout
    /// The worker is gone. `sentence` says what happened, for people; empty after a clean end.
    void endLive(bool clean, const QString& sentence);
    /// The same, with a sentence that is made when all that the worker sent has been read.
    using EndSentence = std::function<QString(const profiling::Study&)>;
    void endLiveWith(bool clean, EndSentence sentence);

    State state() const;
    QString message() const;     ///< what went wrong, or where a file stopped; empty when all is well
    ErrorCode errorCode() const; ///< of a file that is damaged or cannot be read; else BadInput
    QString filePath() const;
    QString title() const;
    /// How far the recording goes and how its run ended; of a live study as far as it has come.
    profiling::RunFileState recording() const;
    const profiling::Study& study() const;
    QString progressText() const; ///< what is computed at the moment; empty before anything is
    std::shared_ptr<const profiling::Trace> trace() const; ///< never null
    const profiling::LiveTransfers& transfers() const;     ///< as of the last traceGrew()

  signals:
    void stateChanged();
    void studyChanged(); ///< runs, environment, outcome
    void samplesArrived(int run);
    void activityChanged(); ///< study().activity: what the worker does now
    void traceGrew();       ///< at most 30 times a second
    void logArrived(const QString& level, const QString& text);
    void progressChanged(double fraction, double remainingS, const QString& what);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
