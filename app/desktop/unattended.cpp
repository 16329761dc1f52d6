// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/unattended.h"

#include "app/desktop/last_words.h"
#include "app/desktop/printed.h"
#include "compute/base/exit_code.h"

#include <QCoreApplication>
#include <QTimer>

#include <iterator>

namespace heteroscope {

namespace {

using Outcome = ui::WorkerProcess::Outcome;
using Mode = ui::MainWindow::Mode;

int exitCodeOfRun(Outcome outcome) {
    switch (outcome) {
    case Outcome::Done:
        return int(ExitCode::Done);
    case Outcome::BadInput:
        return int(ExitCode::BadInput);
    case Outcome::TargetUnavailable:
        return int(ExitCode::TargetUnavailable);
    case Outcome::Cancelled:
        return int(ExitCode::Cancelled);
    default:
        return int(ExitCode::RunFailed);
    }
}

/// Of the GUI thread, which waits for nothing itself: Qt does, without end, for a thread that could not be
/// started.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kLongestStallS = 1200; // a sanitizer makes everything slow
#else
constexpr unsigned kLongestStallS = 120;
#endif

std::vector<ui::Shot> shotsOf(const ui::MainWindow& window, const Options& options) {
    std::vector<ui::Shot> shots;
    if (!options.screenshotAll.isEmpty())
        shots = ui::Screenshots::ofAllModes(options.screenshotAll, options.run);
    if (!options.screenshot.isEmpty())
        shots.push_back({window.mode(), options.screenshot});
    return shots;
}

} // namespace

bool Unattended::isAsked(const Options& options) {
    return !options.screenshot.isEmpty() || !options.screenshotAll.isEmpty() || options.repeat > 0;
}

Unattended::Unattended(ui::MainWindow& window, const Options& options)
    : QObject(&window), m_window(window), m_options(options) {
    connect(&window, &ui::MainWindow::refused, this, &Unattended::onRefused);
    connect(&window, &ui::MainWindow::openedDamaged, this, &Unattended::onDamaged);
    connect(&window, &ui::MainWindow::runEnded, this, &Unattended::onRunEnded);
    auto* alive = new QTimer(this);
    connect(alive, &QTimer::timeout, this, [] { endUnlessCalledWithin(kLongestStallS); });
    endUnlessCalledWithin(kLongestStallS);
    alive->start(1000);
}

bool Unattended::mayWrite() {
    const Status status = ui::Screenshots(m_window, shotsOf(m_window, m_options), m_options.force).check();
    if (!status)
        end(int(ExitCode::BadInput), QString::fromStdString(status.error().sentence()));
    return status.ok();
}

void Unattended::start() {
    auto shots = shotsOf(m_window, m_options);
    if (m_ended || shots.empty())
        return;
    auto* pictures = new ui::Screenshots(m_window, std::move(shots), m_options.force, this);
    connect(pictures, &ui::Screenshots::finished, this, &Unattended::onPictures);
    pictures->start();
}

/// A file or an experiment that is not what it should be: nothing else will come.
void Unattended::onRefused(const QString& sentence, ErrorCode code) {
    end(int(exitCodeOf(code)), sentence);
}

/// Pictures show what of it could be read; they are taken, and the exit code tells that it is not all.
void Unattended::onDamaged(const QString& sentence, ErrorCode code) {
    m_code = int(exitCodeOf(code));
    m_sentence = sentence;
}

/// Pictures show a run that failed as well; they are taken, and the exit code is the run's.
void Unattended::onRunEnded(Outcome outcome, const QString& sentence) {
    ++m_runs;
    if (const int code = exitCodeOfRun(outcome); code != int(ExitCode::Done) && m_code == 0) {
        m_code = code;
        m_sentence = sentence;
    }
    if (m_options.repeat == 0)
        return;
    if (const Status printed = printOut(QStringLiteral("run %1 ended\n").arg(m_runs)); !printed)
        return end(m_code != 0 ? m_code : int(ExitCode::RunFailed),
                   m_code != 0 ? m_sentence : QString::fromStdString(printed.error().sentence()));
    if (m_code != 0 || m_runs >= m_options.repeat)
        end(m_code, m_sentence);
    else
        QTimer::singleShot(0, this, &Unattended::runAgain);
}

/// Each run is looked at in another mode, as a person would.
void Unattended::runAgain() {
    static constexpr Mode kModes[] = {Mode::Timeline, Mode::Analyze, Mode::Library, Mode::Build};
    m_window.setMode(kModes[std::size_t(m_runs) % std::size(kModes)]);
    m_window.run();
}

void Unattended::onPictures(bool ok, const QString& sentence) {
    if (ok)
        end(m_code, m_sentence);
    else
        end(int(ExitCode::RunFailed), sentence);
}

void Unattended::end(int code, const QString& sentence) {
    if (m_ended)
        return;
    m_ended = true;
    if (code != int(ExitCode::Done))
        printErr(QStringLiteral("heteroscope: %1\n").arg(sentence));
    // Once the event loop runs; before that there is nothing to leave.
    QTimer::singleShot(0, qApp, [code] { QCoreApplication::exit(code); });
}

} // namespace heteroscope

#include "moc_unattended.cpp"
