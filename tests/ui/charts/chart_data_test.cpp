// SPDX-License-Identifier: GPL-3.0-or-later
// Charts built from studies: exact values, scales, sentences, and reasons where nothing can be drawn.
#include "profiling/analysis/settling.h"
#include "profiling/analysis/unclear.h"
#include "tests/support/fresh_processes.h"
#include "tests/ui/charts/series_named.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/charts/chart_registry.h"

#include <QtTest>

#include <algorithm>

using namespace heteroscope;
using namespace heteroscope::ui;
using profiling::inThreeProcesses;
using namespace heteroscope::ui::test;

namespace {

ChartData build(const char* kind, std::vector<Study> studies, ChartOptions options = {},
                const std::string& reference = {}) {
    ChartInput input = analyzeStudies(std::move(studies), reference);
    input.options = std::move(options);
    return buildChart(*findChartKind(QString::fromLatin1(kind)), input);
}

/// Two targets at N = 2, 4, 8 with given times of five equal samples.
Study exactStudy(const std::vector<double>& reference, const std::vector<double>& candidate) {
    Study study = studyFrame("exact", poolingExperiment());
    const std::vector<std::pair<std::string, std::vector<double>>> targets = {{"cpu/sequential", reference},
                                                                              {"cpu/openmp", candidate}};
    for (std::size_t i = 0; i < reference.size(); ++i)
        for (const auto& [target, times] : targets) {
            StudyRun run;
            run.run = static_cast<int>(study.runs.size());
            run.target = target;
            run.point = {{"/pooling/input/size", 2 << i}};
            run.status = StudyRunStatus::Ok;
            run.minimumBytes = 1e6;
            for (int s = 0; s < 5; ++s) {
                StudySample sample;
                sample.run = run.run;
                sample.wallMs = times[i];
                run.samples.push_back(sample);
            }
            study.runs.push_back(run);
        }
    return study;
}

} // namespace

class ChartDataTest : public QObject {
    Q_OBJECT
  private slots:
    void idsAreUniqueAndTitled() {
        QSet<QString> ids;
        for (const ChartKind& kind : chartKinds()) {
            QVERIFY2(!ids.contains(kind.id), kind.id);
            ids.insert(kind.id);
            QVERIFY(!chartTitle(kind).isEmpty());
            QVERIFY(findChartKind(kind.id) == &kind);
        }
        QVERIFY(!findChartKind("nothing"));
    }

    void timeChartIsExact() {
        const ChartData chart = build("time", {exactStudy({1, 4, 100}, {2, 3, 5})});
        QVERIFY(chart.drawable());
        QCOMPARE(chart.series.size(), std::size_t(2));
        const ChartSeries* sequential = seriesNamed(chart, "cpu/sequential");
        QVERIFY(sequential);
        QCOMPARE(sequential->points.size(), std::size_t(3));
        QCOMPARE(sequential->points[2].x, 8.0);
        QCOMPARE(sequential->points[2].y, 100.0);
        QCOMPARE(sequential->points[2].interval->low, 100.0);
        QCOMPARE(sequential->points[2].n, std::size_t(5));
        QCOMPARE(chart.y.scale, AxisScale::Log10);
        QVERIFY(chart.y.title.contains("(ms)"));
        QVERIFY(chart.y.title.contains("log scale"));
    }

    void crossoverIsNamed() {
        const ChartData chart = build("time", {exactStudy({1, 4, 100}, {2, 3, 5})});
        QCOMPARE(chart.annotations.size(), std::size_t(1));
        QCOMPARE(chart.annotations[0].text, QString("openmp is faster from N = 4"));
        QVERIFY(chart.annotations[0].x > 2 && chart.annotations[0].x < 4);
        QVERIFY(chart.findings.join(' ').contains("openmp is faster than sequential from N = 4"));
    }

    void fewSamplesClaimNothing() {
        const ChartData chart = build("time", {sweepStudy(1, 3)});
        QVERIFY(chart.annotations.empty());
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points) {
                QVERIFY(!point.interval);
                QVERIFY(!point.quartiles);
                QCOMPARE(point.samples.size(), std::size_t(3));
            }
        QVERIFY(!chart.notes.empty());
        QCOMPARE(chart.notes.front().level, NoteLevel::Warning);
        QVERIFY(chart.notes.front().text.contains("fewer than 5 samples"));
    }

    void fewSamplesOfThreeProcessesHaveAnInterval() {
        Study study = sweepStudy(1, 3);
        for (StudyRun& run : study.runs) {
            int process = 0;
            for (StudySample& sample : run.samples)
                if (!sample.warmup)
                    sample.process = process++;
        }
        const ChartData chart = build("time", {study});
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                QVERIFY(point.interval);
        for (const ChartNote& note : chart.notes)
            QVERIFY2(!note.text.contains("fewer than 5 samples"), qPrintable(note.text));
    }

    void fewSamplesOfTheReferenceGiveNoSpeedupInterval() {
        Study study = onePointStudy(7);
        auto& reference = study.runs[0].samples;
        std::erase_if(reference, [](const StudySample& sample) { return sample.warmup; });
        reference.resize(3);
        const ChartData chart = build("speedup", {study});
        for (const ChartSeries& series : chart.series)
            QVERIFY(!series.points[0].interval);
        QVERIFY(chart.series[1].points[0].detail.contains("(n < 5), UNCLEAR"));
        const ChartData ratio = build("ratio", {study, onePointStudy(7)});
        QVERIFY(!ratio.series[0].points[0].interval);
        QVERIFY(ratio.series[1].points[0].interval);
    }

    void linkedAxesAreNamedByAllTheirParts() {
        Study study = sweepStudy();
        for (StudyRun& run : study.runs)
            run.point = {{"/matmul/m,/matmul/n,/matmul/k", run.point.at("/pooling/input/size")}};
        const ChartData chart = build("time", {study});
        QCOMPARE(chart.x.title, QString("Matrix order, m = n = k, log scale"));
        QVERIFY(chart.caption.contains("against m = n = k:"));
        QVERIFY(chart.findings.first().contains("from m = n = k = "));
        QCOMPARE(pointText({{"/matmul/m,/matmul/k", 16}}), QString("m = k = 16"));
    }

    void powersOfTwoGiveLog2() {
        QCOMPARE(build("time", {sweepStudy()}).x.scale, AxisScale::Log2);
        QVERIFY(build("time", {sweepStudy()}).x.title.contains("N"));
    }

    void speedupLines() {
        const ChartData chart = build("speedup", {exactStudy({1, 4, 100}, {2, 4, 5})});
        QCOMPARE(chart.series.size(), std::size_t(1)); // the reference itself is the line at 1
        QCOMPARE(chart.series[0].points[0].y, 0.5);
        QCOMPARE(chart.series[0].points[2].y, 20.0);
        QCOMPARE(chart.references.size(), std::size_t(1));
        QCOMPARE(chart.references[0].value, 1.0);
        QVERIFY(chart.y.title.contains("sequential"));
    }

    void speedupAgainstAnotherReference() {
        const ChartData chart = build("speedup", {exactStudy({1, 4, 100}, {2, 4, 5})}, {}, "cpu/openmp");
        QCOMPARE(chart.series[0].id, QString("cpu/sequential"));
        QCOMPARE(chart.series[0].points[0].y, 2.0);
        QVERIFY(chart.y.title.contains("openmp"));
    }

    void speedupBarsStandOnAbsoluteTimes() {
        const ChartData chart = build("speedup", {onePointStudy()});
        QCOMPARE(chart.x.scale, AxisScale::Category);
        QCOMPARE(chart.x.categories.size(), 4); // the skipped target has no bar
        QCOMPARE(chart.x.categoryNotes.size(), 4);
        QVERIFY(chart.x.categoryNotes[0].endsWith(" ms"));
        QVERIFY(chart.y.fromZero);
        const ChartSeries* unclear = seriesNamed(chart, "cpu/openmp?threads=1");
        QVERIFY(unclear && unclear->points[0].unclear);
        QVERIFY(unclear->points[0].label.contains("UNCLEAR"));
    }

    /// In the words of the command line's compare.
    void unclearComparisonsHaveAdvice_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("samples");
        QTest::newRow("few, speedup") << "speedup" << 14;
        QTest::newRow("many, speedup") << "speedup" << 120;
        QTest::newRow("few, ratio") << "ratio" << 14;
        QTest::newRow("many, ratio") << "ratio" << 120;
    }
    void unclearComparisonsHaveAdvice() {
        QFETCH(QString, kind);
        QFETCH(int, samples);
        Study b = onePointStudy(samples);
        for (StudyRun& run : b.runs) // overlaps with a, and is not the same
            for (StudySample& sample : run.samples)
                sample.wallMs *= 1 + 0.3 * (sample.sample % 3 - 1);
        std::vector<Study> studies{onePointStudy(samples)};
        if (kind == "ratio")
            studies.push_back(b);
        else
            studies = {b};
        const ChartData chart = build(qPrintable(kind), studies);
        std::vector<profiling::Doubt> doubts;
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                doubts.push_back(point.doubt);
        const QString advice = QString::fromStdString(profiling::unclearAdvice(doubts));
        QVERIFY(!advice.isEmpty());
        const auto says = [&](const ChartNote& note) { return note.text == advice; };
        QVERIFY2(std::any_of(chart.notes.begin(), chart.notes.end(), says), qPrintable(advice));
        QVERIFY(advice.contains("3 fresh processes (preset standard)"));
    }

    /// As the command line says it.
    void unclearComparisonsOfAQuickStudySayHowLongStandardTakes() {
        Study study = onePointStudy();
        study.experiment["sampling"] = {{"preset", "quick"}};
        const ChartData chart = build("speedup", {study});
        const std::string standard =
            profiling::standardPresetText(std::vector{profiling::Doubt::OneProcess}, study);
        QVERIFY(!standard.empty());
        const auto says = [&](const ChartNote& note) {
            return note.text.startsWith("UNCLEAR comparisons:") &&
                   note.text.endsWith(QString::fromStdString(' ' + standard));
        };
        QVERIFY(std::any_of(chart.notes.begin(), chart.notes.end(), says));
    }

    void unclearComparisonsOverProcessesSayHowManyWouldSettleThem() {
        Study study = onePointStudy(30);
        for (StudyRun& run : study.runs) // each process has its own speed
            for (StudySample& sample : run.samples) {
                sample.process = sample.sample % 3;
                sample.wallMs *= 1 + 0.02 * sample.process * (run.run % 2 == 0 ? 1 : -1);
            }
        const auto analyzed = analyzeStudy(study);
        std::vector<Comparison> comparisons;
        for (const auto& result : analyzed->results.runs)
            if (result.speedup)
                comparisons.push_back(*result.speedup);
        const auto settling = profiling::settlingOf(comparisons, profiling::secondsPerProcess(study));
        QVERIFY(settling.settled + settling.open > 0);
        const ChartData chart = build("speedup", {study});
        const QString wanted =
            settling.settled > 0 ? QStringLiteral("As many as %1 processes").arg(settling.processes)
                                 : QStringLiteral("Of %1, not even 100 processes would.").arg(settling.open);
        const auto says = [&](const ChartNote& note) { return note.text.contains(wanted); };
        QVERIFY(std::any_of(chart.notes.begin(), chart.notes.end(), says));
    }

    void hiddenTargetsAreLeftOut() {
        ChartOptions options;
        options.hiddenTargets = {"cpu/openmp"};
        const ChartData chart = build("time", {sweepStudy()}, options);
        QVERIFY(!seriesNamed(chart, "cpu/openmp"));
        QVERIFY(seriesNamed(chart, "cpu/onednn"));
        for (const QString& finding : chart.findings)
            QVERIFY(!finding.contains("openmp"));
    }

    void throughputTurnsIntervalsAround() {
        const ChartData chart = build("throughput", {exactStudy({1, 2, 4}, {1, 1, 1})});
        const ChartSeries* sequential = seriesNamed(chart, "cpu/sequential");
        QCOMPARE(sequential->points[0].y, 1.0); // 1e6 bytes in 1 ms are 1 GB/s
        QCOMPARE(sequential->points[2].y, 0.25);
        QVERIFY(chart.y.title.contains("GB/s"));
        const ChartData noisy = build("throughput", {sweepStudy()});
        for (const ChartPoint& point : noisy.series[0].points)
            QVERIFY(point.interval->low <= point.y && point.y <= point.interval->high);
    }

    void threadsFitAmdahl() {
        const ChartData chart = build("threads", {threadStudy()});
        QVERIFY(chart.drawable());
        const ChartSeries* measured = seriesNamed(chart, "cpu/openmp");
        QVERIFY(measured);
        QCOMPARE(measured->points.size(), std::size_t(5));
        QCOMPARE(measured->points[0].y, 1.0);
        QVERIFY(measured->points[4].y > 5 && measured->points[4].y < 7.5);
        QVERIFY(seriesNamed(chart, "cpu/openmp/amdahl")->derived);
        QVERIFY(chart.findings.first().contains("serial fraction"));
        QCOMPARE(chart.references.front().value, 8.0); // the cores of the synthetic machine
        const ChartData efficiency = build("efficiency", {threadStudy()});
        QCOMPARE(seriesNamed(efficiency, "cpu/openmp")->points[4].y, measured->points[4].y / 8);
    }

    void windowsCountTheirCost() {
        const ChartData chart = build("windows", {windowStudy()});
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        const ChartSeries* sequential = seriesNamed(chart, "cpu/sequential");
        QCOMPARE(sequential->points.front().x, 4.0); // 4 x 4, kernel 2, stride 2
        QCOMPARE(sequential->points.back().x, 65536.0);
        QVERIFY(chart.findings.first().contains("per window"));
    }

    void samplesKeepEverySample() {
        const ChartData chart = build("samples", {onePointStudy(20)});
        QCOMPARE(chart.series[0].points[0].samples.size(), std::size_t(20)); // the two warm-ups are left out
        QCOMPARE(chart.series[0].points[0].outliers.size(), std::size_t(20));
        const ChartData order = build("order", {onePointStudy(20)});
        QCOMPARE(order.series[0].points.size(), std::size_t(20));
        for (std::size_t i = 1; i < order.series[0].points.size(); ++i)
            QVERIFY(order.series[0].points[i].x > order.series[0].points[i - 1].x);
    }

    void comparisonOfTwoStudies() {
        const ChartData chart = build(
            "ratio", {inThreeProcesses(sweepStudy(1.0, 14, 1)), inThreeProcesses(sweepStudy(0.25, 14, 2))});
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        const ChartSeries* openmp = seriesNamed(chart, "cpu/openmp");
        QCOMPARE(openmp->points.size(), std::size_t(11));
        for (const ChartPoint& point : openmp->points) {
            QVERIFY(point.y > 3.6 && point.y < 4.4);
            QVERIFY(!point.unclear);
            QVERIFY(point.detail.contains("FASTER"));
        }
    }

    void comparisonHasNotesAndCaptionOfBothStudies() {
        Study a = inThreeProcesses(sweepStudy(1.0, 14, 1)), b = inThreeProcesses(sweepStudy(0.25, 9, 2));
        b.endStatus = "cancelled";
        b.environment["compiler"] = {{"build_type", "Debug"}, {"debug", true}};
        for (auto& run : a.runs)
            run.outputDigest = "a";
        for (auto& run : b.runs)
            run.outputDigest = run.target == "cpu/openmp" ? "b" : "a";
        const ChartData chart = build("ratio", {a, b});
        const auto at = [&](const QString& text) {
            for (std::size_t i = 0; i < chart.notes.size(); ++i)
                if (chart.notes[i].text.contains(text))
                    return static_cast<int>(i);
            return -1;
        };
        QCOMPARE(at("output differs between A and B: 11"), 0);
        QVERIFY(at("A: Measured with a debug build") < 0);
        QVERIFY(at("B: Measured with a debug build") > 0);
        QVERIFY(at("B: The study ended as \"cancelled\"") > 0);
        QVERIFY2(at("A, B: Tracing overhead") > 0, "what is true of both is said once");
        QVERIFY(at(" B: Tracing overhead") == at("A, B: Tracing overhead"));
        QVERIFY2(chart.caption.contains("A: Median of 14 samples"), qPrintable(chart.caption));
        QVERIFY2(chart.caption.contains("B: Median of 9 samples"), qPrintable(chart.caption));
    }

    void everyKindSaysWhyNot() {
        Study empty = studyFrame("empty", poolingExperiment());
        for (const ChartKind& kind : chartKinds()) {
            const ChartData chart = build(kind.id, {empty});
            QVERIFY2(!chart.drawable(), kind.id);
            QVERIFY2(!chart.advice.isEmpty(), kind.id);
        }
        const ChartData one = build("ratio", {sweepStudy()});
        QVERIFY(one.reason.contains("two studies"));
        QVERIFY(build("time", {onePointStudy()}).reason.contains("axis"));
    }

    void captionNamesMethodAndMachine() {
        const ChartData chart = build("time", {sweepStudy()});
        QVERIFY(chart.caption.contains("95 %"));
        QVERIFY(chart.caption.contains("Example CPU"));
        QVERIFY(chart.caption.contains("14 samples"));
    }

    void notesNameWhatIsDishonest() {
        Study study = onePointStudy();
        study.environment["compiler"] = {{"build_type", "Debug"}, {"debug", true}};
        study.endStatus = "cancelled";
        const ChartData chart = build("speedup", {study});
        QStringList notes;
        for (const ChartNote& note : chart.notes)
            notes << note.text;
        QVERIFY(notes.join(' ').contains("debug build"));
        QVERIFY(notes.join(' ').contains("cancelled"));
    }

    /// "threads=1" stands in "threads=15", too.
    void aParallelReferenceOnOneThreadIsNamedAndNoOther() {
        for (const auto& [target, named] : {std::pair{"cpu/openmp?threads=1", true},
                                            {"cpu/openmp?threads=15", false},
                                            {"cpu/openmp?simd=avx2&threads=1", true}}) {
            Study study = exactStudy({1, 4, 100}, {2, 4, 5});
            for (StudyRun& run : study.runs)
                if (run.target == "cpu/openmp")
                    run.target = target;
            const auto notes = build("speedup", {study}, {}, target).notes;
            const bool says = std::any_of(notes.begin(), notes.end(), [](const ChartNote& note) {
                return note.text.contains("parallel code on one thread");
            });
            QVERIFY2(says == named, target);
        }
    }

    void notesSayWhatAnEarlyEndLeftOut() {
        const auto noted = [](const Study& study, const char* text) {
            const auto notes = build("speedup", {study}).notes;
            return std::any_of(notes.begin(), notes.end(),
                               [text](const ChartNote& note) { return note.text.contains(text); });
        };
        Study study = onePointStudy();
        study.endStatus = "failed";
        QVERIFY(noted(study, "ended as \"failed\"."));
        study.experiment["sampling"] = {{"preset", "thesis"}};
        QVERIFY(noted(study, "no run is missing, but samples of later processes are"));
        QVERIFY(!noted(study, "later runs"));
        QVERIFY(noted(inThreeProcesses(study), "ended as \"failed\"."));
        study.runs[3].status = StudyRunStatus::Planned;
        study.runs[3].samples.clear();
        QVERIFY(noted(study, "later runs are missing"));
        study.endStatus = "done";
        QVERIFY(!noted(study, "ended as"));
    }

    void damagedPointsDoNotThrow() {
        Study study = windowStudy();
        for (StudyRun& run : study.runs)
            run.point = {{"no/slash~2", "x"}, {"/pooling/input/size", Json::array({1, 2, 3})}};
        for (const ChartKind& kind : chartKinds())
            QVERIFY(!kind.comparison ? !build(kind.id, {study}).kind.isNull() : true);
    }

    /// Only a study that goes on may get results.
    void waitingIsAdvisedWhereResultsMayCome() {
        Study study = exactStudy({1}, {1});
        for (StudyRun& run : study.runs)
            run.samples.clear();
        ChartInput input = analyzeStudies({study});
        for (const bool live : {true, false}) {
            input.live = live;
            const ChartData chart = buildChart(*findChartKind("time"), input);
            QVERIFY(!chart.drawable());
            QCOMPARE(chart.advice.contains("Wait"), live);
            QCOMPARE(chart.reason.contains("yet"), live);
        }
    }
};

HETEROSCOPE_UI_TEST(ChartDataTest)
#include "chart_data_test.moc"
