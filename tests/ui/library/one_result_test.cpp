// SPDX-License-Identifier: GPL-3.0-or-later
// Headline, charts of one point, table and library speak of the same point, reference and figure.
#include "profiling/analysis/main_result.h"
#include "tests/ui/charts/run_file.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_registry.h"
#include "ui/common/format.h"
#include "ui/library/library_entry.h"

#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// The largest size comes first, and the largest speedup is at the smallest one.
profiling::Study descendingSweep() {
    profiling::Study study = test::studyFrame("descending", {{"kind", "pooling"}});
    std::mt19937 random(7);
    std::int64_t clockNs = 0;
    for (const auto& [size, sequentialMs, openmpMs] :
         {std::tuple(1024, 24.6, 2.0), std::tuple(64, 30.0, 1.0)})
        for (const auto& [target, ms] :
             {std::pair("cpu/sequential", sequentialMs), std::pair("cpu/openmp", openmpMs)}) {
            profiling::StudyRun run;
            run.run = static_cast<int>(study.runs.size());
            run.target = target;
            run.point = {{"/pooling/input/size", size}};
            run.status = profiling::StudyRunStatus::Ok;
            test::addSamples(run, ms, 0.002, 12, random, clockNs);
            study.runs.push_back(std::move(run));
        }
    return study;
}

} // namespace

class OneResultTest : public QObject {
    Q_OBJECT
  private slots:
    void isAskedForByAll() {
        const profiling::Study study = descendingSweep();
        const ChartInput input = analyzeStudies({study});
        const auto main = profiling::mainResult(input.a->study, input.a->results);
        QVERIFY(main && main->reference);
        QCOMPARE(main->point().at("/pooling/input/size").get<int>(), 1024);
        const QString ratio = significant(main->result->speedup->ratio) + QStringLiteral("\u00d7");

        QVERIFY2(input.headline.contains(QStringLiteral("cpu/openmp is %1 faster than cpu/sequential at size "
                                                        "1\u00a0024, the largest of 2 points")
                                             .arg(ratio)),
                 qPrintable(input.headline));
        QCOMPARE(chosenPoint(input), main->point().dump());
        const ChartData samples = buildChart(*findChartKind(QStringLiteral("samples")), input);
        QVERIFY(samples.drawable());
        QVERIFY2(samples.caption.contains(QStringLiteral("1\u00a0024")) ||
                     samples.x.title.contains("1\u00a0024"),
                 qPrintable(samples.x.title + samples.caption));

        const RunTable table = buildRunTable(input);
        const auto speedup = static_cast<std::size_t>(table.column(QStringLiteral("speedup")));
        QCOMPARE(table.rows[1][speedup].text, ratio);

        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.hscope"));
        test::writeRunFile(path, study);
        const LibraryEntry entry = summarizeRunFile(path);
        QCOMPARE(formatSpeedup(entry.bestSpeedup), ratio);
        QCOMPARE(entry.bestTarget, QStringLiteral("cpu/openmp"));
        QCOMPARE(entry.bestPoint, QStringLiteral("{\"/pooling/input/size\":1024}"));
    }

    void isAnotherPointOnlyWhereNothingIsShownAtIt() {
        profiling::Study study = descendingSweep();
        ChartInput input = analyzeStudies({study});
        input.options.point = R"({"/pooling/input/size":64})";
        QCOMPARE(chosenPoint(input), input.options.point);
        for (std::size_t run : {0u, 1u})
            study.runs[run].samples.clear();
        const ChartInput smaller = analyzeStudies({study});
        QCOMPARE(chosenPoint(smaller), std::string(R"({"/pooling/input/size":64})"));
    }
};

HETEROSCOPE_UI_TEST(OneResultTest)
#include "one_result_test.moc"
