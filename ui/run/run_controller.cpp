// SPDX-License-Identifier: GPL-3.0-or-later
// Ties a worker to a session.
#include "ui/run/run_controller.h"

#include "compute/base/exit_code.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"
#include "ui/common/phrase_text.h"
#include "ui/run/worker_sentences.h"

#include <QDateTime>
#include <QDir>
#include <QRandomGenerator>
#include <QRegularExpression>

namespace heteroscope::ui {

RunController::RunController(QObject* parent) : QObject(parent), m_program(WorkerProcess::programPath()) {
    m_stopTimer.setSingleShot(true);
    m_stopTimer.setInterval(kStopShownMs);
    connect(&m_stopTimer, &QTimer::timeout, this, &RunController::giveUpWaiting);
}

RunController::~RunController() = default;

void RunController::setProgram(const QString& path) {
    m_program = path;
}

void RunController::setRunsDirectory(const QString& path) {
    m_runsDirectory = path;
}

QString RunController::runFileName(const QString& directory, const QString& experimentName) {
    static const QRegularExpression unsuitable(QStringLiteral("[^a-z0-9]+"));
    QString slug = experimentName.toLower();
    slug.replace(unsuitable, QStringLiteral("-"));
    slug = slug.left(48);
    while (slug.startsWith(QLatin1Char('-')))
        slug.remove(0, 1);
    while (slug.endsWith(QLatin1Char('-')))
        slug.chop(1);
    const QString when = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HH-mm-ss"));
    QString path;
    do { // another window may run the same at the same second, perhaps on another machine
        const auto tag = QRandomGenerator::system()->bounded(1u << 24);
        const QString base = QStringLiteral("%1-%2").arg(when).arg(tag, 6, 16, QLatin1Char('0'));
        path = QDir(directory).filePath(slug.isEmpty() ? base + QStringLiteral(".hscope")
                                                       : QStringLiteral("%1_%2.hscope").arg(base, slug));
    } while (QFileInfo::exists(path));
    return path;
}

void RunController::start(const Json& experiment, const QString& directory, const QStringList& options) {
    if (m_state != State::Idle)
        return;
    const QString runs = m_runsDirectory;
    const QString noFolder = createFolder(runs);
    const auto name = experiment.is_object() ? experiment.value("name", std::string()) : std::string();
    const QString file = runFileName(runs, fromStd(name));
    m_session = std::make_shared<StudySession>();
    m_session->beginLive(file, fromStd(name));
    connect(m_session.get(), &StudySession::stateChanged, this, [this, session = m_session.get()] {
        const bool unreadable = session == m_session.get() && session->state() == StudySession::State::Failed;
        if (unreadable && m_worker)
            stop(); // nothing more is to be had from this worker
    });
    if (m_session->state() == StudySession::State::Failed) { // nobody would see what is computed
        emit sessionStarted(m_session);
        emit runFinished(WorkerProcess::Outcome::NotStarted, m_session->message());
        return;
    }
    if (!noFolder.isEmpty()) {
        m_session->endLive(false, noFolder);
        emit sessionStarted(m_session);
        emit runFinished(WorkerProcess::Outcome::NotStarted, noFolder);
        return;
    }
    m_worker = std::make_unique<WorkerProcess>();
    m_worker->setProgram(m_program);
    connect(m_worker.get(), &WorkerProcess::bytesArrived, m_session.get(), &StudySession::feed);
    connect(m_worker.get(), &WorkerProcess::runFileFailed, this, [this](const QString& sentence) {
        if (m_state != State::Idle)
            emit fileFailed(recordedText(sentence.toStdString()));
    });
    connect(m_worker.get(), &WorkerProcess::finished, this, &RunController::onWorkerFinished);
    setState(State::Running);
    emit sessionStarted(m_session);
    m_worker->start(experiment, directory, file, options);
}

void RunController::stop() {
    if (m_state != State::Running)
        return;
    setState(State::Stopping);
    m_stopTimer.start();
    m_worker->stop();
}

qint64 RunController::processId() const {
    return m_worker ? m_worker->processId() : 0;
}

void RunController::onWorkerFinished(WorkerProcess::Outcome outcome) {
    m_stopTimer.stop();
    const WorkerEnd end = m_worker->lastEnd();
    m_worker.release()->deleteLater(); // this is its signal
    conclude(outcome, end);
}

/// A worker in the middle of a long computation cannot end at once; the person who pressed Stop need not wait
/// for it.
void RunController::giveUpWaiting() {
    WorkerProcess* worker = m_worker.release();
    worker->disconnect(this);
    worker->disconnect(m_session.get());
    worker->setParent(this); // killed with the window at the latest
    connect(worker, &WorkerProcess::finished, worker, &QObject::deleteLater);
    WorkerEnd end;
    end.code = int(ExitCode::Cancelled);
    end.stopAsked = true;
    end.fileFailed = worker->fileFailed();
    end.runFile = m_session->filePath();
    conclude(WorkerProcess::Outcome::Cancelled, end);
}

void RunController::conclude(WorkerProcess::Outcome outcome, const WorkerEnd& end) {
    const auto session = m_session;
    connect(session.get(), &StudySession::stateChanged, this, [this, raw = session.get(), outcome, end] {
        const auto state = raw->state();
        if (raw != m_session.get() || m_state == State::Idle || state == StudySession::State::Live)
            return;
        setState(State::Idle);
        emit runFinished(outcome, raw->message().isEmpty() ? sentenceOf(end) : raw->message());
    });
    session->endLiveWith(outcome == WorkerProcess::Outcome::Done, [end](const profiling::Study& study) {
        WorkerEnd known = end;
        if (const auto& doing = study.activity) {
            known.activity = recordedText(doing->sentence());
            known.shortOfMemory |= doing->wantsMoreThanFree();
        }
        return sentenceOf(known);
    });
}

void RunController::setState(State state) {
    if (m_state == state)
        return;
    m_state = state;
    emit stateChanged();
}

} // namespace heteroscope::ui

#include "moc_run_controller.cpp"
