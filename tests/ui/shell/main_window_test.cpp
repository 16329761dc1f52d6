// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a whole: modes by keyboard, titles, dropped files, problems, run and stop, closing.
#include "tests/support/time_factor.h"
#include "tests/ui/library/run_files.h"
#include "tests/ui/shell/answer.h"
#include "ui/build/document.h"
#include "ui/common/message_bar.h"
#include "ui/common/theme.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/problems_panel.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QAbstractButton>
#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <csignal>
#include <functional>
#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;

namespace {

struct Fixture {
    QTemporaryDir data;
    std::unique_ptr<MainWindow> window;

    Fixture() {
        qputenv("HETEROSCOPE_DATA", data.path().toUtf8());
        window = std::make_unique<MainWindow>();
        window->runController().setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        window->show();
    }
    /// Runs the demo's document on the fake worker.
    void start(const char* behaviour) {
        window->openDemo();
        Json document = window->document().json();
        document["fake"] = behaviour;
        window->setMode(Mode::Run);
        window->runController().start(document, {});
    }
    bool waitForSamples() {
        return QTest::qWaitFor([this] {
            const auto session = window->session();
            return session && !session->study().runs.empty() && session->study().runs[0].samples.size() > 1;
        });
    }
    template <class T>
    T* find(const char* name) {
        return window->findChild<T*>(QString::fromLatin1(name));
    }
    MessageBar* message() { return find<MessageBar>("windowMessage"); }
    void open(const QString& path) {
        window->openPath(path);
        QTRY_COMPARE(window->session()->filePath(), path);
        QTRY_VERIFY(window->session()->state() != StudySession::State::Loading);
    }
    /// File > Export as a person does it who answers that the file may be replaced.
    void exportTo(const QString& action, const QString& path) {
        const auto actions = window->findChildren<QAction*>();
        const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction* candidate) {
            return candidate->text().remove('&') == action;
        });
        QVERIFY(found != actions.end());
        QTimer answer;
        QObject::connect(&answer, &QTimer::timeout, [&] {
            auto* modal = QApplication::activeModalWidget();
            if (auto* box = qobject_cast<QMessageBox*>(modal))
                return box->button(QMessageBox::Yes)->click();
            if (auto* dialog = qobject_cast<QFileDialog*>(modal)) {
                dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
            }
        });
        answer.start(20);
        (*found)->trigger();
    }
    void drop(const QString& path) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
    }
};

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Json contentOf(const QString& path) {
    return Json::parse(bytesOf(path).toStdString());
}

void save(MainWindow& window) {
    for (auto* action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QKeySequence::Save))
            action->trigger();
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void modesByKeyboardAndByMouse() {
        Fixture f;
        f.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(f.window.get()));
        QCOMPARE(f.window->mode(), Mode::Start);
        for (int i = 1; i < 6; ++i) {
            QTest::keyClick(f.window.get(), Qt::Key(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(int(f.window->mode()), i);
            QVERIFY(f.window->page(Mode(i))->isVisible());
        }
        QTest::mouseClick(f.find<QAbstractButton>("mode1"), Qt::LeftButton);
        QCOMPARE(f.window->mode(), Mode::Build);
    }

    void everyVisibleButtonHasAName() {
        Fixture f;
        f.window->openDemo();
        for (int i = 0; i < 6; ++i) {
            f.window->setMode(Mode(i));
            for (auto* button : f.window->findChildren<QAbstractButton*>()) {
                const bool named = !button->accessibleName().isEmpty() || !button->text().isEmpty();
                const bool internal = button->parent()->inherits("QLineEdit") || !button->isVisible() ||
                                      qstrcmp(button->metaObject()->className(), "QTableCornerButton") == 0;
                QVERIFY2(named || internal, qPrintable(button->objectName() + " of " +
                                                       button->parent()->metaObject()->className()));
            }
        }
    }

    void aRecordingThatIsCutIsNowhereCalledComplete() {
        Fixture f;
        QFile whole(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h200.hscope"));
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
        bytes.chop(1);
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

    void theTitleFollowsTheDocument() {
        Fixture f;
        f.window->openDemo();
        const QString before = f.window->windowTitle();
        QVERIFY(before.contains("[*]"));
        QVERIFY(!f.window->isWindowModified());
        f.window->document().setValue("/name", "Another name", "Rename");
        QVERIFY(f.window->isWindowModified());
        QVERIFY2(f.window->windowTitle().startsWith("Another name[*]"), qPrintable(f.window->windowTitle()));
        f.window->document().undoStack().undo();
        QVERIFY(!f.window->isWindowModified());
        QCOMPARE(f.window->windowTitle(), before);
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

    void replacingUnsavedWorkAsks() {
        Fixture f;
        const QString path = f.data.filePath("mine.json");
        f.window->openDemo();
        QVERIFY(f.window->document().save(path, nullptr));
        f.window->document().setValue("/pooling/kernel", 5, "Kernel");
        for (const auto& replace : {std::function<void()>([&] { f.window->openDemo(); }),
                                    std::function<void()>([&] { f.window->openPath(path); }),
                                    std::function<void()>([&] { f.window->close(); })}) {
            const Answer answer("Cancel");
            replace();
            QVERIFY(answer.given());
            QCOMPARE(f.window->document().json()["pooling"]["kernel"].get<int>(), 5);
            QVERIFY(f.window->document().isModified());
        }
        {
            const Answer answer("Save");
            f.window->openDemo();
            QVERIFY(answer.given());
        }
        QVERIFY(f.window->document().path().isEmpty());
        QVERIFY(contentOf(path)["pooling"]["kernel"] == 5);
        f.window->document().setValue("/pooling/kernel", 7, "Kernel");
        const Answer answer("Discard the Changes");
        f.window->openDemo();
        QVERIFY(answer.given());
        QVERIFY(f.window->document().json()["pooling"]["kernel"] != 7);
        QVERIFY(!f.window->document().isModified());
    }

    /// The second one to save is told, and neither's work is written over unasked.
    void twoWindowsOnOneFile() {
        Fixture f;
        const QString path = f.data.filePath("shared.json");
        f.window->openDemo();
        QVERIFY(f.window->document().save(path, nullptr));
        MainWindow other;
        other.show();
        other.openPath(path);
        other.document().setValue("/pooling/kernel", 5, "Kernel");
        save(other);
        QVERIFY(contentOf(path)["pooling"]["kernel"] == 5);
        f.window->document().setValue("/pooling/kernel", 7, "Kernel");
        QEvent activated(QEvent::WindowActivate);
        QCoreApplication::sendEvent(f.window.get(), &activated);
        QVERIFY2(f.message()->text().contains("was changed by another program"),
                 qPrintable(f.message()->text()));
        f.message()->clear();
        QCoreApplication::sendEvent(f.window.get(), &activated);
        QVERIFY(f.message()->text().isEmpty()); // said once
        {
            const Answer answer("Cancel");
            save(*f.window);
            QVERIFY(answer.given());
        }
        QVERIFY(contentOf(path)["pooling"]["kernel"] == 5);
        QVERIFY(f.window->document().isModified());
        const Answer answer("Write Over It");
        save(*f.window);
        QVERIFY(answer.given());
        QVERIFY(contentOf(path)["pooling"]["kernel"] == 7);
        QVERIFY(!f.window->document().isModified());
    }

    void aFileThatWasOnlyTouchedIsNoNews() {
        Fixture f;
        const QString path = f.data.filePath("touched.json");
        f.window->openDemo();
        QVERIFY(f.window->document().save(path, nullptr));
        const QByteArray text = bytesOf(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        QVERIFY(!f.window->document().changedOnDisk());
        QVERIFY(file.remove());
        QVERIFY(!f.window->document().changedOnDisk()); // nothing there that could be written over
    }

    void aSaveThatSucceedsTakesTheFailureAway() {
        Fixture f;
        QVERIFY(QDir(f.data.path()).mkdir("folder"));
        const QString path = f.data.filePath("folder/e.json");
        f.window->openDemo();
        QVERIFY(f.window->document().save(path, nullptr));
        QVERIFY(QDir(f.data.filePath("folder")).removeRecursively());
        save(*f.window);
        QVERIFY2(f.message()->text().contains("cannot be created"), qPrintable(f.message()->text()));
        QVERIFY(QDir(f.data.path()).mkdir("folder"));
        save(*f.window);
        QCOMPARE(f.message()->text(), QString());
        QVERIFY(QFile::exists(path));
    }

    void whatACutRecordingSaysNamesItAndStaysWithIt() {
        Fixture f;
        const QString path = f.data.filePath("cut.hscope");
        QByteArray bytes =
            bytesOf(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h200.hscope"));
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

    void theRunButtonNamesWhatItRuns() {
        Fixture f;
        f.window->openDemo();
        f.window->document().setValue("/name", "Mine", "Rename");
        auto* run = f.find<QPushButton>("runButton");
        QCOMPARE(run->text(), QStringLiteral("Run"));
        f.window->openPath(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h200.hscope"));
        QTRY_VERIFY(f.window->session()->state() == StudySession::State::Done);
        QCOMPARE(run->text(), QStringLiteral("Run \u201cMine\u201d"));
        QVERIFY2(run->toolTip().contains("Mine"), qPrintable(run->toolTip()));
        f.window->setMode(Mode::Build);
        QCOMPARE(run->text(), QStringLiteral("Run"));
        QVERIFY(run->toolTip().contains("cpu/"));
    }

    void aRunFileThatFailsIsToldAtOnceAndItsResultsAreNotDroppedUnasked() {
        Fixture f;
        f.start("full");
        QTRY_VERIFY(f.message()->text().contains("No space left on device"));
        QCOMPARE(f.window->runController().state(), RunController::State::Running);
        QVERIFY(f.waitForSamples());
        QCOMPARE(f.find<QPushButton>("statusQuality")->text(), QStringLiteral("Data incomplete"));
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        f.window->stop();
        QVERIFY(finished.wait(5000 * kTimeFactor));
        for (const auto& drop : {std::function<void()>([&] { f.window->close(); }),
                                 std::function<void()>([&] { f.window->run(); })}) {
            const Answer answer("Cancel");
            drop();
            QVERIFY(answer.given());
        }
        QVERIFY(f.window->isVisible());
        QCOMPARE(f.window->runController().state(), RunController::State::Idle);
        const Answer answer("Drop Them");
        QVERIFY(f.window->close());
        QVERIFY(answer.given());
    }

    void unsavedWorkOfEarlierStartsIsNamed() {
        const QTemporaryDir data;
        qputenv("HETEROSCOPE_DATA", data.path().toUtf8());
        const QDir folder(data.filePath("recovery"));
        QVERIFY(folder.mkpath("."));
        for (const char* name : {"older", "newer"}) {
            const Json head = {{"heteroscope_journal", 1},
                               {"path", ""},
                               {"title", name},
                               {"document", compute::defaultPoolingDocument()}};
            QFile journal(folder.filePath(QString::fromLatin1(name) + ".journal"));
            QVERIFY(journal.open(QIODevice::WriteOnly));
            journal.write(QByteArray::fromStdString(head.dump()) + "\n" + "{\"at\":\"/name\",\"value\":\"" +
                          name + "\"}\n");
            journal.flush();
            QVERIFY(journal.setFileTime(QDateTime::currentDateTime().addDays(name[0] == 'o' ? -2 : -1),
                                        QFileDevice::FileModificationTime));
        }
        MainWindow window;
        window.show();
        auto* message = window.findChild<MessageBar*>("windowMessage");
        const auto press = [&](const char* text) {
            for (auto* button : message->findChildren<QPushButton*>())
                if (button->text() == text && button->isVisible())
                    return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL(text);
        };
        QVERIFY2(message->text().contains("newer") && message->text().contains("An older one"),
                 qPrintable(message->text()));
        const Answer discard("Discard It");
        press("Discard It");
        QVERIFY2(message->text().contains("older"), qPrintable(message->text()));
        message->clear();
        window.findChild<QAction*>("recoverWork")->trigger();
        press("Restore It");
        QCOMPARE(window.document().title(), QStringLiteral("older"));
        QVERIFY(window.document().isModified());
        QVERIFY(Document::findUnsavedWork().empty());
    }

    void problemsAreListedAndLeadToTheField() {
        Fixture f;
        f.window->openDemo();
        f.window->document().setValue("/pooling/kernel", -3, "Kernel");
        auto* panel = f.find<ProblemsPanel>("problems");
        QVERIFY(QTest::qWaitFor([&] { return panel->topLevelItem(0)->flags() & Qt::ItemIsSelectable; }));
        QVERIFY(!f.find<QPushButton>("runButton")->isEnabled());
        QTest::mouseClick(f.find<QPushButton>("statusProblems"), Qt::LeftButton);
        QVERIFY(f.find<QDockWidget>("problemsDock")->isVisible());
        f.window->setMode(Mode::Library);
        const QRect row = panel->visualItemRect(panel->topLevelItem(0));
        QTest::mouseClick(panel->viewport(), Qt::LeftButton, {},
                          row.topLeft() + QPoint(40, row.height() / 2));
        QCOMPARE(f.window->mode(), Mode::Build);
    }

    void runShowsLiveAndStopsWithin300ms() {
        Fixture f;
        f.start("slow");
        QVERIFY(f.waitForSamples());
        auto* stop = f.find<QPushButton>("stopButton");
        QVERIFY(stop->isVisible());
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        QElapsedTimer since;
        since.start();
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(finished.wait(2000 * kTimeFactor));
        QVERIFY2(since.elapsed() < 300 * kTimeFactor, qPrintable(QString::number(since.elapsed())));
        QVERIFY(f.find<QPushButton>("runButton")->isVisible());
        QVERIFY(f.find<QPushButton>("runButton")->isEnabled());
    }

    void theExperimentOfAStoredRunIsEditedAfresh() {
        Fixture f;
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        f.start("good");
        QVERIFY(finished.wait(10000));
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
        QVERIFY(finished.wait(10000));
        f.window->setMode(Mode::Library);
        auto* table = f.find<QTableView>("libraryTable");
        QVERIFY(QTest::qWaitFor([&] { return table->model()->rowCount() == 1; }));
        QVERIFY(QFile::resize(f.window->session()->filePath(), 20)); // the header is cut off
        table->selectRow(0);
        QTest::mouseClick(f.find<QPushButton>("libraryEdit"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return f.message()->isVisible(); }));
        QCOMPARE(f.window->mode(), Mode::Library);
    }

    void systemColoursAreFollowedOnlyWhenAskedFor() {
        Fixture f;
        QSignalSpy changed(&Theme::instance(), &Theme::changed);
        const auto desktopChanges = [&] {
            changed.clear();
            QEvent event(QEvent::ThemeChange);
            QCoreApplication::sendEvent(f.window.get(), &event);
            return int(changed.count());
        };
        Theme::instance().apply(ColorScheme::System);
        const bool desktopIsDark = Theme::instance().isDark();
        QCOMPARE(desktopChanges(), 1);
        QCOMPARE(Theme::instance().isDark(), desktopIsDark);
        Theme::instance().apply(desktopIsDark ? ColorScheme::Light : ColorScheme::Dark);
        QCOMPARE(desktopChanges(), 0);
        QCOMPARE(Theme::instance().isDark(), !desktopIsDark); // chosen colours stay
        for (auto* action : f.window->findChildren<QAction*>())
            if (action->text() == "Like the &System" && action->objectName() == "colours-system")
                action->trigger();
        QCOMPARE(Theme::instance().scheme(), ColorScheme::System);
        QCOMPARE(Theme::instance().isDark(),
                 desktopIsDark); // what the desktop has, not what was chosen before
    }

    void aCrashLeavesAUsableWindow() {
        Fixture f;
        QSignalSpy finished(&f.window->runController(), &RunController::runFinished);
        f.start("crash");
        QVERIFY(finished.wait(10000 * kTimeFactor));
        QVERIFY(f.window->session()->message().contains("SIGSEGV"));
        for (int i = 0; i < 6; ++i)
            f.window->setMode(Mode(i));
        f.start("good");
        QVERIFY(finished.wait(10000 * kTimeFactor));
        QCOMPARE(f.window->session()->state(), StudySession::State::Done);
    }

    void closingTheWindowStopsTheChild_data() {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::newRow("listens") << QByteArray("slow");
        QTest::newRow("does not listen") << QByteArray("deaf");
    }
    void closingTheWindowStopsTheChild() {
        QFETCH(QByteArray, behaviour);
        Fixture f;
        f.start(behaviour.constData());
        QVERIFY(f.waitForSamples());
        const auto pid = pid_t(f.window->runController().processId());
        QCOMPARE(kill(pid, 0), 0);
        const Answer answer("Stop and Close");
        QVERIFY(f.window->close());
        f.window.reset();
        QVERIFY(QTest::qWaitFor([pid] { return kill(pid, 0) != 0; }, 3000));
    }

    void geometryAndDocksAreRemembered() {
        Fixture f;
        f.window->resize(1111, 777);
        f.find<QDockWidget>("logDock")->show();
        f.window->close();
        MainWindow again;
        again.show();
        QCOMPARE(again.size(), QSize(1111, 777));
        QVERIFY(again.findChild<QDockWidget*>("logDock")->isVisible());
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
