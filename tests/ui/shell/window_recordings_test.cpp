// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings in the window: what is said of cut and cancelled ones, exports beside them, their experiments.
#include "tests/support/time_factor.h"
#include "tests/ui/library/run_files.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/answer.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/main_window/examples.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace heteroscope;
using namespace heteroscope::ui;

class WindowRecordingsTest : public QObject {
    Q_OBJECT
  private slots:
    void aRecordingThatIsCutIsNowhereCalledComplete() {
        Fixture f;
        QFile whole(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QByteArray bytes = whole.readAll();
        const auto open = [&](const char* name) {
            QFile file(f.data.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
            file.close();
            f.window->openPath(file.fileName());
            QTRY_COMPARE(f.window->session()->filePath(), file.fileName());
            QTRY_VERIFY(f.window->session()->state() != StudySession::State::Loading);
        };
        auto* quality = f.find<QPushButton>("statusQuality");
        open("whole.hscope");
        QCOMPARE(quality->text(), QStringLiteral("Data complete"));
        bytes += "garbage."; // which is no part of it
        open("longer.hscope");
        QCOMPARE(quality->text(), QStringLiteral("Data complete"));
        QTRY_VERIFY2(
            f.message()->text().contains("8 bytes follow behind the end of the recording, which is complete"),
            qPrintable(f.message()->text()));
        bytes.chop(9);
        open("cut.hscope");
        QCOMPARE(quality->text(), QStringLiteral("Data incomplete"));
        QVERIFY(quality->toolTip().contains(QStringLiteral("stopped early")));
        bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
        open("damaged.hscope");
        QCOMPARE(quality->text(), QStringLiteral("Data incomplete"));
        QVERIFY(quality->toolTip().contains(QStringLiteral("damaged")));
    }

    void aCancelledRunLacksNothingOfItsRecording() {
        Fixture f;
        const QString path = f.data.filePath("a.hscope");
        writeRun(path, "Sweep", 2.0, "cancelled");
        f.open(path);
        QTRY_VERIFY2(f.message()->text().contains("cancelled"), qPrintable(f.message()->text()));
        QVERIFY(f.find<QPushButton>("statusQuality")->text() != QStringLiteral("Data incomplete"));
    }

    /// It was called "Data complete", with a green tick.
    void aFailedRunIsSaidInTheStatusBar() {
        Fixture f;
        const QString path = f.data.filePath("a.hscope");
        writeRun(path, "Sweep", 2.0, "failed");
        f.open(path);
        auto* quality = f.find<QPushButton>("statusQuality");
        QTRY_COMPARE(quality->text(), QStringLiteral("Run failed"));
        QVERIFY(!quality->isHidden());
        QVERIFY2(quality->toolTip().contains("failed"), qPrintable(quality->toolTip()));
        const QString good = f.data.filePath("b.hscope");
        writeRun(good, "Sweep", 2.0);
        f.open(good);
        QTRY_VERIFY(quality->text() != QStringLiteral("Run failed"));
    }

    void droppedFilesGoWhereTheyBelong() {
        Fixture f;
        f.drop(demoExample());
        QCOMPARE(f.window->mode(), Mode::Build);
        QCOMPARE(f.window->document().path(), demoExample());
        const QString image = f.data.filePath("grey.pgm");
        QFile file(image);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("P5\n4 4\n255\nabcdefghijklmnop");
        file.close();
        f.drop(image);
        const Json& input = f.window->document().json()["pooling"]["input"];
        QCOMPARE(QString::fromStdString(input.value("source", "")), QStringLiteral("image"));
        QCOMPARE(QString::fromStdString(input.value("path", "")), image);
        f.drop(f.data.filePath("nothing.bin"));
        QVERIFY(f.message()->isVisible());
        QVERIFY(f.message()->text().contains("does not exist"));
    }

    void whatACutRecordingSaysNamesItAndStaysWithIt() {
        Fixture f;
        const QString path = f.data.filePath("cut.hscope");
        QByteArray bytes =
            bytesOf(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope"));
        bytes.chop(1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        f.window->openPath(path);
        QTRY_VERIFY(f.message()->text().contains("stopped early"));
        QVERIFY2(f.message()->text().contains("cut.hscope"), qPrintable(f.message()->text()));
        f.window->setMode(Mode::Library);
        QCOMPARE(f.message()->text(), QString());
        f.window->setMode(Mode::Analyze);
        QVERIFY2(f.message()->text().contains("stopped early"), qPrintable(f.message()->text()));
    }

    void anExportSparesWhatIsReadAndFilesOfOtherKinds() {
        Fixture f;
        const QString path = f.data.filePath("a.hscope");
        writeRun(path, "Sweep", 2.0);
        const QString experiment = f.data.filePath("experiment.json");
        f.window->openDemo();
        QVERIFY(f.window->document().save(experiment, nullptr));
        f.open(path);
        for (const QString& kept : {path, experiment}) {
            const QByteArray before = bytesOf(kept);
            f.exportTo("Results as JSON\u2026", kept);
            QVERIFY2(f.message()->text().contains(QFileInfo(kept).fileName()),
                     qPrintable(f.message()->text()));
            QVERIFY2(!f.message()->text().contains("--force"), qPrintable(f.message()->text()));
            QCOMPARE(bytesOf(kept), before);
        }
        const QString results = f.data.filePath("results.json");
        for (int i = 0; i < 2; ++i) { // the second one over the first
            f.exportTo("Results as JSON\u2026", results);
            QVERIFY2(f.message()->text().startsWith("Written"), qPrintable(f.message()->text()));
        }
    }

    void anotherRecordingTakesTheFailureOfAnExportAway() {
        Fixture f;
        writeRun(f.data.filePath("a.hscope"), "a", 2.0);
        writeRun(f.data.filePath("b.hscope"), "b", 2.0);
        f.open(f.data.filePath("a.hscope"));
        f.exportTo("Results as JSON\u2026", f.data.filePath("a.hscope"));
        QVERIFY2(f.message()->text().contains("a.hscope"), qPrintable(f.message()->text()));
        f.open(f.data.filePath("b.hscope"));
        QCOMPARE(f.message()->text(), QString());
    }

    void theExperimentOfAStoredRunIsEditedAfresh() {
        Fixture f;
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        f.start("good");
        QVERIFY(finished.wait(kPatienceMs));
        f.window->document().newExperiment(compute::defaultMatmulDocument(), "other");
        f.window->setMode(Mode::Library);
        auto* table = f.find<QTableView>("libraryTable");
        QVERIFY(QTest::qWaitFor([&] { return table->model()->rowCount() == 1; }));
        table->selectRow(0);
        QTest::mouseClick(f.find<QPushButton>("libraryEdit"), Qt::LeftButton);
        QCOMPARE(f.window->mode(), Mode::Library); // the file is read on another thread
        QVERIFY(QTest::qWaitFor([&] { return f.window->mode() == Mode::Build; }));
        QVERIFY(f.window->document().json().at("kind") == "pooling");
        QVERIFY(f.window->document().path().isEmpty()); // a copy: saving asks for a name
    }

    void aRunWithoutItsExperimentSaysSo() {
        Fixture f;
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        f.start("good");
        QVERIFY(finished.wait(kPatienceMs));
        f.window->setMode(Mode::Library);
        auto* table = f.find<QTableView>("libraryTable");
        QVERIFY(QTest::qWaitFor([&] { return table->model()->rowCount() == 1; }));
        QVERIFY(QFile::resize(f.window->session()->filePath(), 20)); // the header is cut off
        table->selectRow(0);
        QTest::mouseClick(f.find<QPushButton>("libraryEdit"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return f.message()->isVisible(); }));
        QCOMPARE(f.window->mode(), Mode::Library);
    }
};

HETEROSCOPE_UI_TEST(WindowRecordingsTest)
#include "window_recordings_test.moc"
