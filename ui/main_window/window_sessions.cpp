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
#include <QMessageBox>
#include <QPushButton>

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
    fileProblem.clear();
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
    const bool over = state == StudySession::State::StoppedEarly || state == StudySession::State::Failed;
    const bool cut =
        over && !session.recording().complete(); // a run that was cancelled is recorded to its end
    const bool failed = !cut && state == StudySession::State::Failed;
    status->setQuality(session.trace()->quality(), session.trace()->trackCount() > 0,
                       cut ? session.message() : fileProblem, failed ? session.message() : QString());
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

std::vector<MessageBar::Action> MainWindow::Impl::exportOffers() {
    return {{tr("Export the Samples\u2026"), [this] { exportResultsCsv(); }},
            {tr("Export the Results\u2026"), [this] { exportResultsJson(); }}};
}

/// Said at once: there may be hours to come, and room can be made.
void MainWindow::Impl::onFileFailed(const QString& sentence) {
    fileProblem = sentence;
    log->add(QStringLiteral("error"), sentence);
    messageTopic = Topic::General;
    message->showMessage(MessageBar::Tone::Error,
                         tr("%1. The run goes on; what it measures is in this window only.").arg(sentence),
                         exportOffers());
    showQuality(*runs.session());
}

/// Asks before results that are in no whole file go. An export makes them safe.
bool MainWindow::Impl::mayDropResults() {
    if (fileProblem.isEmpty() || sessions.front()->study().runs.empty())
        return true;
    QMessageBox box(&self);
    box.setObjectName(QStringLiteral("dropResultsQuestion"));
    box.setIcon(QMessageBox::Warning);
    box.setText(tr("The recording of \u201c%1\u201d could not be written as a whole.")
                    .arg(sessions.front()->title()));
    box.setInformativeText(tr("%1. Its results are in this window only.").arg(fileProblem));
    QPushButton* keep = box.addButton(tr("Export the Results\u2026"), QMessageBox::AcceptRole);
    QPushButton* drop = box.addButton(tr("Drop Them"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep)
        exportResultsJson();
    return box.clickedButton() == drop || fileProblem.isEmpty();
}

/// Asks before the window closes over a run.
bool MainWindow::Impl::mayStopRun() {
    if (runs.state() != RunController::State::Running)
        return true;
    QMessageBox box(&self);
    box.setObjectName(QStringLiteral("stopRunQuestion"));
    box.setIcon(QMessageBox::Question);
    box.setText(tr("A run is in progress. Stop it and close?"));
    QPushButton* stop = box.addButton(tr("Stop and Close"), QMessageBox::DestructiveRole);
    QPushButton* keep = box.addButton(tr("Keep Running"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    // A run that ends meanwhile leaves nothing to ask, nor to close for: the window stays, with its results.
    connect(&runs, &RunController::stateChanged, &box, [this, &box] {
        if (runs.state() != RunController::State::Running)
            box.reject();
    });
    box.exec();
    return box.clickedButton() == stop;
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
    if (!mayDropResults())
        return;
    auto session = std::make_shared<StudySession>();
    setSessions({session});
    connect(session.get(), &StudySession::stateChanged, &self, [this, raw = session.get(), path, preferred] {
        if (raw->state() == StudySession::State::Failed && raw->study().runs.empty()) {
            say(MessageBar::Tone::Error, raw->message(), {}, Topic::Recording, raw->errorCode());
            return;
        }
        if (raw->state() == StudySession::State::Loading)
            return;
        noteRecent(path);
        if (!raw->message().isEmpty())
            sayRecording(*raw);
        if (raw->recording().damage)
            emit self.openedDamaged(raw->message(), raw->errorCode());
        if (timeline != nullptr)
            showTrace();
        if (preferred == Mode::Analyze && raw->study().runs.empty())
            self.setMode(Mode::Timeline);
    });
    session->openFile(path);
    self.setMode(preferred);
}

void MainWindow::Impl::sayRecording(const StudySession& session) {
    const QString text = session.message();
    say(MessageBar::Tone::Warning,
        text.contains(session.filePath())
            ? text
            : QStringLiteral("%1: %2").arg(QFileInfo(session.filePath()).fileName(), text),
        {}, Topic::Recording);
}

/// On the pages that show a part of a recording as if it were all.
void MainWindow::Impl::sayWhatIsMissing() {
    if (sessions.size() != 1 || !message->text().isEmpty())
        return;
    const StudySession& session = *sessions.front();
    const bool over = session.state() == StudySession::State::StoppedEarly ||
                      session.state() == StudySession::State::Failed;
    if (over && !session.recording().whole() && !session.message().isEmpty())
        sayRecording(session);
}

void MainWindow::Impl::compareRecordings(const QStringList& paths) {
    if (runs.state() != RunController::State::Idle) {
        say(MessageBar::Tone::Info, tr("A run is under way; compare when it has ended."));
        return;
    }
    if (!mayDropResults())
        return;
    clearMessage({Topic::Run, Topic::Recording, Topic::Export});
    std::vector<std::shared_ptr<StudySession>> compared;
    for (qsizetype i = 0; i < paths.size(); ++i)
        compared.push_back(std::make_shared<StudySession>());
    setSessions(compared);
    for (qsizetype i = 0; i < paths.size(); ++i)
        compared[static_cast<std::size_t>(i)]->openFile(paths[i]);
    self.setMode(Mode::Analyze);
}

void MainWindow::Impl::onRunFinished(WorkerProcess::Outcome outcome, const QString& sentence) {
    updateRunnable();
    const QString file = runs.session()->filePath();
    if (QFileInfo(file).size() > 0)
        noteRecent(file);
    if (mode == Mode::Library) // else it is read when it is next shown
        library->refresh();
    if (outcome == WorkerProcess::Outcome::Done && sentence.isEmpty()) {
        log->add(QStringLiteral("info"), tr("Run finished: %1").arg(file));
        status->setWorker(tr("Worker done"), QStringLiteral("good"));
    } else {
        const bool asked =
            outcome == WorkerProcess::Outcome::Cancelled || outcome == WorkerProcess::Outcome::Killed;
        log->add(asked ? QStringLiteral("warning") : QStringLiteral("error"), sentence);
        const bool measured = !fileProblem.isEmpty() && runs.session()->study().endStatus == "done";
        status->setWorker(asked      ? tr("Worker stopped")
                          : measured ? tr("Recording failed")
                                     : tr("Worker failed"),
                          asked ? QStringLiteral("warning") : QStringLiteral("error"));
        if (!fileProblem.isEmpty() && !runs.session()->study().runs.empty()) { // the page says why
            message->showMessage(MessageBar::Tone::Error,
                                 tr("The recording of \u201c%1\u201d could not be written as a whole.")
                                     .arg(runs.session()->title()),
                                 exportOffers());
            messageTopic = Topic::General;
        } else if (mode != Mode::Run && !asked) {
            message->showMessage(MessageBar::Tone::Error, sentence,
                                 {{tr("Show the Run"), [this] { self.setMode(Mode::Run); }}});
            messageTopic = Topic::Run;
        }
    }
    emit self.runEnded(outcome, sentence);
    checkSettled();
}

} // namespace heteroscope::ui
