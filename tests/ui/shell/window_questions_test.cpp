// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks before a run or the only copy of unsaved work goes.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/answer.h"
#include "ui/build/document.h"
#include "ui/common/message_bar.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <QPushButton>
#include <QTemporaryDir>

#include <heteroscope_paths.h>
#include <memory>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// Reads the next question and answers with what Enter chooses.
class DefaultAnswer {
  public:
    DefaultAnswer() {
        m_timer.setInterval(10);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            m_timer.stop();
            m_asked = box->text();
            m_chosen = box->defaultButton() ? box->defaultButton()->text().remove('&') : QString();
            box->defaultButton() ? box->defaultButton()->click() : box->reject();
        });
        m_timer.start();
    }
    QString asked() const { return m_asked; }
    QString chosen() const { return m_chosen; }

  private:
    QTimer m_timer;
    QString m_asked, m_chosen;
};

} // namespace

class WindowQuestionsTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8()); }

    void closingOverARunAsks() {
        MainWindow window;
        RunController& runs = window.runController();
        runs.setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        window.show();
        QVERIFY(!window.document().isModified());
        Json document = window.document().json();
        document["fake"] = "slow";
        runs.start(document, {});
        QTRY_VERIFY(window.session() && !window.session()->study().runs.empty());
        {
            const DefaultAnswer answer;
            QVERIFY(!window.close());
            QCOMPARE(answer.asked(), QStringLiteral("A run is in progress. Stop it and close?"));
            QCOMPARE(answer.chosen(), QStringLiteral("Keep Running"));
        }
        QCOMPARE(runs.state(), RunController::State::Running);
        QVERIFY(window.isVisible());
        const Answer answer("Stop and Close");
        QVERIFY(window.close());
        QVERIFY(answer.given());
        QTRY_COMPARE(runs.state(), RunController::State::Idle);
    }

    /// Nothing is left to ask then, nor to close for: what the run gave stays before whoever asked.
    void aRunThatEndsTakesTheQuestionWithIt() {
        MainWindow window;
        RunController& runs = window.runController();
        runs.setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        window.show();
        Json document = window.document().json();
        document["fake"] = "slow";
        runs.start(document, {});
        QTRY_VERIFY(window.session() && !window.session()->study().runs.empty());
        bool wasAsked = false, hadToBeAnswered = false;
        QTimer ends, gaveUp;
        ends.setInterval(10);
        QObject::connect(&ends, &QTimer::timeout, [&] {
            if (qobject_cast<QMessageBox*>(QApplication::activeModalWidget()) == nullptr)
                return;
            wasAsked = true;
            ends.stop();
            runs.stop();
        });
        gaveUp.setSingleShot(true);
        QObject::connect(&gaveUp, &QTimer::timeout, [&] {
            hadToBeAnswered = true;
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
                box->reject();
        });
        ends.start();
        gaveUp.start(20000 * kTimeFactor);
        QVERIFY(!window.close());
        QVERIFY(wasAsked);
        QVERIFY(!hadToBeAnswered);
        QVERIFY(window.isVisible());
        QTRY_COMPARE(runs.state(), RunController::State::Idle);
    }

    /// Unsaved changes go when, and only when, a person says so; nothing of them is offered at the next
    /// start.
    void closingWithoutSavingDropsTheChanges() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("e.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray text = QByteArray::fromStdString(compute::defaultPoolingDocument().dump());
        file.write(text);
        file.close();
        auto window = std::make_unique<MainWindow>();
        window->show();
        window->openPath(path);
        const auto rename = [&](const char* name) {
            window->document().setValue(QStringLiteral("/name"), name, QStringLiteral("Rename"));
        };
        rename("changed");
        QVERIFY(window->document().isModified());
        {
            const DefaultAnswer answer;
            QVERIFY(window->close());
            QCOMPARE(answer.chosen(), QStringLiteral("Save"));
        }
        QVERIFY(contentOf(path).contains("changed"));
        window->show();
        rename("again");
        {
            const Answer answer("Cancel");
            QVERIFY(!window->close());
            QVERIFY(answer.given());
        }
        QVERIFY(window->isVisible());
        QVERIFY(window->document().isModified());
        const Answer answer("Close Without Saving");
        QVERIFY(window->close());
        QVERIFY(answer.given());
        QVERIFY(!window->isVisible());
        window.reset();
        QVERIFY(contentOf(path).contains("changed"));
        QVERIFY(!contentOf(path).contains("again"));
        QCOMPARE(Document::findUnsavedWork().size(), std::size_t(0));
    }

    void closingWithoutARunAsksNothing() {
        MainWindow window;
        window.show();
        const DefaultAnswer answer;
        QVERIFY(window.close());
        QCOMPARE(answer.asked(), QString());
    }

    void discardingUnsavedWorkAsks() {
        writeJournal("mine");
        const auto found = Document::findUnsavedWork();
        QCOMPARE(found.size(), std::size_t(1));
        MainWindow window;
        window.show();
        {
            const DefaultAnswer answer;
            pressDiscard(window);
            QCOMPARE(answer.chosen(), QStringLiteral("Keep It"));
            QVERIFY2(answer.asked().contains("mine"), qPrintable(answer.asked()));
            const QString date = QLocale().toString(found[0].changed, QLocale::ShortFormat);
            QVERIFY2(answer.asked().contains(date), qPrintable(answer.asked()));
        }
        QVERIFY(QFile::exists(found[0].journal));
        QVERIFY(window.findChild<MessageBar*>("recoveryMessage")->text().contains("mine")); // still offered
        const Answer answer("Discard It");
        pressDiscard(window);
        QVERIFY(answer.given());
        QVERIFY(!QFile::exists(found[0].journal));
    }

  private:
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void writeJournal(const char* name) {
        const QDir folder(m_data.filePath("recovery"));
        QVERIFY(folder.mkpath("."));
        const Json head = {{"heteroscope_journal", 1},
                           {"path", ""},
                           {"title", name},
                           {"document", compute::defaultPoolingDocument()}};
        QFile journal(folder.filePath(QString::fromLatin1(name) + ".journal"));
        QVERIFY(journal.open(QIODevice::WriteOnly));
        journal.write(QByteArray::fromStdString(head.dump()) + "\n{\"at\":\"/name\",\"value\":\"" + name +
                      "\"}\n");
    }

    static void pressDiscard(MainWindow& window) {
        for (auto* button : window.findChild<MessageBar*>("recoveryMessage")->findChildren<QPushButton*>())
            if (button->text() == "Discard It" && button->isVisible())
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL("not offered");
    }

    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(WindowQuestionsTest)
#include "window_questions_test.moc"
