// SPDX-License-Identifier: GPL-3.0-or-later
// A first-time user's path with real clicks on the real window and the real command line: a template, other
// sizes, run, the speedup in Analyze, a PDF. At most six clicks.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/document.h"
#include "ui/common/settings.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;

namespace {
constexpr int kMostClicks = 6;
constexpr int kFirstRunMs = 120000 * kTimeFactor;
} // namespace

class FirstUserTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8());
        QSettings settings(Settings().filePath(), QSettings::IniFormat);
        settings.setValue("analyze/exportFolder", m_data.path());
    }

    void fromTheStartToAPdfInSixClicks() {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.mode(), Mode::Start);

        click(window.findChild<QAbstractButton*>("template_demo"));
        QCOMPARE(window.mode(), Mode::Build);

        changeSizes(window);
        QVERIFY(window.document().canRun());

        QSignalSpy finished(&window.runController(), &RunController::runFinished);
        click(window.findChild<QPushButton*>("runButton"));
        QCOMPARE(window.mode(), Mode::Run);
        QVERIFY(finished.wait(kFirstRunMs));
        QVERIFY2(window.session()->state() == StudySession::State::Done,
                 qPrintable(window.session()->message()));

        click(buttonWith(window.page(Mode::Run), "Open in Analyze"));
        QCOMPARE(window.mode(), Mode::Analyze);
        auto* write = window.page(Mode::Analyze)->findChild<QPushButton*>("exportButton");
        QVERIFY(QTest::qWaitFor([&] { return write->isVisible() && write->isEnabled(); }));
        QVERIFY(write->text().contains("PDF"));
        click(write);
        QVERIFY(QTest::qWaitFor([this] { return !pdfs().isEmpty(); }));
        QFile pdf(m_data.filePath(pdfs().first()));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
        QVERIFY2(m_clicks <= kMostClicks, qPrintable(QString::number(m_clicks)));
    }

  private:
    /// The list of sizes that the demo sweeps over.
    void changeSizes(MainWindow& window) {
        QLineEdit* sizes = nullptr;
        for (auto* edit : window.page(Mode::Build)->findChildren<QLineEdit*>())
            if (edit->objectName().startsWith("axis-values-"))
                sizes = edit;
        QVERIFY(sizes != nullptr);
        for (QWidget* up = sizes; up != nullptr; up = up->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(up))
                scroll->ensureWidgetVisible(sizes);
        click(sizes);
        QTest::keyClick(sizes, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(sizes, "32, 64, 128");
        QTest::keyClick(sizes, Qt::Key_Return);
        QCOMPARE(window.document().json()["axes"]["/pooling/input/size"].dump(), std::string("[32,64,128]"));
    }

    static QAbstractButton* buttonWith(QWidget* page, const QString& text) {
        for (auto* button : page->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->text() == text)
                return button;
        return nullptr;
    }

    void click(QWidget* widget) {
        QVERIFY(widget != nullptr);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), qPrintable(widget->objectName()));
        ++m_clicks;
        QTest::mouseClick(widget, Qt::LeftButton);
    }

    QStringList pdfs() const { return QDir(m_data.path()).entryList({"*.pdf"}); }

    QTemporaryDir m_data;
    int m_clicks = 0;
};

HETEROSCOPE_UI_TEST(FirstUserTest)
#include "first_user_test.moc"
