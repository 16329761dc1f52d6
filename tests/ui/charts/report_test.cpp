// SPDX-License-Identifier: GPL-3.0-or-later
// A report of run files: every fitting figure in every format, tables, and one page that stands alone.
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"
#include "tests/ui/charts/run_file.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/report/report.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT
  private slots:
    void everyFittingFigureInEveryFormat() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        QString error;
        const QString out = folder.filePath("out");
        QVERIFY2(writeReport(out, {folder.filePath("a.hscope")}, &error), qPrintable(error));
        for (const char* kind : {"time", "speedup", "throughput", "samples", "order", "windows"})
            for (const char* suffix : {"pdf", "svg", "png", "csv", "tex"})
                QVERIFY2(QFileInfo(QString("%1/%2.%3").arg(out, kind, suffix)).size() > 100, kind);
        QVERIFY(!QFile::exists(out + "/threads.pdf")); // no two thread counts
        QVERIFY(QFile::exists(out + "/runs.csv") && QFile::exists(out + "/runs.tex"));
    }

    void pageStandsAlone() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        writeRunFile(folder.filePath("b.hscope"), threadStudy());
        QString error;
        const QString out = folder.filePath("out");
        QVERIFY2(writeReport(out, {folder.filePath("a.hscope"), folder.filePath("b.hscope")}, &error),
                 qPrintable(error));
        const QString page = QString::fromUtf8(contentOf(out + "/report.html"));
        QVERIFY(page.contains("<svg"));
        QVERIFY(page.contains("prefers-color-scheme: dark"));
        QVERIFY(page.contains("Example CPU"));
        QVERIFY(page.contains("bootstrap intervals"));
        QVERIFY(!page.contains(QRegularExpression("(src|href)=\"https?:")));
        QVERIFY(!page.contains("<?xml"));
        QVERIFY(QFile::exists(out + "/a-time.pdf") && QFile::exists(out + "/b-threads.pdf"));
        for (const auto& match : {QRegularExpression("href=\"([^\"#]+)\"")})
            for (auto it = match.globalMatch(page); it.hasNext();)
                QVERIFY(QFile::exists(out + "/" + it.next().captured(1)));
    }

    void notARunFile() {
        QTemporaryDir folder;
        QFile file(folder.filePath("x.hscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a run file at all, only text");
        file.close();
        QString error;
        QVERIFY(!writeReport(folder.filePath("out"), {folder.filePath("x.hscope")}, &error));
        QVERIFY2(error.contains("x.hscope"), qPrintable(error));
        QVERIFY(!writeReport(folder.filePath("out"), {folder.filePath("missing.hscope")}, &error));
        QVERIFY(error.contains("missing.hscope"));
        QVERIFY(!writeReport(folder.filePath("out"), {}, &error));
    }

    void truncatedFileGivesWhatItHas() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        const QByteArray whole = contentOf(folder.filePath("a.hscope"));
        QFile cut(folder.filePath("cut.hscope"));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(whole.left(whole.size() * 3 / 4));
        cut.close();
        QString error;
        QVERIFY2(writeReport(folder.filePath("out"), {folder.filePath("cut.hscope")}, &error),
                 qPrintable(error));
        QVERIFY(QFile::exists(folder.filePath("out/time.pdf")));
        const auto read = profiling::readRunFile(folder.filePath("cut.hscope").toStdString());
        QVERIFY(read.ok());
        const QString sentence = QString::fromStdString(profiling::stateOf(*read).sentence());
        QVERIFY(sentence.startsWith("stopped early: "));
        QVERIFY(contentOf(folder.filePath("out/report.html")).contains(sentence.toHtmlEscaped().toUtf8()));
    }

    void damageStandsInThePage() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        QString error;
        QVERIFY(writeReport(folder.filePath("whole"), {folder.filePath("a.hscope")}, &error));
        QVERIFY(!contentOf(folder.filePath("whole/report.html")).contains("damaged: "));
        QByteArray bytes = contentOf(folder.filePath("a.hscope"));
        bytes[bytes.size() * 3 / 4] = char(bytes.at(bytes.size() * 3 / 4) ^ 0x40);
        QFile file(folder.filePath("a.hscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        QVERIFY2(writeReport(folder.filePath("out"), {folder.filePath("a.hscope")}, &error),
                 qPrintable(error));
        const auto read = profiling::readRunFile(folder.filePath("a.hscope").toStdString());
        QVERIFY(read.ok() && read->damage);
        const QString sentence = QString::fromStdString(profiling::stateOf(*read).sentence());
        QVERIFY(contentOf(folder.filePath("out/report.html")).contains(sentence.toHtmlEscaped().toUtf8()));
    }

    void aForeignFileIsKeptWithTheAdviceOfWhoAsks() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        const QString foreign = folder.filePath("report.html");
        QFile file(foreign);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        OutputRules rules;
        QString error;
        QVERIFY(!writeReport(folder.path(), {folder.filePath("a.hscope")}, &error, nullptr, rules));
        QVERIFY2(error.contains("--force"), qPrintable(error));
        rules.forceAdvice = "choose another folder";
        QVERIFY(!writeReport(folder.path(), {folder.filePath("a.hscope")}, &error, nullptr, rules));
        QVERIFY2(error.contains("report.html") && error.contains("choose another folder"), qPrintable(error));
        QVERIFY2(!error.contains("--force"), qPrintable(error));
        QCOMPARE(contentOf(foreign), QByteArray("mine"));
    }

    void whatCannotBeReadIsBadInput() {
        QTemporaryDir folder;
        QString error;
        bool badInput = false;
        QVERIFY(!writeReport(folder.filePath("out"), {folder.filePath("missing.hscope")}, &error, &badInput));
        QVERIFY(badInput);
    }
};

HETEROSCOPE_UI_TEST(ReportTest)
#include "report_test.moc"
