// SPDX-License-Identifier: GPL-3.0-or-later
// Exported files: physical size, texts as texts, exact points; at a column's and a page's size.
#include "tests/ui/charts/sample_chart.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/skip.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/text_export.h"

#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

ChartData chartNamed(const QString& name) {
    if (name == QLatin1String("bars"))
        return barsChart();
    return name == QLatin1String("boxes") ? boxesChart() : sweepChart();
}

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

    static void addRows() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QSizeF>("mm");
        for (const char* name : {"sweep", "bars", "boxes"})
            for (const QSizeF mm : {QSizeF(84, 60), QSizeF(174, 100)})
                QTest::addRow("%s %g mm", name, mm.width()) << QString(name) << mm;
    }

    static QByteArray render(ExportFormat format) {
        QFETCH(QString, name);
        QFETCH(QSizeF, mm);
        ExportSettings settings;
        settings.millimetres = mm;
        QString error;
        const QByteArray bytes = renderChart(chartNamed(name), format, settings, &error);
        if (bytes.isEmpty())
            qWarning() << error;
        return bytes;
    }

    /// What stands before a figure that compiles by itself.
    static QString preambleOf(const QByteArray& tex) {
        const QString text = QString::fromUtf8(tex);
        const QString begin = QStringLiteral("\\begin{document}\n");
        return text.left(text.indexOf(begin) + begin.size()) + QStringLiteral("\\fi\n");
    }

    /// Runs pdflatex on name.tex in the folder.
    static void compile(const QString& folder, const QString& name) {
        QProcess latex;
        latex.setWorkingDirectory(folder);
        latex.setProcessChannelMode(QProcess::MergedChannels);
        latex.start("pdflatex", {"-interaction=nonstopmode", "-halt-on-error", name + ".tex"});
        QVERIFY(latex.waitForFinished(60000));
        const QString log = QString::fromUtf8(latex.readAll());
        QVERIFY2(latex.exitCode() == 0, qPrintable(name + ": " + log.right(1500)));
        QVERIFY2(!log.contains("Missing character"), qPrintable(log));
        QVERIFY(QFile::exists(folder + '/' + name + ".pdf"));
    }

  private slots:
    void svg_data() { addRows(); }
    void svg() {
        QFETCH(QString, name);
        QFETCH(QSizeF, mm);
        const QByteArray bytes = render(ExportFormat::Svg);
        QXmlStreamReader xml(bytes);
        QStringList texts;
        double width = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == QLatin1String("svg"))
                width = xml.attributes().value(QLatin1String("width")).toString().remove("mm").toDouble();
            if (xml.isStartElement() && xml.name() == QLatin1String("text"))
                texts << xml.readElementText().trimmed();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(std::abs(width - mm.width()) < 0.5);
        const ChartData chart = chartNamed(name);
        const QString all = texts.join(QLatin1Char(' ')).simplified();
        QVERIFY2(all.contains(chart.x.title), qPrintable(all));
        QVERIFY2(all.contains(chart.y.title), qPrintable(all));
        QVERIFY(bytes.size() < 400000);
        QVERIFY(bytes.contains("sans-serif\""));
        QVERIFY(QSvgRenderer(bytes).isValid());
    }

    void pdf_data() { addRows(); }
    void pdf() {
        QFETCH(QString, name);
        QFETCH(QSizeF, mm);
        QTemporaryDir folder;
        const QString path = folder.filePath("figure.pdf");
        QString error;
        QVERIFY2(saveBytes(path, render(ExportFormat::Pdf), &error, {}), qPrintable(error));
        QProcess info;
        info.start("pdfinfo", {path});
        if (!info.waitForStarted())
            QSKIP_WITHOUT("pdfinfo", "pdfinfo is not installed");
        QVERIFY(info.waitForFinished());
        const auto match =
            QRegularExpression("Page size:\\s+([0-9.]+) x ([0-9.]+) pts").match(info.readAllStandardOutput());
        QVERIFY(match.hasMatch());
        QVERIFY(std::abs(match.captured(1).toDouble() * 25.4 / 72 - mm.width()) < 0.5);
        QVERIFY(std::abs(match.captured(2).toDouble() * 25.4 / 72 - mm.height()) < 0.5);
        QProcess text;
        text.start("pdftotext", {"-layout", path, "-"});
        QVERIFY(text.waitForFinished());
        QVERIFY(QString::fromUtf8(text.readAllStandardOutput()).contains(chartNamed(name).x.title.left(20)));
    }

    void png_data() { addRows(); }
    void png() {
        QFETCH(QSizeF, mm);
        const QImage image = QImage::fromData(render(ExportFormat::Png));
        QVERIFY(!image.isNull());
        QCOMPARE(image.dotsPerMeterX(), 11811); // 300 dpi
        QVERIFY(std::abs(image.width() - mm.width() / 25.4 * 300) <= 1);
        QVERIFY(std::abs(image.height() - mm.height() / 25.4 * 300) <= 1);
        QCOMPARE(image.pixelColor(0, 0), QColor(Qt::white));
    }

    void csvHasEveryPoint() {
        const ChartData chart = sweepChart();
        const QList<QByteArray> lines = chartToCsv(chart).trimmed().split('\n');
        QCOMPARE(lines.size(), 1 + 22);
        QCOMPARE(lines.first(),
                 QByteArray("series,Input size N (elements per side),Time per run (ms),ci95_low (ms),"
                            "ci95_high (ms),q1 (ms),q3 (ms),n,note"));
        const QList<QByteArray> row = lines[1].split(',');
        QCOMPARE(row.size(), 9);
        QCOMPARE(row[1].toDouble(), chart.series[0].points[0].x);
        QCOMPARE(row[2].toDouble(), chart.series[0].points[0].y);
        QCOMPARE(row[4].toDouble(), chart.series[0].points[0].interval->high);
        QCOMPARE(row[7], QByteArray("10"));
    }

    void pgfplots() {
        const ChartData chart = sweepChart();
        const QString tex = QString::fromUtf8(chartToPgfplots(chart, {84, 60}, {}));
        QString bare = tex;
        bare.remove("\\{").remove("\\}");
        QVERIFY(tex.contains("\\caption{Medians with 95 \\% intervals. Synthetic figures.}"));
        QCOMPARE(bare.count('{'), bare.count('}'));
        QCOMPARE(bare.count('['), bare.count(']'));
        QCOMPARE(tex.count("\\addplot+["), 2);
        QCOMPARE(
            tex.count(QRegularExpression("^    [0-9][^\\n]* \\\\\\\\$", QRegularExpression::MultilineOption)),
            22);
        QVERIFY(tex.contains("xmode=log"));
        QVERIFY(tex.contains("log basis x=2"));
        QVERIFY(tex.contains("xticklabels={4,16,64,256,1~024,4~096}")); // 11 sizes, every second one
        QVERIFY(tex.contains("1 ms \\& 100 \\% of\\_budget"));
        for (const ChartPoint& point : chart.series[1].points)
            QVERIFY(tex.contains(QString::number(point.y, 'g', QLocale::FloatingPointShortest)));
    }

    void pgfplotsHasItsCaption() {
        ChartData chart = sweepChart();
        chart.caption = "Size ≥ 64 … 2–4 × 10 µs — 95 % [1, 2] of_all";
        const QString tex = QString::fromUtf8(chartToPgfplots(chart, {84, 60}, {}));
        QVERIFY(tex.contains(
            "\\caption{Size $\\geq$ 64 \\dots{} 2--4 $\\times$ 10 \\textmu{}s --- 95 \\% [1, 2] of\\_all}"));
        for (const QChar c : tex)
            QVERIFY2(c.unicode() < 0x80, qPrintable(QString(c)));
    }

    void latexNamesWhatItCannotPrint() {
        QCOMPARE(latexText("Größe"), QString("Größe"));
        QCOMPARE(latexText("± 3 °C → ∞"), QString("$\\pm$ 3 \\textdegree{}C $\\rightarrow$ $\\infty$"));
        QCOMPARE(latexText(QString::fromUcs4(U"\u4e2d\U0001f600")), QString("[U+4E2D][U+1F600]"));
    }

    // A file of each preamble alone, all figures below that preamble alone, then some read by a paper with
    // packages of its own.
    void pgfplotsCompiles() {
        if (QStandardPaths::findExecutable("pdflatex").isEmpty())
            QSKIP_WITHOUT("latex", "pdflatex is not installed");
        QTemporaryDir folder;
        QString paper = "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                        "\\usepackage{textcomp,booktabs,pgfplots}\n\\pgfplotsset{compat=1.16}\n"
                        "\\usepgfplotslibrary{fillbetween}\n\\usetikzlibrary{patterns}\n\\begin{document}\n";
        const auto add = [&](const QString& name, const QByteArray& tex) {
            QVERIFY(saveBytes(folder.filePath(name + ".tex"), tex, nullptr, {}));
        };
        const auto inputOf = [](const QString& name) {
            return QString("\\input{%1.tex}\n\\clearpage\n").arg(name);
        };
        const std::vector<std::pair<QString, profiling::Study>> studies = {{"sweep", sweepStudy()},
                                                                           {"few", sweepStudy(1, 3)},
                                                                           {"threads", threadStudy()},
                                                                           {"one", onePointStudy()},
                                                                           {"windows", windowStudy()}};
        QStringList kinds;
        QMap<QString, QStringList> filesOfPreamble;
        for (const auto& [name, study] : studies) {
            const ChartInput input = analyzeStudies({study});
            for (const ChartKind& kind : chartKinds()) {
                const ChartData chart = kind.comparison ? ChartData() : buildChart(kind, input);
                if (kind.comparison || !chart.drawable())
                    continue;
                const QString file = QString("%1-%2").arg(name, kind.id);
                const QByteArray tex = chartToPgfplots(chart, {84, 60}, {});
                add(file, tex);
                filesOfPreamble[preambleOf(tex)] << file;
                if (!kinds.contains(kind.id))
                    kinds << kind.id;
            }
        }
        for (auto it = filesOfPreamble.cbegin(); it != filesOfPreamble.cend(); ++it) {
            compile(folder.path(), it->first());
            QString all = it.key();
            for (const QString& file : *it)
                all += inputOf(file);
            paper += inputOf(it->first());
            const QString name = "all-" + it->first();
            QVERIFY(
                saveBytes(folder.filePath(name + ".tex"), (all + "\\end{document}\n").toUtf8(), nullptr, {}));
            compile(folder.path(), name);
        }
        const ChartInput two = analyzeStudies({sweepStudy(), sweepStudy(0.8, 14, 2)});
        add("ratio", chartToPgfplots(buildChart(*findChartKind("ratio"), two), {84, 60}, {}));
        add("runs", runTableToLatex(buildRunTable(two), "All runs: ≥ 5 samples — µs"));
        compile(folder.path(), "runs");
        paper += inputOf("ratio") + inputOf("runs");
        QVERIFY(saveBytes(folder.filePath("paper.tex"), (paper + "\\end{document}\n").toUtf8(), nullptr, {}));
        compile(folder.path(), "paper");
        QCOMPARE(kinds.size(), 8);
    }

    void hiddenSeriesAreLeftOut() {
        const QString tex = QString::fromUtf8(chartToPgfplots(sweepChart(), {84, 60}, {"cpu/sequential"}));
        QCOMPARE(tex.count("\\addplot+["), 1);
    }

    void chartWithoutDataSaysWhy() {
        ChartData chart;
        chart.reason = "No run has a result.";
        QString error;
        QVERIFY(renderChart(chart, ExportFormat::Pdf, {}, &error).isEmpty());
        QVERIFY(error.contains("No run has a result."));
    }

    void unwritableFolder() {
        QString error;
        QVERIFY(!exportChart(sweepChart(), ExportFormat::Csv, {}, "/proc/nowhere/x.csv", &error));
        QVERIFY(error.contains("/proc/nowhere"));
    }

    void fileNames() {
        QCOMPARE(defaultFileName("Max pooling, size sweep", "time"), QString("max-pooling-size-sweep-time"));
        QCOMPARE(defaultFileName("../../etc", "time"), QString("etc-time"));
        QCOMPARE(defaultFileName("", "time"), QString("study-time"));
    }
};

HETEROSCOPE_UI_TEST(ExportTest)
#include "export_test.moc"
