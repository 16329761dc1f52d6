// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line is killed at random moments, or its disk is full: the window says what happened, the
// run file has every sample that the window had shown, and the window runs again.
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/answer.h"
#include "ui/build/document.h"
#include "ui/common/message_bar.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;
using process_test::sampleKeys;

namespace {

constexpr int kWaitMs = 60000 * kTimeFactor;
constexpr int kKills = 50;
constexpr int kEarlyEvery = 5; ///< every fifth kill may come before the worker has said anything
constexpr int kLatestKillMs = 300;
constexpr int kSide = 64;
constexpr int kNeverDone = 100000; ///< samples; the kill comes first
constexpr int kFew = 200;

unsigned seedOfThisRun() {
    const char* given = std::getenv("HETEROSCOPE_TEST_SEED");
    return given ? unsigned(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

QString visibleTexts(const QWidget& page) {
    QStringList texts;
    for (const auto* label : page.findChildren<QLabel*>())
        if (label->isVisible())
            texts << label->text();
    return texts.join(QLatin1Char('\n'));
}

using Samples = std::vector<process_test::SampleKey>;

bool hasAll(const Samples& whole, const Samples& part) {
    const std::set<process_test::SampleKey> all(whole.begin(), whole.end());
    return std::all_of(part.begin(), part.end(), [&](const auto& key) { return all.contains(key); });
}

} // namespace

class KilledRunTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        m_data = std::make_unique<QTemporaryDir>();
        qputenv("HETEROSCOPE_DATA", m_data->path().toUtf8());
        m_window = std::make_unique<MainWindow>();
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void atFiftyRandomMomentsLosesNothing() {
        const unsigned seed = seedOfThisRun();
        qInfo("seed %u (set HETEROSCOPE_TEST_SEED to repeat)", seed);
        std::mt19937 random(seed);
        std::uniform_int_distribution<int> delayMs(0, kLatestKillMs);
        useExperiment(kNeverDone);
        std::size_t shown = 0;
        for (int i = 0; i < kKills && !QTest::currentTestFailed(); ++i) {
            const int delay = delayMs(random);
            const bool early = i % kEarlyEvery == 0;
            qDebug("kill %d: %d ms after the %s", i, delay, early ? "start" : "first words");
            shown += killAfter(delay, early);
            for (int mode = 0; mode < 6; ++mode)
                m_window->setMode(Mode(mode));
        }
        qInfo("%zu samples were on screen before the kills", shown);
        QVERIFY(shown > std::size_t(kKills));
        runsToItsEnd();
    }

    /// As the kernel does it when memory runs out: nobody has time for last words.
    void inTheMiddleOfARunIsNamedWithWhatItComputed() {
        useExperiment(kNeverDone);
        RunController& controller = m_window->runController();
        QSignalSpy finished(&controller, &RunController::runFinished);
        pressRun();
        const auto session = m_window->session();
        QVERIFY(QTest::qWaitFor(
            [&] { return session->study().activity && !sampleKeys(session->study()).empty(); }, kWaitMs));
        kill(pid_t(controller.processId()), SIGKILL);
        QVERIFY(finished.wait(kWaitMs));
        static const QRegularExpression sentence(
            "SIGKILL \\(from a person, [^)]*\\) while computing run [01], cpu/(sequential|openmp), "
            "maxpool\\.forward, (timed samples|warm-up); forecast [0-9.]+ [KMG]iB, [0-9.]+ [MGT]iB were "
            "free");
        QVERIFY2(session->message().contains(sentence), qPrintable(session->message()));
        QVERIFY2(visibleTexts(*m_window->page(Mode::Run)).contains(sentence),
                 qPrintable(visibleTexts(*m_window->page(Mode::Run))));
        QVERIFY(session->message().contains(session->filePath())); // what is kept, and where
        StudySession again; // and who opens the file later is told the same
        again.openFile(session->filePath());
        QVERIFY(QTest::qWaitFor([&] { return again.state() == StudySession::State::StoppedEarly; }, kWaitMs));
        QVERIFY2(again.message().contains("It was computing run "), qPrintable(again.message()));
    }

    void aFullDiskIsSaidAndKeepsWhatWasWritten() {
        m_window->runController().setProgram(workerWithFilesOfAtMost(24));
        useExperiment(kFew);
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        pressRun();
        QVERIFY(finished.wait(kWaitMs));
        const auto session = m_window->session();
        QVERIFY2(session->message().contains("File too large"), qPrintable(session->message()));
        QVERIFY2(session->message().contains(session->filePath()), qPrintable(session->message()));
        const QString page = visibleTexts(*m_window->page(Mode::Run));
        QVERIFY(page.contains("File too large"));
        QVERIFY2(page.contains("all results are in this window only"), qPrintable(page));
        QVERIFY2(!page.contains("Everything recorded"), qPrintable(page));
        QVERIFY2(page.contains("The recording failed: "), qPrintable(page)); // all runs are done
        QCOMPARE(m_window->findChild<QLabel*>("runState")->text(), QStringLiteral("done"));
        const QString window = visibleTexts(*m_window);
        QVERIFY(window.contains("Recording failed") && !window.contains("Worker failed"));
        const auto* banner = m_window->findChild<MessageBar*>("windowMessage");
        QVERIFY(banner->isVisible()); // it offers to export
        QVERIFY2(!banner->text().contains("File too large"), qPrintable(banner->text()));

        const auto shown = sampleKeys(session->study());
        for (const auto& run : session->study().runs)
            QCOMPARE(run.timesMs().size(), std::size_t(kFew));
        const auto stored = profiling::readRunFile(session->filePath().toStdString());
        QVERIFY(stored.ok());
        const auto kept = sampleKeys(stored->study);
        QVERIFY(!kept.empty() && kept.size() < shown.size());
        QVERIFY(hasAll(shown, kept));

        m_window->runController().setProgram(WorkerProcess::programPath());
        const Answer answer("Drop Them"); // they are in the window only
        runsToItsEnd();
        QVERIFY(answer.given());
    }

    void closingTheWindowStopsTheWorkerAndKeepsTheRun() {
        useExperiment(kNeverDone);
        pressRun();
        const auto session = m_window->session();
        QVERIFY(QTest::qWaitFor([&] { return sampleKeys(session->study()).size() > 1; }, kWaitMs));
        const auto pid = pid_t(m_window->runController().processId());
        QCOMPARE(kill(pid, 0), 0);
        const Answer answer("Stop and Close");
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY2(kill(pid, 0) != 0 && errno == ESRCH, "the worker outlived the window");
        const auto stored = profiling::readRunFile(session->filePath().toStdString());
        QVERIFY(stored.ok());
        QVERIFY(hasAll(sampleKeys(stored->study), sampleKeys(session->study())));
    }

  private:
    void useExperiment(int samples) {
        const QString path = m_data->filePath(QStringLiteral("experiment.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(process_test::poolingExperiment(kSide, samples).dump()));
        file.close();
        m_window->openPath(path);
        QVERIFY(QTest::qWaitFor([this] { return m_window->document().canRun(); }));
    }

    void pressRun() {
        auto* button = m_window->findChild<QPushButton*>(QStringLiteral("runButton"));
        QVERIFY(QTest::qWaitFor([button] { return button->isVisible() && button->isEnabled(); }));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m_window->runController().state(), RunController::State::Running);
    }

    /// One run killed `delayMs` after its start or after its first words; the number of samples on screen
    /// then.
    std::size_t killAfter(int delayMs, bool early) {
        RunController& controller = m_window->runController();
        QSignalSpy finished(&controller, &RunController::runFinished);
        pressRun();
        const auto session = m_window->session();
        const auto pid = pid_t(controller.processId());
        std::size_t shown = 0;
        QTimer moment;
        moment.setSingleShot(true);
        moment.setTimerType(Qt::PreciseTimer);
        connect(&moment, &QTimer::timeout, this, [&] {
            shown = sampleKeys(session->study()).size();
            kill(pid, SIGKILL);
        });
        if (early) {
            moment.start(delayMs);
        } else {
            connect(
                session.get(), &StudySession::studyChanged, &moment, [&] { moment.start(delayMs); },
                Qt::SingleShotConnection);
        }
        if (pid <= 0 || !finished.wait(kWaitMs)) {
            QTest::qFail("the window did not see the end of the worker", __FILE__, __LINE__);
            return 0;
        }
        saysWhatHappened(*session, finished);
        hasAllOnDisk(*session, shown);
        return shown;
    }

    void saysWhatHappened(const StudySession& session, const QSignalSpy& finished) {
        QCOMPARE(finished[0][0].value<WorkerProcess::Outcome>(), WorkerProcess::Outcome::Crashed);
        QCOMPARE(m_window->mode(), Mode::Run);
        const QString texts = visibleTexts(*m_window->page(Mode::Run));
        QVERIFY2(texts.contains("SIGKILL"), qPrintable(texts));
        const bool anything = !session.study().id.empty();
        QCOMPARE(session.state(), session.study().runs.empty() && !anything
                                      ? StudySession::State::Failed
                                      : StudySession::State::StoppedEarly);
        QCOMPARE(m_window->runController().state(), RunController::State::Idle);
    }

    void hasAllOnDisk(const StudySession& session, std::size_t shownAtTheKill) {
        const auto shown = sampleKeys(session.study());
        QVERIFY(shown.size() >= shownAtTheKill);
        if (session.study().id.empty() && QFileInfo(session.filePath()).size() == 0)
            return; // killed before it had said a word
        const auto stored = profiling::readRunFile(session.filePath().toStdString());
        QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().sentence().c_str());
        QVERIFY(hasAll(sampleKeys(stored->study), shown));
    }

    void runsToItsEnd() {
        useExperiment(1);
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        pressRun();
        QVERIFY(finished.wait(kWaitMs));
        QVERIFY2(m_window->session()->state() == StudySession::State::Done,
                 qPrintable(m_window->session()->message()));
    }

    /// The command line with a limit on the size of its files, in units of 512 bytes: as on a full disk, a
    /// write beyond it fails.
    QString workerWithFilesOfAtMost(int units) {
        const QString path = m_data->filePath(QStringLiteral("worker"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QStringLiteral("#!/bin/sh\ntrap '' XFSZ\nulimit -f %1\nexec '%2' \"$@\"\n")
                       .arg(units)
                       .arg(WorkerProcess::programPath())
                       .toUtf8());
        file.setPermissions(file.permissions() | QFile::ExeOwner);
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_data;
    std::unique_ptr<MainWindow> m_window;
};

HETEROSCOPE_UI_TEST(KilledRunTest)
#include "killed_run_test.moc"
