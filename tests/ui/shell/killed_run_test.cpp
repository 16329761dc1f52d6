// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line is killed in mid-run: the window says so, keeps the samples, and runs again.
#include "profiling/stream/stream_reader.h"
#include "ui/build/document.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;

namespace {

constexpr int kWaitMs = 60000;

Json study(int size, const char* preset) {
    Json document = compute::defaultPoolingDocument();
    document["pooling"]["input"]["size"] = size;
    document["targets"] = {"cpu/sequential", "cpu/openmp"};
    document["sampling"] = {{"preset", preset}};
    document["axes"] = Json::object();
    return document;
}

std::size_t samplesOf(const profiling::Study& study) {
    std::size_t count = 0;
    for (const auto& run : study.runs)
        count += run.samples.size();
    return count;
}

} // namespace

class KilledRunTest : public QObject {
    Q_OBJECT
  private slots:
    void aKilledWorkerLosesNothing() {
        QTemporaryDir data;
        qputenv("HETEROSCOPE_DATA", data.path().toUtf8());
        MainWindow window;
        window.show();
        window.setMode(Mode::Run);
        for (std::size_t after : {1u, 3u, 6u, 9u})
            killAfter(window, after);

        QSignalSpy finished(&window.runController(), &RunController::runFinished);
        window.runController().start(study(32, "quick"), {});
        QVERIFY(finished.wait(kWaitMs));
        QVERIFY2(window.session()->state() == StudySession::State::Done,
                 qPrintable(window.session()->message()));
    }

  private:
    void killAfter(MainWindow& window, std::size_t samples) {
        QSignalSpy finished(&window.runController(), &RunController::runFinished);
        window.runController().start(study(2048, "thesis"), {});
        const auto session = window.session();
        QVERIFY(QTest::qWaitFor([&] { return samplesOf(session->study()) >= samples; }, kWaitMs));
        const auto pid = window.runController().processId();
        QVERIFY(pid > 0);
        QCOMPARE(kill(pid_t(pid), SIGKILL), 0);
        QVERIFY(finished.count() > 0 || finished.wait(kWaitMs));
        QCOMPARE(finished[0][0].value<WorkerProcess::Outcome>(), WorkerProcess::Outcome::Crashed);
        QVERIFY(!session->message().isEmpty());
        QVERIFY(session->state() != StudySession::State::Live);
        QCOMPARE(window.runController().state(), RunController::State::Idle);
        QVERIFY(samplesOf(session->study()) >= samples);
        const auto stored = profiling::readRunFile(session->filePath().toStdString());
        QVERIFY(stored.ok());
        QVERIFY(samplesOf(stored->study) >= samplesOf(session->study()));
    }
};

QTEST_MAIN(KilledRunTest)
#include "killed_run_test.moc"
