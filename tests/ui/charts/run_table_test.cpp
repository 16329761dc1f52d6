// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs: every run stays in it, sorts by value, filters by words, exports exactly.
#include "tests/support/formula_cells.h"
#include "tests/ui/charts/sample_chart.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/confusion_matrix.h"
#include "ui/analyze/run_table_model.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/chart_table_model.h"
#include "ui/charts/text_export.h"
#include "ui/common/language.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

class RunTableTest : public QObject {
    Q_OBJECT

    static int columnOf(const RunTableModel& model, const char* key) {
        return model.table().column(QString::fromLatin1(key));
    }

  private slots:
    void modelIsSound() {
        RunTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(buildRunTable(analyzeStudies({sweepStudy()})));
        QCOMPARE(model.rowCount(), 33);
        model.setTable(buildRunTable(analyzeStudies({sweepStudy(0.7)})));
        QCOMPARE(model.rowCount(), 33);
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
    }

    /// N is the size of the sweep, n the number of samples.
    void noTwoColumnsHaveOneNameButIntervals() {
        const RunTable table = buildRunTable(analyzeStudies({sweepStudy()}));
        QStringList titles;
        for (const RunColumn& column : table.columns)
            if (!column.interval)
                titles << column.title;
        QVERIFY2(titles.contains(QStringLiteral("N")), qPrintable(titles.join(',')));
        QCOMPARE(titles.removeDuplicates(), 0);
    }

    void chartTableIsSound() {
        ChartTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChart(sweepChart());
        QCOMPARE(model.rowCount(), 22);
    }

    void chartTableIsForPeople() {
        ChartTableModel model;
        model.setChart(sweepChart());
        QStringList titles;
        for (int column = 0; column < model.columnCount(); ++column)
            titles << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QCOMPARE(titles, QStringList({"Series", "Input size N (elements per side)", "Time per run (ms)",
                                      "95 % interval (ms)", "Quartiles (ms)", "n"}));
        const QRegularExpression digits(QStringLiteral("[1-9][0-9.]*"));
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 2; column < 5; ++column) {
                const QModelIndex cell = model.index(row, column);
                const QString text = cell.data().toString(), full = cell.data(Qt::ToolTipRole).toString();
                auto found = digits.globalMatch(text);
                while (found.hasNext())
                    QVERIFY2(found.next().captured().remove('.').size() <= 4, qPrintable(text));
                QVERIFY2(!full.isEmpty() && !full.contains(QChar(0xa0)), qPrintable(full));
            }
        int row = 0;
        const ChartData chart = sweepChart();
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                QCOMPARE(model.index(row++, 2).data(Qt::ToolTipRole).toDouble(), point.y);
        QCOMPARE(row, model.rowCount());
        QVERIFY(chartToCsv(sweepChart()).contains("ci95_low (ms),ci95_high (ms),q1 (ms),q3 (ms),n,note"));
    }

    void sameShapeKeepsSelection() {
        RunTableModel model;
        model.setTable(buildRunTable(analyzeStudies({sweepStudy()})));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setTable(buildRunTable(analyzeStudies({sweepStudy(0.7)})));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
    }

    void skippedRunsStayWithTheirReason() {
        RunTableModel model;
        model.setTable(buildRunTable(analyzeStudies({onePointStudy()})));
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.index(4, columnOf(model, "status")).data().toString(), QString("skipped"));
        QCOMPARE(model.index(4, columnOf(model, "reason")).data().toString(),
                 QString("CUDA driver not found"));
        QCOMPARE(model.index(4, columnOf(model, "verdict")).data().toString(), QString("NO RESULT"));
    }

    void verdictsAreWordsAndColours() {
        RunTableModel model;
        model.setTable(buildRunTable(analyzeStudies({onePointStudy()})));
        const int verdict = columnOf(model, "verdict");
        QCOMPARE(model.index(0, verdict).data().toString(), QString("reference"));
        QCOMPARE(model.index(1, verdict).data().toString(), QString("FASTER"));
        QCOMPARE(model.index(2, verdict).data().toString(), QString("UNCLEAR"));
        QCOMPARE(model.index(3, verdict).data().toString(), QString("SLOWER"));
        QVERIFY(model.index(1, verdict).data(Qt::ForegroundRole) !=
                model.index(3, verdict).data(Qt::ForegroundRole));
    }

    void sortsByValueNotByText() {
        RunTableModel model;
        RunFilterModel rows;
        rows.setSourceModel(&model);
        model.setTable(buildRunTable(analyzeStudies({sweepStudy()})));
        const int median = columnOf(model, "median_ms");
        rows.sort(median);
        double before = 0;
        for (int row = 0; row < rows.rowCount(); ++row) {
            const double value = rows.index(row, median).data(RunTableModel::kSortRole).toDouble();
            QVERIFY(value >= before);
            before = value;
        }
    }

    void filtersByAllWords() {
        RunTableModel model;
        RunFilterModel rows;
        rows.setSourceModel(&model);
        model.setTable(buildRunTable(analyzeStudies({sweepStudy()})));
        rows.setFilterText("openmp FASTER");
        QVERIFY(rows.rowCount() > 0 && rows.rowCount() < 11);
        for (int row = 0; row < rows.rowCount(); ++row)
            QCOMPARE(rows.index(row, columnOf(model, "target")).data().toString(), QString("cpu/openmp"));
        QCOMPARE(static_cast<int>(rows.shownTable().rows.size()), rows.rowCount());
    }

    void csvIsExact() {
        const ChartInput input = analyzeStudies({sweepStudy()});
        const RunTable table = buildRunTable(input);
        const QList<QByteArray> lines = runTableToCsv(table).trimmed().split('\n');
        QCOMPARE(lines.size(), 34);
        const QList<QByteArray> header = lines[0].split(',');
        const auto median = header.indexOf("median_ms");
        QVERIFY(median > 0);
        QVERIFY(header.contains("median_ci95_ms_low"));
        QVERIFY(header.contains("speedup_ci95_high"));
        QCOMPARE(lines[1].split(',')[median].toDouble(), input.a->results.runs[0].timeMs.median);
        for (const QByteArray& line : lines)
            if (!line.contains('"'))
                QCOMPARE(line.count(','), lines[0].count(','));
    }

    void filesHoldEnglishWordsInEveryLanguage() {
        const ChartInput input = analyzeStudies({sweepStudy()});
        const QByteArray english = runTableToCsv(buildRunTable(input));
        applyLanguage("es");
        const RunTable table = buildRunTable(input);
        QCOMPARE(table.rows[0][static_cast<std::size_t>(table.column("status"))].text, QString("correcta"));
        QCOMPARE(runTableToCsv(table), english);
        QVERIFY(english.contains(",ok,") && english.contains(",FASTER,") && english.contains(",reference,"));
        for (const ChartKind& kind : chartKinds()) {
            applyLanguage("es");
            const ChartData spanish = buildChart(kind, input);
            const QByteArray csv = chartToCsv(spanish);
            applyLanguage("en");
            const ChartData chart = buildChart(kind, input);
            if (!chart.drawable())
                continue;
            QVERIFY2(spanish.caption != chart.caption, kind.id); // the window's own texts are translated
            QCOMPARE(csv, chartToCsv(chart));
        }
        applyLanguage("en");
    }

    void textsAreNoFormulas() {
        RunTable table;
        table.columns = {{"target", "Target", false, true, false},
                         {"median_ms", "Median", true, true, false}};
        table.rows = {{{"x", "=1+1", CellTone::Plain, {}}, {"x", -1.5, CellTone::Plain, {}}}};
        QCOMPARE(runTableToCsv(table), QByteArray("target,median_ms\n'=1+1,-1.5\n"));
        const std::string formula = "=HYPERLINK(\"http://x\",\"a,b\")";
        table.columns[0].key = "@key";
        table.columns[1].key = "-key";
        table.columns[1].interval = true;
        table.rows[0][0].value = QString::fromStdString(formula);
        table.rows[0][1].high = "+1+1"; // a text where a number belongs
        const std::string csv = runTableToCsv(table).toStdString();
        QVERIFY2(heteroscope::spreadsheet::formulasIn(csv).empty(), csv.c_str());
        for (const char* text : {"@key", "-key_low", "-key_high", formula.c_str(), "+1+1"})
            QCOMPARE(heteroscope::spreadsheet::guardedCells(csv, text), 1);
    }

    void textsOfChartsAndClassesAreNoFormulas() {
        const std::string formula = "=HYPERLINK(\"http://x\",\"a,b\")";
        ChartData chart = test::sweepChart();
        chart.inEnglish = nullptr;
        chart.series[0].name = QString::fromStdString(formula);
        chart.x.title = QStringLiteral("@x");
        const std::string points = chartToCsv(chart).toStdString();
        QVERIFY2(heteroscope::spreadsheet::formulasIn(points).empty(), points.c_str());
        QVERIFY2(points.find(",'@x,") != std::string::npos, points.c_str());
        ConfusionModel classes;
        classes.setCounts({formula, "-x"}, {2, 1, 0, 2});
        const std::string counts = classes.toCsv().toStdString();
        QVERIFY2(heteroscope::spreadsheet::formulasIn(counts).empty(), counts.c_str());
        QCOMPARE(heteroscope::spreadsheet::guardedCells(counts, formula), 4);
        QCOMPARE(heteroscope::spreadsheet::guardedCells(counts, "-x"), 4);
    }

    void latexHasBooktabsAndEveryRow() {
        const QString tex = QString::fromUtf8(
            runTableToLatex(buildRunTable(analyzeStudies({onePointStudy()})), "50 % & more"));
        QVERIFY(tex.contains("\\toprule") && tex.contains("\\midrule") && tex.contains("\\bottomrule"));
        QVERIFY(tex.contains("\\caption{50 \\% \\& more}"));
        QCOMPARE(tex.count("\\\\\n"), 6);
        QCOMPARE(tex.count('{'), tex.count('}'));
    }

    void comparisonHasOneRowARun() {
        const ChartInput input = analyzeStudies({sweepStudy(1, 14, 1), sweepStudy(0.5, 9, 2)});
        const RunTable table = buildRunTable(input);
        QCOMPARE(table.rows.size(), std::size_t(33));
        const auto count = [&](const char* key) {
            return table.rows[0][static_cast<std::size_t>(table.column(QLatin1String(key)))].value.toInt();
        };
        QCOMPARE(count("n_a"), 14);
        QCOMPARE(count("n_b"), 9);
        const ChartData ratios = buildChart(*findChartKind(QStringLiteral("ratio")), input);
        const QList<QByteArray> lines = chartToCsv(ratios).split('\n');
        QVERIFY2(lines[0].endsWith(",n_a,n_b,note"), lines[0]);
        QVERIFY2(lines[1].contains(",14,9,"), lines[1]);
        QVERIFY(table.column("median_a_ms") >= 0 && table.column("median_b_ms") >= 0);
        QVERIFY(table.column("verdict") >= 0);
    }
};

HETEROSCOPE_UI_TEST(RunTableTest)
#include "run_table_test.moc"
