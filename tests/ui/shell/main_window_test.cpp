// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a whole: modes by keyboard, run and stop, a crash, colours, closing.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/answer.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/common/theme.h"
#include "ui/main_window/examples.h"
#include "ui/run/run_view.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QPushButton>
#include <QSignalSpy>

#include <csignal>

using namespace heteroscope;
using namespace heteroscope::ui;

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

    void theRunButtonNamesWhatItRuns() {
        Fixture f;
        f.window->openDemo();
        f.window->document().setValue("/name", "Mine", "Rename");
        auto* run = f.find<QPushButton>("runButton");
        QCOMPARE(run->text(), QStringLiteral("Run"));
        f.window->openPath(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope"));
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

    /// What the experiment says of waiting already stays.
    void repeatingWhenQuietLetsTheExperimentWait() {
        MainWindow window;
        window.show();
        window.setMode(MainWindow::Mode::Run);
        RunController& runs = window.runController();
        auto* view = window.findChild<RunView*>();
        const Json::json_pointer pointer("/sampling/quiet_wait_s");
        for (const double wanted : {600.0, 5.0}) {
            if (wanted == 5.0)
                window.document().setValue("/sampling/quiet_wait_s", 5, "Wait");
            emit view->repeatWhenQuietRequested();
            QCOMPARE(window.document().json().at(pointer).get<double>(), wanted);
            QVERIFY(runs.state() != RunController::State::Idle);
            window.stop();
            QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunController::State::Idle, 60000 * kTimeFactor);
        }
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

HETEROSCOPE_UI_TEST(MainWindowTest)
#include "main_window_test.moc"
