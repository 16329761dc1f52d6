// SPDX-License-Identifier: GPL-3.0-or-later
// The child process that computes.
#include "ui/run/worker_process.h"

#include "compute/base/memory_kills.h"
#include "ui/run/worker_sentences.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <optional>

namespace heteroscope::ui {

namespace {

constexpr int kKillAfterMs = 2000;
constexpr int kLastChanceMs = 500; ///< when the window itself ends
constexpr qsizetype kStderrBytes = 65536;
constexpr char kErrorPrefix[] = "heteroscope-cli: error: ";

} // namespace

struct WorkerProcess::Impl {
    WorkerProcess* self = nullptr;
    QProcess process;
    QTimer killTimer;
    QString program = WorkerProcess::programPath();
    QString runFile;
    QByteArray stderrTail, unfinishedLine;
    std::optional<MemoryKills> memoryKills; ///< since the worker started
    bool stopAsked = false, killedByUs = false, running = false, fileFailed = false;
    WorkerEnd lastEnd;

    void collectStderr();
    void finish(const WorkerEnd& end);
    void onFinished(int code, QProcess::ExitStatus status);
    void onError(QProcess::ProcessError error);
};

void WorkerProcess::Impl::collectStderr() {
    const QByteArray words = process.readAllStandardError();
    stderrTail.append(words);
    unfinishedLine.append(words);
    for (qsizetype end = unfinishedLine.indexOf('\n'); end >= 0; end = unfinishedLine.indexOf('\n')) {
        if (unfinishedLine.startsWith(kErrorPrefix)) {
            const QString sentence = lastMeaningfulLine(unfinishedLine.left(end));
            if (!runFile.isEmpty() && sentence.startsWith(runFile)) {
                fileFailed = true;
                emit self->runFileFailed(sentence);
            }
        }
        unfinishedLine.remove(0, end + 1);
    }
    if (unfinishedLine.size() > kStderrBytes)
        unfinishedLine.clear();
    if (stderrTail.size() > kStderrBytes)
        stderrTail.remove(0, stderrTail.size() - kStderrBytes);
}

void WorkerProcess::Impl::finish(const WorkerEnd& end) {
    if (!running)
        return;
    running = false;
    killTimer.stop();
    lastEnd = end;
    emit self->finished(outcomeOf(end), sentenceOf(end));
}

void WorkerProcess::Impl::onFinished(int code, QProcess::ExitStatus status) {
    const QByteArray rest = process.readAllStandardOutput();
    if (!rest.isEmpty())
        emit self->bytesArrived(rest);
    collectStderr();
    WorkerEnd end;
    end.signalled = status == QProcess::CrashExit;
    end.stopAsked = stopAsked;
    end.killedByUs = killedByUs && end.signalled;
    end.fileFailed = fileFailed;
    end.shortOfMemory = memoryKills && memoryKills->any();
    end.code = code;
    end.lastWords = lastMeaningfulLine(stderrTail);
    end.program = QFileInfo(program).fileName();
    end.runFile = runFile;
    finish(end);
}

void WorkerProcess::Impl::onError(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart)
        return; // the others come with finished()
    WorkerEnd end;
    end.started = false;
    end.startError = process.errorString();
    end.program = program;
    finish(end);
}

WorkerProcess::WorkerProcess(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>()) {
    m_impl->self = this;
    QProcess& process = m_impl->process;
    process.setProcessChannelMode(QProcess::SeparateChannels);
    connect(&process, &QProcess::started, this, &WorkerProcess::started);
    connect(&process, &QProcess::readyReadStandardOutput, this,
            [this] { emit bytesArrived(m_impl->process.readAllStandardOutput()); });
    connect(&process, &QProcess::readyReadStandardError, this, [this] { m_impl->collectStderr(); });
    connect(&process, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { m_impl->onFinished(code, status); });
    connect(&process, &QProcess::errorOccurred, this,
            [this](QProcess::ProcessError error) { m_impl->onError(error); });
    m_impl->killTimer.setSingleShot(true);
    m_impl->killTimer.setInterval(kKillAfterMs);
    connect(&m_impl->killTimer, &QTimer::timeout, this, [this] {
        m_impl->killedByUs = true;
        m_impl->process.kill();
    });
}

WorkerProcess::~WorkerProcess() {
    QProcess& process = m_impl->process;
    process.disconnect(this);
    if (process.state() == QProcess::NotRunning)
        return;
    process.closeWriteChannel();
    process.terminate();
    if (!process.waitForFinished(kLastChanceMs)) {
        process.kill();
        process.waitForFinished(kLastChanceMs);
    }
}

QString WorkerProcess::programPath() {
    const QString name = QStringLiteral("heteroscope-cli");
    const QString beside = QCoreApplication::applicationDirPath() + QLatin1Char('/') + name;
    if (QFileInfo(beside).isExecutable())
        return beside;
    const QString named = qEnvironmentVariable("HETEROSCOPE_CLI");
    if (!named.isEmpty())
        return named;
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? name : found;
}

void WorkerProcess::setProgram(const QString& path) {
    m_impl->program = path;
}

void WorkerProcess::start(const Json& experiment, const QString& directory, const QString& runFile,
                          const QStringList& extra) {
    if (m_impl->running)
        return;
    m_impl->running = true;
    m_impl->stopAsked = m_impl->killedByUs = m_impl->fileFailed = false;
    m_impl->stderrTail.clear();
    m_impl->unfinishedLine.clear();
    m_impl->runFile = runFile;
    QStringList arguments = {QStringLiteral("run"), QStringLiteral("--stream"), QStringLiteral("--out"),
                             runFile};
    if (!directory.isEmpty())
        arguments += {QStringLiteral("--directory"), directory};
    arguments += extra;
    arguments += QStringLiteral("-");
    m_impl->memoryKills.emplace();
    QProcess& process = m_impl->process;
    process.start(m_impl->program, arguments, QIODevice::ReadWrite);
    // One line: the worker reads to its end and takes the closing of the pipe as the wish to stop.
    process.write(QByteArray::fromStdString(experiment.dump(-1, ' ', false, Json::error_handler_t::replace)) +
                  '\n');
}

void WorkerProcess::stop() {
    if (!m_impl->running || m_impl->stopAsked)
        return;
    m_impl->stopAsked = true;
    m_impl->process.closeWriteChannel();
    m_impl->process.terminate();
    m_impl->killTimer.start();
}

bool WorkerProcess::isRunning() const {
    return m_impl->running;
}

bool WorkerProcess::fileFailed() const {
    return m_impl->fileFailed;
}

const WorkerEnd& WorkerProcess::lastEnd() const {
    return m_impl->lastEnd;
}

qint64 WorkerProcess::processId() const {
    return m_impl->process.processId();
}

} // namespace heteroscope::ui

#include "moc_worker_process.cpp"
