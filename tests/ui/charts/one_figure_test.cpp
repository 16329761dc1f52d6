// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that differ strongly: every chart shows the figures of the table of runs.
#include "profiling/analysis/figure_text.h"
#include "tests/support/differing_processes.h"
#include "tests/ui/charts/series_named.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/run_table_model.h"
#include "ui/charts/chart_registry.h"

#include <QtTest>

#include <algorithm>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;
using profiling::differingStudy;
using profiling::Study;

namespace {

ChartData build(const char* kind, const ChartInput& input) {
    return buildChart(*findChartKind(QString::fromLatin1(kind)), input);
}

/// The cell of a run's row, as it is shown.
QString shown(const RunTable& table, std::size_t row, const char* key) {
    return table.rows[row][static_cast<std::size_t>(table.column(QString::fromLatin1(key)))].text;
}

} // namespace

class OneFigureTest : public QObject {
    Q_OBJECT
  private slots:
    void threadsShowTheTablesSpeedups() {
        const ChartInput input = analyzeStudies({differingStudy()}, "cpu/openmp?threads=1");
        const RunTable table = buildRunTable(input);
        const ChartData chart = build("threads", input), efficiency = build("efficiency", input);
        const ChartSeries* measured = seriesNamed(chart, "cpu/openmp");
        QVERIFY(measured);
        QCOMPARE(measured->points.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            const ChartPoint& point = measured->points[i];
            const auto& result = input.a->results.runs[i];
            QCOMPARE(QString::fromStdString(profiling::ratioText(point.y)), shown(table, i, "speedup"));
            QVERIFY2(point.detail.contains(shown(table, i, "median_ms")), qPrintable(point.detail));
            QCOMPARE(seriesNamed(efficiency, "cpu/openmp")->points[i].y, point.y / point.x);
            if (i > 0) {
                QCOMPARE(point.interval->low, result.speedup->ci95.low);
                QCOMPARE(point.interval->high, result.speedup->ci95.high);
            }
        }
        QVERIFY2(chart.caption.contains("Student"), qPrintable(chart.caption));
    }

    void barsLinesAndRatesShowTheTablesTimes() {
        const ChartInput one = analyzeStudies({differingStudy()}, "cpu/openmp?threads=1");
        const RunTable oneTable = buildRunTable(one);
        const ChartData bars = build("speedup", one);
        const ChartSeries* four = seriesNamed(bars, "cpu/openmp?threads=4");
        QVERIFY(four);
        QCOMPARE(QString::fromStdString(profiling::ratioText(four->points[0].y)),
                 shown(oneTable, 2, "speedup"));
        const ChartData boxes = build("samples", one);
        QCOMPARE(millisecondsText(boxes.series[1].points[0].y), shown(oneTable, 1, "median_ms"));
        QVERIFY(boxes.caption.contains("Student"));

        const ChartInput sizes = analyzeStudies({differingStudy(true)}, "cpu/openmp?threads=1");
        const RunTable table = buildRunTable(sizes);
        const ChartData times = build("time", sizes), rates = build("throughput", sizes);
        for (std::size_t row = 0; row < 6; ++row) {
            const QString target = shown(table, row, "target");
            const ChartPoint& time = seriesNamed(times, target)->points[row / 3];
            QCOMPARE(millisecondsText(time.y), shown(table, row, "median_ms"));
            QCOMPARE(intervalText(*time.interval), shown(table, row, "median_ci95_ms"));
            QCOMPARE(seriesNamed(rates, target)->points[row / 3].y, 4e6 / (time.y * 1e6));
        }
    }

    void aStudyOfOneProcessSaysNothingOfProcesses() {
        Study study = differingStudy(true);
        for (auto& run : study.runs)
            for (auto& sample : run.samples)
                sample.process = 0;
        for (const char* kind : {"time", "throughput", "threads"})
            QVERIFY(!build(kind, analyzeStudies({study})).caption.contains("Student"));
    }

    void runsWithoutASpeedupAreNoPoints() {
        Study study = differingStudy();
        study.runs[1].status = profiling::StudyRunStatus::Failed;
        const ChartData chart = build("threads", analyzeStudies({study}));
        QCOMPARE(seriesNamed(chart, "cpu/openmp")->points.size(), std::size_t(2));
    }

    /// Compared studies at a point that occurs twice.
    void mediansOfComparedStudiesAreThoseOfTheirOwnRuns() {
        Study study = differingStudy();
        for (std::size_t i = 0; i < 3; ++i) {
            study.runs.push_back(study.runs[i]);
            study.runs.back().run = static_cast<int>(3 + i);
            for (auto& sample : study.runs.back().samples)
                sample.wallMs *= 7;
        }
        const RunTable table = buildRunTable(analyzeStudies({study, study}));
        const RunTable alone = buildRunTable(analyzeStudies({study}));
        for (std::size_t row = 0; row < 6; ++row)
            QCOMPARE(shown(table, row, "median_a_ms"), shown(alone, row, "median_ms"));
    }
};

HETEROSCOPE_UI_TEST(OneFigureTest)
#include "one_figure_test.moc"
