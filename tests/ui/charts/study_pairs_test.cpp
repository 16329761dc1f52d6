// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of studies that took turns, as mode Analyze shows them.
#include "profiling/analysis/run_phrase.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_registry.h"
#include "ui/common/format.h"
#include "ui/common/language.h"
#include "ui/common/phrase_text.h"

#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

/// One run; the i-th study starts i seconds after the first.
Study takingTurns(int i, int batch, double ms) {
    Study study = studyFrame(i % 2 == 0 ? "before" : "after", {{"kind", "pooling"}, {"batch", batch}});
    study.id += QString::number(i).toStdString();
    study.startedUtc = "2026-01-01T00:00:0" + QString::number(i).toStdString() + "Z";
    study.clockNs = i * 1'000'000'000LL;
    std::mt19937 random(static_cast<unsigned>(i));
    std::int64_t clockNs = study.clockNs;
    StudyRun run;
    run.target = "cpu/openmp";
    run.status = StudyRunStatus::Ok;
    addSamples(run, ms, 0.002, 12, random, clockNs);
    study.runs.push_back(std::move(run));
    return study;
}

/// B takes 8 % less; `batches` of A and B in the order of time.
std::vector<Study> studies(const std::vector<int>& batches) {
    std::vector<Study> all;
    for (std::size_t i = 0; i < batches.size(); ++i)
        all.push_back(takingTurns(static_cast<int>(i), batches[i], batches[i] == 1 ? 10 : 9.2));
    return all;
}

} // namespace

class StudyPairsTest : public QObject {
    Q_OBJECT
  private slots:
    void thatTookTurnsHaveAVerdict() {
        std::vector<Study> given = studies({1, 2, 1, 2, 1, 2});
        std::swap(given[0], given[3]); // selected in any order
        const ChartInput input = analyzeStudies(std::move(given));
        QVERIFY(input.comparison && input.refusal.isEmpty());
        QCOMPARE(input.furtherPairs.size(), std::size_t(4));
        QVERIFY2(input.headline.contains("B against A, of 1 runs: 1 faster") &&
                     input.headline.contains("geometric mean of 3 pairs of studies that took turns"),
                 qPrintable(input.headline));

        const RunTable table = buildRunTable(input);
        QCOMPARE(table.rows.size(), std::size_t(1));
        const auto cell = [&](const char* key) {
            return table.rows[0][static_cast<std::size_t>(table.column(QLatin1String(key)))];
        };
        QCOMPARE(cell("pairs").value.toInt(), 3);
        QCOMPARE(cell("verdict").value.toString(), QStringLiteral("FASTER"));
        const Interval ci98 = input.comparison->runs[0].comparison->ci98;
        QCOMPARE(cell("speedup_ci98").value.toDouble(), ci98.low);
        QCOMPARE(cell("speedup_ci98").high.toDouble(), ci98.high);
        QVERIFY(cell("speedup_ci95").value.toDouble() > ci98.low);
        QVERIFY(runTableToCsv(table).contains("speedup_ci98_low,speedup_ci98_high,verdict,n_a,n_b,pairs"));

        const ChartData chart = buildChart(*findChartKind(QStringLiteral("ratio")), input);
        QVERIFY(chart.drawable());
        QCOMPARE(chart.title, QStringLiteral("Comparison of pairs of studies"));
        QVERIFY2(chart.caption.contains("Pairs of studies A1 (before (synthetic), 2026-01-01T00:00:00Z), B1 "
                                        "(after (synthetic), 2026-01-01T00:00:01Z), A2"),
                 qPrintable(chart.caption));
    }

    void sayWhatIsTrueOfAllOnceAndTheRestByStudy() {
        std::vector<Study> given = studies({1, 2, 1, 2, 1, 2});
        for (Study& study : given)
            study.environment["governor"] = "powersave";
        given[2].environment["governor"] = "performance"; // A2
        given[3].endStatus = "cancelled";                 // B2
        given[3].environment["governor"] = "schedutil";
        const ChartData chart =
            buildChart(*findChartKind(QStringLiteral("ratio")), analyzeStudies(std::move(given)));
        QStringList notes;
        for (const ChartNote& note : chart.notes)
            notes << note.text;
        const QString text = notes.join(QLatin1Char('\n'));
        QVERIFY2(text.contains("\nAll 6 studies: Tracing overhead: not measured"), qPrintable(text));
        QVERIFY2(text.contains("A1, B1, A3, B3: Machine: governor powersave"), qPrintable(text));
        QVERIFY2(text.contains("A2: Machine: governor performance"), qPrintable(text));
        QVERIFY2(text.startsWith("B2: The study ended as \"cancelled\""), qPrintable(text));
        QVERIFY2(notes.indexOf(QRegularExpression("^A2: .*")) > notes.indexOf(QRegularExpression("^A1, .*")),
                 qPrintable(text));
        for (const char* letter : {"A2: ", "B2: "}) {
            int own = 0; // information; a warning is a note of its own
            for (const ChartNote& note : chart.notes)
                own += note.level == NoteLevel::Info && note.text.startsWith(QLatin1String(letter));
            QCOMPARE(own, 1);
        }
    }

    void thatTookNoTurnsSaySo() {
        std::vector<Study> given = studies({1, 2, 1, 2, 1, 2});
        given[1].runs[0].samples.back().startNs += 3'000'000'000; // into the second pair
        const ChartInput input = analyzeStudies(std::move(given));
        QVERIFY2(input.headline.contains("1 unclear") && input.headline.contains("did not take turns"),
                 qPrintable(input.headline));
        const ChartData chart = buildChart(*findChartKind(QStringLiteral("ratio")), input);
        QVERIFY2(chart.caption.contains("did not take turns"), qPrintable(chart.caption));
    }

    void ofHiddenTargetsAreInNeitherHeadlineNorTable() {
        ChartInput input = analyzeStudies({sweepStudy(1, 14, 1), sweepStudy(0.5, 14, 2)});
        QVERIFY2(input.headline.contains("of 33 runs"), qPrintable(input.headline));
        QCOMPARE(headlineText(input), input.headline);
        input.options.hiddenTargets = {"cpu/openmp"};
        QVERIFY2(headlineText(input).contains("of 22 runs: 0 faster") &&
                     headlineText(input).endsWith("Hidden targets are left out."),
                 qPrintable(headlineText(input)));
        QCOMPARE(buildRunTable(input).rows.size(), std::size_t(22));
        input.options.hiddenTargets = {"cpu/openmp", "cpu/onednn", "cpu/sequential"};
        QCOMPARE(headlineText(input), QStringLiteral("Every target is hidden."));
    }

    void headlineFollowsTheTargetsShown() {
        AnalyzeView view;
        view.resize(1280, 800);
        view.show();
        view.showStudies({sweepStudy(1, 14, 1), sweepStudy(0.5, 14, 2)});
        const auto* headline = view.findChild<QLabel*>("analyzeHeadline");
        QTRY_VERIFY2(headline->text().contains("of 33 runs"), qPrintable(headline->text()));
        auto* targets = view.findChild<QListWidget*>("targetList");
        for (int row = 0; row < targets->count(); ++row)
            if (targets->item(row)->data(Qt::UserRole).toString() == "cpu/openmp")
                targets->item(row)->setCheckState(Qt::Unchecked);
        QVERIFY2(headline->text().contains("of 22 runs"), qPrintable(headline->text()));
    }

    void inSpanishNothingIsLeftInEnglish() {
        applyLanguage(QStringLiteral("es"));
        Study b = sweepStudy(0.5, 9, 2);
        b.experiment["pooling"]["padding"] = 7;
        const ChartInput input = analyzeStudies({sweepStudy(1, 14, 1), b});
        const ChartData chart = buildChart(*findChartKind(QStringLiteral("ratio")), input);
        QStringList notes;
        for (const ChartNote& note : chart.notes)
            notes << note.text;
        const QString text = notes.join(QLatin1Char('\n'));
        QVERIFY2(text.contains("Difiere: experimento /pooling/padding: ") && text.contains(" frente a 7"),
                 qPrintable(text));
        QVERIFY2(!text.contains(" against "), qPrintable(text));
        QVERIFY2(input.headline.contains("inciertas") && !input.headline.contains("poco claras"),
                 qPrintable(input.headline));
        const QString alone = analyzeStudies({sweepStudy(1, 14, 1)}).headline;
        QVERIFY2(alone.contains(QStringLiteral(" con tamaño 4\u00a0096")), qPrintable(alone));
        QCOMPARE(phraseText(profiling::runPhrase(b.runs[0])), QStringLiteral("cpu/sequential, tamaño=4"));
        Study skipped = onePointStudy();
        skipped.runs[1].samples.clear();
        skipped.runs[1].status = StudyRunStatus::Skipped;
        skipped.runs[1].reason = "target '" + skipped.runs[1].target +
                                 "': device 'cpu' cannot be used: no NVIDIA driver found (libcuda.so.1 is "
                                 "not there)";
        const QString missing = analyzeStudies({skipped}).headline;
        QVERIFY2(
            missing.contains(QString::fromStdString("(" + skipped.runs[1].target + ": el dispositivo")) &&
                missing.contains("no se encuentra el controlador de NVIDIA"),
            qPrintable(missing));
        QCOMPARE(formatPoint({{"/pooling/input/batch", 64}, {"/pooling/kernel", 3}}),
                 QStringLiteral("lote = 64, k = 3"));
        profiling::RunLayerTimes run;
        run.tracingOverheadPercent = 1.2;
        QCOMPARE(phraseText(profiling::tracingCostText(run)),
                 QStringLiteral("las muestras con traza tardaron un 1.2 % más que las sin traza"));
        applyLanguage(QStringLiteral("en"));
    }

    void thatDoNotAlternateAreRefusedWithWhatToDo() {
        AnalyzeView view;
        view.resize(1280, 800);
        view.show();
        view.showStudies(studies({1, 2, 2, 2, 1, 1}));
        QTRY_VERIFY(!view.isBusy());
        QStringList shown;
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->isVisible())
                shown << label->text();
        const QString text = shown.join(QLatin1Char('\n'));
        QVERIFY2(text.contains("These runs cannot be compared") && text.contains("runs 3 and 4 are of one") &&
                     text.contains("measure A and B again by turns"),
                 qPrintable(text));
        QVERIFY(analyzeStudies(studies({1, 2, 1})).refusal.contains("3 runs are neither two"));
    }
};

HETEROSCOPE_UI_TEST(StudyPairsTest)
#include "study_pairs_test.moc"
