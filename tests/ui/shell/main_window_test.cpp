// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a whole: modes by keyboard, titles, dropped files, problems, run and stop, closing.
#include "tests/support/time_factor.h"
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
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>
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
    void drop(const QString& path) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
    }
};

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

    void replacedWorkCanBeBroughtBack() {
        Fixture f;
        f.window->openDemo();
        f.window->document().setValue("/pooling/kernel", 5, "Kernel");
        f.window->openDemo();
        QVERIFY(f.window->document().json()["pooling"]["kernel"] != 5);
        QVERIFY(f.message()->isVisible());
        QTest::mouseClick(f.message()->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(f.window->document().json()["pooling"]["kernel"].get<int>(), 5);
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
