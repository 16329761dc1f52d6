// SPDX-License-Identifier: GPL-3.0-or-later
// A report of run files: every fitting figure in every format, tables, and one page that stands alone.
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"
#include "tests/ui/charts/run_file.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/format.h"
#include "ui/report/report.h"

#include <QDir>
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

    /// Names count without case, and step-time of a is no time of a-step.
    void filesOfOneNameKeepTheirFigures() {
        QTemporaryDir folder;
        QStringList runs;
        for (const char* name : {"x/run", "y/run", "y/Run", "y/run-2", "x/a", "x/a-step"}) {
            QVERIFY(QDir(folder.path()).mkpath(QFileInfo(QString(name)).path()));
            runs << folder.filePath(QString(name) + ".hscope");
            writeRunFile(runs.back(), threadStudy());
        }
        QString error;
        const QString out = folder.filePath("out");
        QVERIFY2(writeReport(out, runs, &error), qPrintable(error));
        const QString page = QString::fromUtf8(contentOf(out + "/report.html"));
        for (const char* prefix : {"run", "run-3", "Run-4", "run-2", "a", "a-step-2"}) {
            QVERIFY2(QFile::exists(QString("%1/%2-threads.pdf").arg(out, prefix)), prefix);
            QVERIFY2(QFile::exists(QString("%1/%2-runs.csv").arg(out, prefix)), prefix);
            QVERIFY2(page.contains(QString("href=\"%1-threads.svg\"").arg(prefix)), prefix);
        }
        for (const char* label : {">x/run.hscope ", ">y/run.hscope ", ">Run.hscope ", ">run-2.hscope "})
            QVERIFY2(page.contains(QString(label)), label);
        QCOMPARE(page.count(">run.hscope "), 0);
    }

    void theEnvironmentIsInUnits() {
        Study study = sweepStudy();
        study.environment = Json::parse(R"({"memory_total_bytes": 137438953472, "governor": null,
            "load_average": [0.91259765625, 12, 0.125], "kernel": {"release": "6.1"}, "notes": [],
            "caches": [{"level": 1, "bytes": 49152}, {"level": 2, "bytes": 2097152}],
            "devices": [{"id": "cuda:0", "properties": {"clock_mhz": 1980, "memory_peak_gb_s": 3352.32,
                "ecc": true, "power_limit_w": 700.0}}]})");
        QTemporaryDir folder;
        const QString file = folder.filePath("run.hscope");
        writeRunFile(file, study);
        QString error;
        QVERIFY2(writeReport(folder.filePath("out"), {file}, &error), qPrintable(error));
        const QString page = QString::fromUtf8(contentOf(folder.filePath("out/report.html")));
        for (const QString& row :
             QStringList{"<dt>memory total</dt><dd>128.0 GiB</dd>", "<dt>governor</dt><dd>not known</dd>",
                         "<dt>load average</dt><dd>0.9126; 12; 0.125</dd>",
                         "<dt>kernel / release</dt><dd>6.1</dd>", "<dt>notes</dt><dd>none</dd>",
                         "<dt>caches</dt><dd>level 1, size 48.0 KiB; level 2, size 2.0 MiB</dd>",
                         "<dt>cuda:0 / properties / clock</dt><dd>" + numberText(1980) + " MHz</dd>",
                         "<dt>cuda:0 / properties / memory peak</dt><dd>" + numberText(3352) + " GB/s</dd>",
                         "<dt>cuda:0 / properties / ecc</dt><dd>yes</dd>",
                         "<dt>cuda:0 / properties / power limit</dt><dd>700 W</dd>"})
            QVERIFY2(page.contains(row), qPrintable(row));
    }

    void whatReadersWouldActUponIsVisible() {
        Study study = sweepStudy();
        study.experiment["name"] = "red\x1b[31m <b>\u202etxt\u2066 \u0085";
        study.environment["cpu"] = "Example\a CPU";
        for (StudyRun& run : study.runs)
            if (run.target == "cpu/onednn")
                run.target += "\u202e";
        QTemporaryDir folder;
        const QString file = folder.filePath("50%\u202e#\x1b.hscope");
        writeRunFile(file, study);
        writeRunFile(folder.filePath("b.hscope"), sweepStudy());
        QString error;
        const QString out = folder.filePath("out");
        QVERIFY2(writeReport(out, {file, folder.filePath("b.hscope")}, &error), qPrintable(error));
        const QString page = QString::fromUtf8(contentOf(out + "/report.html"));
        QVERIFY(page.contains("red\\u001b[31m &lt;b&gt;\\u202etxt\\u2066 \\u0085"));
        QVERIFY(page.contains("Example\\u0007 CPU"));
        QVERIFY(page.contains("cpu/onednn\\u202e"));
        QVERIFY(page.contains("50%\\u202e#\\u001b.hscope"));
        QVERIFY(page.contains("href=\"50%25%E2%80%AE%23%1B-time.pdf\""));
        const QRegularExpression acted(
            "[\\x{0}-\\x{8}\\x{b}-\\x{1f}\\x{7f}-\\x{9f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}]");
        QVERIFY2(!acted.match(page).hasMatch(), qPrintable(page.mid(page.indexOf(acted) - 60, 120)));
    }

    /// As in the window: what the timeline tells of a network's layers, and no word of a window.
    void aNetworksReportHasTheTimesOfItsLayers() {
        QTemporaryDir folder;
        QString error;
        const QString out = folder.filePath("out");
        QVERIFY2(writeReport(
                     out, {QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope")},
                     &error),
                 qPrintable(error));
        QVERIFY(QFileInfo(out + "/layers.pdf").size() > 100);
        const QString page = QString::fromUtf8(contentOf(out + "/report.html"));
        QVERIFY(!page.contains("has not been read"));
        QVERIFY(!page.contains("this window"));
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

    void damagedFileGivesWhatItHasAndAWarning() {
        QTemporaryDir folder;
        writeRunFile(folder.filePath("a.hscope"), sweepStudy());
        QByteArray bytes = contentOf(folder.filePath("a.hscope"));
        bytes[bytes.size() - 20] = char(bytes[bytes.size() - 20] ^ 0x55);
        QFile file(folder.filePath("damaged.hscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        QString error;
        auto code = ErrorCode::Io;
        QVERIFY(writeReport(folder.filePath("out"), {file.fileName()}, &error, &code));
        QVERIFY(QFile::exists(folder.filePath("out/report.html")));
        QCOMPARE(code, ErrorCode::BadInput);
        QVERIFY2(error.contains("damaged.hscope is damaged"), qPrintable(error));
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
        auto code = ErrorCode::Io;
        QVERIFY(!writeReport(folder.filePath("out"), {folder.filePath("missing.hscope")}, &error, &code));
        QCOMPARE(code, ErrorCode::BadInput);
    }
};

HETEROSCOPE_UI_TEST(ReportTest)
#include "report_test.moc"
