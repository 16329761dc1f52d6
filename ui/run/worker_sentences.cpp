// SPDX-License-Identifier: GPL-3.0-or-later
// Exit codes and signals as sentences.
#include "ui/run/worker_sentences.h"

#include "compute/base/exit_code.h"
#include "profiling/stream/stream_reader.h"
#include "ui/common/phrase_text.h"
#include "ui/common/text.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <csignal>

namespace heteroscope::ui {

namespace {

bool holdsResult(profiling::StreamReader& reader) {
    using profiling::FrameKind;
    while (true) {
        const auto frame = reader.next();
        if (!frame || !frame->has_value())
            return false;
        const FrameKind kind = (*frame)->kind;
        if (kind == FrameKind::Sample || kind == FrameKind::Metric || kind == FrameKind::Training)
            return true;
    }
}

/// Whether anything was measured: a file with the reasons of failures alone has nothing to go back to. Reads
/// up to the first result.
bool holdsResult(const QString& path) {
    constexpr qint64 kPieceBytes = 1 << 16;
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return false;
    MemoryBudget budget;
    profiling::StreamReader reader(path.toStdString(), &budget);
    while (!file.atEnd()) {
        const QByteArray piece = file.read(kPieceBytes);
        if (piece.isEmpty())
            break;
        reader.feed({reinterpret_cast<const std::uint8_t*>(piece.constData()), std::size_t(piece.size())});
        if (holdsResult(reader))
            return true;
    }
    return false;
}

QString kept(const WorkerEnd& end) {
    if (!holdsResult(end.runFile))
        return {};
    if (end.fileFailed)
        return QStringLiteral(" ") +
               tr("The run file holds what was written before it failed; all results are in this window only "
                  "until they are exported.");
    return QStringLiteral(" ") + tr("Everything recorded until then is kept in %1.").arg(end.runFile);
}

QString withReason(const QString& what, const QString& told) {
    const QString reason = recordedText(told.toStdString());
    if (reason.isEmpty())
        return what + QLatin1Char('.');
    const bool stopped = reason.endsWith(QLatin1Char('.')) || reason.endsWith(QLatin1Char('!'));
    return what + QStringLiteral(": ") + reason + (stopped ? QString() : QStringLiteral("."));
}

QString exitSentence(const WorkerEnd& end) {
    switch (ExitCode(end.code)) {
    case ExitCode::Done:
        return {};
    case ExitCode::RunFailed:
        return withReason(end.fileFailed && end.lastWords.startsWith(end.runFile) ? tr("The recording failed")
                                                                                  : tr("The run failed"),
                          end.lastWords) +
               kept(end);
    case ExitCode::BadInput:
        return withReason(tr("The experiment cannot run as it is"), end.lastWords);
    case ExitCode::TargetUnavailable:
        return withReason(tr("A chosen target is not available"), end.lastWords) + QStringLiteral(" ") +
               tr("Take it out of the targets in Build, or install what is missing.");
    case ExitCode::Cancelled:
        return (end.stopAsked
                    ? tr("Stopped.")
                    : withReason(tr("The worker was stopped, and not by this window"), end.lastWords)) +
               kept(end);
    case ExitCode::Usage:
        return withReason(
            tr("%1 does not understand this window; both must have the same version").arg(end.program),
            end.lastWords);
    }
    return withReason(tr("The worker ended with the unknown exit code %1").arg(end.code), end.lastWords) +
           kept(end);
}

} // namespace

QString signalName(int number, bool shortOfMemory) {
    struct Known {
        int number;
        const char* name;
        const char* meaning;
    };
    static const Known kKnown[] = {
        {SIGSEGV, "SIGSEGV", QT_TRANSLATE_NOOP("heteroscope::ui", "invalid memory access")},
        {SIGABRT, "SIGABRT", QT_TRANSLATE_NOOP("heteroscope::ui", "it gave up on an internal error")},
        {SIGBUS, "SIGBUS", QT_TRANSLATE_NOOP("heteroscope::ui", "a memory error")},
        {SIGFPE, "SIGFPE", QT_TRANSLATE_NOOP("heteroscope::ui", "an arithmetic error")},
        {SIGILL, "SIGILL", QT_TRANSLATE_NOOP("heteroscope::ui", "an instruction this processor lacks")},
        {SIGKILL, "SIGKILL",
         QT_TRANSLATE_NOOP("heteroscope::ui",
                           "from a person, a batch system or container at a limit, or the kernel")},
        {SIGTERM, "SIGTERM", QT_TRANSLATE_NOOP("heteroscope::ui", "asked to end by another program")},
        {SIGXCPU, "SIGXCPU", QT_TRANSLATE_NOOP("heteroscope::ui", "over its processor time limit")}};
    if (number == SIGKILL && shortOfMemory)
        return tr("SIGKILL (the kernel's out-of-memory killer may have sent it)");
    for (const Known& known : kKnown) {
        if (known.number == number)
            return QStringLiteral("%1 (%2)").arg(QLatin1String(known.name), tr(known.meaning));
    }
    return tr("signal %1").arg(number);
}

WorkerProcess::Outcome outcomeOf(const WorkerEnd& end) {
    using Outcome = WorkerProcess::Outcome;
    if (!end.started)
        return Outcome::NotStarted;
    if (end.killedByUs)
        return Outcome::Killed;
    if (end.signalled)
        return end.stopAsked && end.code == SIGTERM ? Outcome::Cancelled : Outcome::Crashed;
    switch (ExitCode(end.code)) {
    case ExitCode::Done:
        return Outcome::Done;
    case ExitCode::BadInput:
        return Outcome::BadInput;
    case ExitCode::TargetUnavailable:
        return Outcome::TargetUnavailable;
    case ExitCode::Cancelled:
        return Outcome::Cancelled;
    case ExitCode::RunFailed:
    case ExitCode::Usage:
        break;
    }
    return Outcome::Failed;
}

QString sentenceOf(const WorkerEnd& end) {
    if (!end.started)
        return withReason(tr("%1 could not be started").arg(end.program), end.startError) +
               QStringLiteral(" ") +
               (QFileInfo(end.program).isExecutable()
                    ? tr("The program is there: where it lacks processes or memory, close other programs or "
                         "raise their "
                         "limits (ulimit -u, ulimit -v); else install it again.")
                    : tr("Put heteroscope-cli beside this program, or name it in the variable "
                         "HETEROSCOPE_CLI."));
    if (end.killedByUs)
        return tr("Stopped; the worker did not end by itself and was killed.") + kept(end);
    if (end.signalled && end.stopAsked && end.code == SIGTERM)
        return tr("Stopped.") + kept(end);
    if (end.signalled) {
        const QString words = end.lastWords.isEmpty()
                                  ? QString()
                                  : tr(" Its last line: %1.").arg(recordedText(end.lastWords.toStdString()));
        const QString what = end.activity.isEmpty()
                                 ? tr("The worker crashed: %1.").arg(signalName(end.code, end.shortOfMemory))
                                 : tr("The worker was ended by %1 while computing %2.")
                                       .arg(signalName(end.code, end.shortOfMemory), end.activity);
        return what + words + kept(end) + QStringLiteral(" ") +
               tr("The window is unharmed; you can run again.");
    }
    return exitSentence(end);
}

QString lastMeaningfulLine(const QByteArray& stderrTail) {
    static const QRegularExpression control(QStringLiteral("\x1b\\[[0-9;?]*[A-Za-z]"));
    static const QRegularExpression prefix(QStringLiteral("^(heteroscope-cli|error|Error): *"));
    QString text = QString::fromUtf8(stderrTail);
    text.remove(control);
    text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        QString words = line->trimmed();
        while (prefix.match(words).hasMatch())
            words.remove(prefix);
        const bool isProgress = words.startsWith(QLatin1Char('[')) && words.contains(QLatin1Char('%'));
        if (!words.isEmpty() && !isProgress)
            return words;
    }
    return {};
}

} // namespace heteroscope::ui
