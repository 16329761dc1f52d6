// SPDX-License-Identifier: GPL-3.0-or-later
// How a worker ended, said for people. Pure functions; GUI thread (translated texts).
#pragma once

#include "ui/run/worker_process.h"

namespace heteroscope::ui {

struct WorkerEnd {
    bool started = true;        ///< false: the program could not be started at all
    bool signalled = false;     ///< ended by a signal, whose number is in `code`
    bool stopAsked = false;     ///< stop() was called before
    bool killedByUs = false;    ///< it did not listen and was sent SIGKILL
    bool fileFailed = false;    ///< it said that the run file could not be written
    bool shortOfMemory = false; ///< something says that memory ran out: SIGKILL itself does not
    int code = 0;               ///< exit code, or signal
    QString startError;         ///< why it could not start
    QString lastWords;          ///< the last lines of its stderr
    QString activity;           ///< what it said it was about to do, when nothing came after that
    QString program, runFile;
};

WorkerProcess::Outcome outcomeOf(const WorkerEnd& end);
/// What happened, what is kept and what to do. Empty after a clean end.
QString sentenceOf(const WorkerEnd& end);
/// "SIGSEGV (invalid memory access)".
QString signalName(int number, bool shortOfMemory = false);
/// The last meaningful line of stderr: without progress lines, control sequences and the program's name.
QString lastMeaningfulLine(const QByteArray& stderrTail);

} // namespace heteroscope::ui
