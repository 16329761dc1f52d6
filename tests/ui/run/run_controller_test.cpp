// SPDX-License-Identifier: GPL-3.0-or-later
// Worker and session together: live data, stop, crash, garbage, and the next run after each.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/run/fake_experiment.h"
#include "ui/common/language.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_view.h"
#include "ui/run/runs_model.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using State = StudySession::State;

namespace {

struct Fixture {
    QTemporaryDir folder;
    RunController runs;
    QSignalSpy finished{&runs, &RunController::runFinished};

    Fixture() {
        runs.setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        runs.setRunsDirectory(folder.path());
    }
    bool waitForSamples() {
        return QTest::qWaitFor([this] {
            const auto& all = runs.session()->study().runs;
            return !all.empty() && all[0].samples.size() >= 2;
        });
    }
    bool runToEnd(const char* behaviour) {
        finished.clear();
        runs.start(fake(behaviour), {});
        return finished.wait(10000 * kTimeFactor);
    }
};

} // namespace

class RunControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void cleanup() { applyLanguage("en"); }

    void aGoodRunIsDoneWithAllItsSamples() {
        Fixture f;
        QVERIFY(f.runToEnd("good"));
        QCOMPARE(f.runs.session()->state(), State::Done);
        QCOMPARE(f.runs.session()->message(), QString());
        const auto& study = f.runs.session()->study();
        QCOMPARE(study.runs.size(), std::size_t(2));
        QCOMPARE(study.runs[1].timesMs().size(), std::size_t(5));
        QCOMPARE(f.runs.session()->trace()->spanCount(), std::uint64_t(1));
        QVERIFY(QFileInfo(f.runs.session()->filePath()).fileName().endsWith("_fake-run.hscope"));
    }

    void stopIsShownWithin300ms_data() {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::newRow("listens") << QByteArray("slow");
        QTest::newRow("does not listen") << QByteArray("deaf");
    }
    void stopIsShownWithin300ms() {
        QFETCH(QByteArray, behaviour);
        Fixture f;
        f.runs.start(fake(behaviour.constData()), {});
        QVERIFY(f.waitForSamples());
        QElapsedTimer since;
        since.start();
        f.runs.stop();
        QVERIFY(f.finished.wait(2000 * kTimeFactor));
        QVERIFY2(since.elapsed() < 300 * kTimeFactor, qPrintable(QString::number(since.elapsed())));
        QCOMPARE(f.runs.session()->state(), State::StoppedEarly);
        QVERIFY(f.runs.session()->message().contains(f.runs.session()->filePath()));
        QCOMPARE(f.runs.state(), RunController::State::Idle);
        QVERIFY(f.runToEnd("good")); // a new run need not wait for the old worker
        QCOMPARE(f.runs.session()->state(), State::Done);
    }

    void aCrashKeepsTheSamplesAndTheNextRunWorks() {
        Fixture f;
        QVERIFY(f.runToEnd("crash"));
        QCOMPARE(f.runs.session()->state(), State::StoppedEarly);
        QVERIFY(f.runs.session()->message().contains("SIGSEGV"));
        QCOMPARE(f.runs.session()->study().runs[0].samples.size(), std::size_t(3));
        StudySession again;
        QSignalSpy changed(&again, &StudySession::stateChanged);
        again.openFile(f.runs.session()->filePath());
        QVERIFY(QTest::qWaitFor([&again] { return again.state() != State::Loading; }));
        QCOMPARE(again.state(), State::StoppedEarly);
        QCOMPARE(again.study().runs[0].samples.size(), std::size_t(3));
        QVERIFY(f.runToEnd("good"));
        QCOMPARE(f.runs.session()->state(), State::Done);
    }

    void bytesThatAreNoStreamStopTheWorker_data() {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::newRow("garbage") << QByteArray("garbage");
        QTest::newRow("another version") << QByteArray("old");
    }
    void bytesThatAreNoStreamStopTheWorker() {
        QFETCH(QByteArray, behaviour);
        Fixture f;
        QVERIFY(f.runToEnd(behaviour.constData()));
        QVERIFY(f.runs.session()->state() == State::Failed ||
                f.runs.session()->state() == State::StoppedEarly);
        QVERIFY2(f.runs.session()->message().contains("cannot be read"),
                 qPrintable(f.runs.session()->message()));
        QVERIFY(f.runToEnd("good"));
    }

    void aFullDiskIsSaidInTheLanguageAsItHappens() {
        applyLanguage("es");
        Fixture f;
        QSignalSpy said(&f.runs, &RunController::fileFailed);
        f.runs.start(fake("full"), {});
        QVERIFY(said.wait(10000 * kTimeFactor));
        QCOMPARE(said.first().at(0).toString(),
                 f.runs.session()->filePath() + ": no se puede escribir: no queda espacio en el dispositivo");
        f.runs.stop();
        QVERIFY(f.finished.wait(10000 * kTimeFactor));
    }

    void aWorkerThatCannotStartIsAFailure() {
        Fixture f;
        f.runs.setProgram("/nowhere/heteroscope-cli");
        QVERIFY(f.runToEnd("good"));
        QCOMPARE(f.runs.session()->state(), State::Failed);
    }

    void aFolderThatCannotBeMadeIsSaidWithTheReason() {
        Fixture f;
        QFile inTheWay(f.folder.filePath("data"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        f.runs.setRunsDirectory(f.folder.filePath("data/runs"));
        f.runs.start(fake("good"), {});
        QCOMPARE(f.finished.size(), 1);
        QTRY_COMPARE(f.runs.session()->state(), State::Failed);
        const QString said = f.runs.session()->message();
        QVERIFY2(said.contains("data/runs cannot be created: Not a directory") && said.contains("writable"),
                 qPrintable(said));
        f.runs.setRunsDirectory(f.folder.path());
        QVERIFY(f.runToEnd("good"));
    }

    void fileNamesAreUnique() {
        QTemporaryDir folder;
        const QString first = RunController::runFileName(folder.path(), "Max pooling: size sweep!");
        QVERIFY(first.endsWith("_max-pooling-size-sweep.hscope"));
        QFile file(first);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(RunController::runFileName(folder.path(), "Max pooling: size sweep!") != first);
        QSet<QString> names; // of other windows, which do not see each other's files yet
        for (int i = 0; i < 50; ++i)
            names.insert(RunController::runFileName(folder.path(), "Max pooling: size sweep!"));
        QCOMPARE(names.size(), 50);
    }

    void theViewFollowsARun() {
        Fixture f;
        RunView view;
        view.setRunnable(true, "Fake run");
        view.show();
        connect(&f.runs, &RunController::sessionStarted, &view, &RunView::setSession);
        QSignalSpy stopped(&view, &RunView::stopRequested);
        f.runs.start(fake("slow"), {});
        QVERIFY(f.waitForSamples());
        auto* table = view.findChild<QTableView*>("runsTable");
        QCOMPARE(table->model()->rowCount(), 2);
        auto* stop = view.findChild<QPushButton*>("runViewStop");
        QVERIFY(stop->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QCOMPARE(stopped.size(), 1);
        f.runs.stop();
        QVERIFY(f.finished.wait(3000 * kTimeFactor));
        QVERIFY(!stop->isVisible());
        const QModelIndex samples = table->model()->index(0, RunsModel::Samples);
        QVERIFY(samples.data(RunsModel::TimesRole).value<QVector<double>>().size() >= 2);
        QVERIFY(!table->model()->index(0, RunsModel::Median).data().toString().isEmpty());
    }
};

HETEROSCOPE_UI_TEST(RunControllerTest)
#include "run_controller_test.moc"
