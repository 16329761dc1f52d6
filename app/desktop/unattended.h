// SPDX-License-Identifier: GPL-3.0-or-later
// A window that nobody watches: what it was told to open, run and show ends it, with an exit code and a
// sentence on stderr, whatever happens. GUI thread.
#pragma once

#include "app/desktop/options.h"
#include "compute/base/error.h"
#include "ui/main_window/screenshots.h"

#include <QObject>

namespace heteroscope {

class Unattended : public QObject {
    Q_OBJECT
  public:
    /// `options` outlives this; the window is the parent.
    Unattended(ui::MainWindow& window, const Options& options);

    /// Whether the arguments tell the window to end by itself.
    static bool isAsked(const Options& options);
    /// After the file was opened: whether the pictures may be written where they shall be. Ends all when not.
    bool mayWrite();
    /// After the file was opened and the run was started, unless that ended everything.
    void start();
    bool ended() const { return m_ended; }

  private:
    void onRefused(const QString& sentence, ErrorCode code);
    void onDamaged(const QString& sentence, ErrorCode code);
    void onRunEnded(ui::WorkerProcess::Outcome outcome, const QString& sentence);
    void onPictures(bool ok, const QString& sentence);
    void runAgain();
    void end(int code, const QString& sentence);

    ui::MainWindow& m_window;
    const Options& m_options;
    int m_runs = 0;     ///< that have ended
    int m_code = 0;     ///< of the run that failed, or of the recording that is damaged
    QString m_sentence; ///< of it
    bool m_ended = false;
};

} // namespace heteroscope
