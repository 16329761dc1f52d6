// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments in the window: titles, saving, other windows and programs on one file, problems, earlier
// starts.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/answer.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/main_window/problems_panel.h"

#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QPushButton>

#include <functional>

using namespace heteroscope;
using namespace heteroscope::ui;

class WindowDocumentsTest : public QObject {
    Q_OBJECT
  private slots:
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
        auto* message = window.findChild<MessageBar*>("recoveryMessage");
        const auto press = [&](const char* text) {
            for (auto* button : message->findChildren<QPushButton*>())
                if (button->text() == text && button->isVisible())
                    return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL(text);
        };
        QVERIFY2(message->text().contains("newer") && message->text().contains("An older one"),
                 qPrintable(message->text()));
        const QString offer = message->text(); // what else is told takes its place nowhere
        window.openPath("/no/such/file.hscope");
        QVERIFY(window.findChild<MessageBar*>("windowMessage")->text().contains("/no/such/file.hscope"));
        QVERIFY(message->isVisible());
        QCOMPARE(message->text(), offer);
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
};

HETEROSCOPE_UI_TEST(WindowDocumentsTest)
#include "window_documents_test.moc"
