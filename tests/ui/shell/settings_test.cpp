// SPDX-License-Identifier: GPL-3.0-or-later
// Recent files, examples, and what kind a file is.
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/files.h"
#include "ui/common/settings.h"
#include "ui/main_window/dropped_files.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/start_page.h"
#include "ui/run/run_controller.h"

#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QTemporaryDir>

using namespace heteroscope::ui;

class SettingsTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8()); }

    void recentFilesKeepFifteenAndDropMissingOnes() {
        Settings settings;
        for (int i = 0; i < 20; ++i)
            settings.addRecentFile(writeFile(m_data.filePath(QString::number(i)), "x"));
        QCOMPARE(settings.recentFiles().size(), qsizetype(Settings::kRecentFiles));
        QCOMPARE(QFileInfo(settings.recentFiles().first()).fileName(), QStringLiteral("19"));
        QVERIFY(QFile::remove(m_data.filePath("19")));
        QCOMPARE(QFileInfo(settings.recentFiles().first()).fileName(), QStringLiteral("18"));
        settings.addRecentFile(m_data.filePath("10"));
        QCOMPARE(settings.recentFiles().count(m_data.filePath("10")), qsizetype(1));
        settings.clearRecentFiles();
        QVERIFY(settings.recentFiles().isEmpty());
    }

    /// By the name that the window gives its run files, and by that of versions before.
    void recentRunsAreNamedByExperimentAndTime() {
        StartPage page;
        page.setRecentFiles({RunController::runFileName(m_data.path(), QStringLiteral("Max pooling")),
                             m_data.filePath("2026-11-21_14-03-22_tiled-matmul.hscope"),
                             m_data.filePath("demo.hscope")});
        QStringList texts;
        for (const auto* button : page.findChildren<QPushButton*>())
            if (button->toolTip().endsWith(QStringLiteral(".hscope")))
                texts << button->text().section(QStringLiteral(" \u00b7 "), 0, 0);
        QCOMPARE(texts, QStringList({"max pooling", "tiled matmul", "demo.hscope"}));
    }

    void theSchemeIsRemembered() {
        Settings().setColorScheme(ColorScheme::Dark);
        QCOMPARE(Settings().colorScheme(), ColorScheme::Dark);
    }

    void filesAreToldApart_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, const QByteArray& content, FileKind kind) {
            QTest::newRow(name) << QString(name) << content << int(kind);
        };
        row("a.json", R"({"heteroscope": 1, "kind": "pooling"})", FileKind::Experiment);
        row("b.json", R"({"traceEvents": []})", FileKind::Trace);
        row("c.json", "[]", FileKind::Trace);
        row("d.json.gz", QByteArray("\x1f\x8b\x08", 3), FileKind::Trace);
        row("e.hscope", QByteArray("HSCOPE\r\n"), FileKind::RunFile);
        row("f.png", QByteArray("\x89PNG\r\n"), FileKind::Image);
        row("g.pgm", "P5\n2 2\n255\nabcd", FileKind::Image);
        row("h.npy", QByteArray("\x93NUMPY\x01\x00", 8), FileKind::Npy);
        row("i.txt", "words", FileKind::Unknown);
        row("empty.json", "", FileKind::Unknown);
    }
    void filesAreToldApart() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(int, kind);
        const QString path = writeFile(m_data.filePath(name), content);
        QCOMPARE(int(kindOfFile(path)), kind);
        if (FileKind(kind) == FileKind::Unknown)
            QVERIFY(whyNotOpened(path).contains(name));
    }

    void theDemoIsAnExampleAndEveryExampleHasASentence() {
        const auto examples = listExamples();
        QVERIFY(examples.size() >= 5);
        QCOMPARE(examples.front().path, demoExample());
        for (const Example& example : examples)
            QVERIFY2(!example.name.isEmpty() && !example.sentence.isEmpty(), qPrintable(example.path));
    }

  private:
    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(SettingsTest)
#include "settings_test.moc"
