// SPDX-License-Identifier: GPL-3.0-or-later
// Which study the result views show, live or from files.
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/device_reporter.h"
#include "ui/common/format.h"
#include "ui/library/library_view.h"
#include "ui/main_window/window_impl.h"
#include "ui/run/run_view.h"
#include "ui/timeline/timeline_view.h"

#include <QFileInfo>

namespace heteroscope::ui {

namespace {

std::vector<profiling::OpCounters> countersOf(const profiling::Study& study) {
    std::vector<profiling::OpCounters> all;
    for (const profiling::StudyRun& run : study.runs)
        for (profiling::OpCounters& counters : profiling::opCountersOf(run.metrics))
            all.push_back(std::move(counters));
    return all;
}

} // namespace

void MainWindow::Impl::setSessions(std::vector<std::shared_ptr<StudySession>> next) {
    for (const auto& session : sessions)
        session->disconnect(&self);
    sessions = std::move(next);
    wasSettled = false;
    for (const auto& session : sessions)
        watch(session);
    showSession();
}

void MainWindow::Impl::showSession() {
    updateTitle();
    const auto& session = sessions.front();
    inspector->setSession(session);
    if (run != nullptr)
        run->setSession(session);
    if (timeline != nullptr) {
        showTrace();
        timeline->setLive(session->state() == StudySession::State::Live);
    }
    if (analyze != nullptr)
        analyze->setSessions(sessions);
    if (layerReader != nullptr) {
        build->setLayerTimes(nullptr);
        layerReader->setSession(session);
    }
    showQuality(*session);
    status->setSession(session);
}

void MainWindow::Impl::showQuality(const StudySession& session) {
    const auto state = session.state();
    const bool cut = state == StudySession::State::StoppedEarly || state == StudySession::State::Failed;
    status->setQuality(session.trace()->quality(), session.trace()->trackCount() > 0,
                       cut ? session.message() : QString());
}

void MainWindow::Impl::showTrace() {
    const auto& session = sessions.front();
    const QString file = session->filePath();
    timeline->setNotesFile(file.isEmpty() ? QString() : file + QStringLiteral(".notes.json"));
    timeline->setTrace(session->trace(), session->title());
    timeline->setDevices(profiling::deviceLimits(session->study()));
    timeline->setCounters(countersOf(session->study()));
}

void MainWindow::Impl::watch(const std::shared_ptr<StudySession>& session) {
    StudySession* raw = session.get();
    connect(raw, &StudySession::logArrived, &self,
            [this](const QString& level, const QString& text) { log->add(level, text); });
    connect(raw, &StudySession::progressChanged, &self,
            [this](double fraction, double remainingS, const QString& what) {
                topBar->setProgress(fraction, remainingS, what);
            });
    connect(
        raw, &StudySession::stateChanged, &self, [this] { checkSettled(); }, Qt::QueuedConnection);
    if (session != sessions.front())
        return;
    connect(raw, &StudySession::studyChanged, &self, [this, raw] {
        updateTitle();
        if (timeline == nullptr)
            return;
        timeline->setDevices(profiling::deviceLimits(raw->study()));
        timeline->setCounters(countersOf(raw->study()));
    });
    connect(raw, &StudySession::traceGrew, &self, [this, raw] {
        if (timeline != nullptr)
            timeline->traceGrew();
        showQuality(*raw);
    });
    connect(raw, &StudySession::stateChanged, &self, [this, raw] {
        showQuality(*raw);
        if (timeline != nullptr && raw->state() != StudySession::State::Live)
            timeline->setLive(false);
    });
}

void MainWindow::Impl::openRecording(const QString& path, Mode preferred) {
    if (runs.state() != RunController::State::Idle) {
        say(MessageBar::Tone::Info,
            tr("A run is under way; its views would be replaced by %1.").arg(QFileInfo(path).fileName()),
            {{tr("Stop and Open"), [this, path, preferred] {
                  runs.stop();
                  openRecording(path, preferred);
              }}});
        return;
    }
    auto session = std::make_shared<StudySession>();
    setSessions({session});
    connect(session.get(), &StudySession::stateChanged, &self, [this, raw = session.get(), path, preferred] {
        if (raw->state() == StudySession::State::Failed && raw->study().runs.empty()) {
            say(MessageBar::Tone::Error, raw->message());
            return;
        }
        if (raw->state() == StudySession::State::Loading)
            return;
        noteRecent(path);
        if (!raw->message().isEmpty())
            say(MessageBar::Tone::Warning, raw->message());
        if (timeline != nullptr)
            showTrace();
        if (preferred == Mode::Analyze && raw->study().runs.empty())
            self.setMode(Mode::Timeline);
    });
    session->openFile(path);
    self.setMode(preferred);
}

void MainWindow::Impl::compareRecordings(const QString& a, const QString& b) {
    if (runs.state() != RunController::State::Idle) {
        say(MessageBar::Tone::Info, tr("A run is under way; compare when it has ended."));
        return;
    }
    const std::vector<std::shared_ptr<StudySession>> pair = {std::make_shared<StudySession>(),
                                                             std::make_shared<StudySession>()};
    setSessions(pair);
    pair[0]->openFile(a);
    pair[1]->openFile(b);
    self.setMode(Mode::Analyze);
}

void MainWindow::Impl::onRunFinished(WorkerProcess::Outcome outcome, const QString& sentence) {
    updateRunnable();
    const QString file = runs.session()->filePath();
    if (QFileInfo(file).size() > 0)
        noteRecent(file);
    if (library != nullptr)
        library->refresh();
    if (outcome == WorkerProcess::Outcome::Done && sentence.isEmpty()) {
        log->add(QStringLiteral("info"), tr("Run finished: %1").arg(file));
        status->setWorker(tr("Worker done"), QStringLiteral("good"));
    } else {
        const bool asked =
            outcome == WorkerProcess::Outcome::Cancelled || outcome == WorkerProcess::Outcome::Killed;
        log->add(asked ? QStringLiteral("warning") : QStringLiteral("error"), sentence);
        status->setWorker(asked ? tr("Worker stopped") : tr("Worker failed"),
                          asked ? QStringLiteral("warning") : QStringLiteral("error"));
        if (mode != Mode::Run && !asked) {
            message->showMessage(MessageBar::Tone::Error, sentence,
                                 {{tr("Show the Run"), [this] { self.setMode(Mode::Run); }}});
            messageIsAboutRun = true;
        }
    }
    emit self.runEnded(outcome, sentence);
    checkSettled();
}

} // namespace heteroscope::ui
