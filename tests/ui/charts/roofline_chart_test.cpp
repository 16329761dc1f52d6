// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline chart of the recorded GPU runs: roofs with their figures, an op's marker where its figures put
// it, names that cover nothing, every export format, and what is said when there is nothing to draw.
#include "profiling/stream/stream_reader.h"
#include "tests/ui/charts/series_named.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/analyze_view.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/figure_labels.h"
#include "ui/charts/text_export.h"

#include <QLabel>
#include <QListWidget>
#include <QtTest>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

ChartInput recorded(const char* name) {
    auto file = profiling::readRunFile(
        (QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/") + QLatin1String(name)).toStdString());
    if (!file)
        qFatal("cannot read %s", name);
    ChartInput input = analyzeStudies({file->study});
    input.roofline = std::make_shared<const profiling::Roofline>(
        profiling::roofline(*file->trace, file->study, profiling::deviceWork(*file->trace)));
    return input;
}

ChartData rooflineOf(const ChartInput& input) {
    return buildChart(*findChartKind(QStringLiteral("roofline")), input);
}

FigureRequest request(QSizeF millimetres) {
    FigureRequest request;
    request.style = FigureStyle::print(96);
    request.size = millimetres / 25.4 * 96;
    return request;
}

} // namespace

class RooflineChartTest : public QObject {
    Q_OBJECT
  private slots:
    void targetsStandInTheStudysOrderBeforeTheRoofs() {
        const ChartInput forward = recorded("matmul_ladder_h100.hscope");
        profiling::Study study = forward.a->study;
        std::stable_sort(study.runs.begin(), study.runs.end(),
                         [](const auto& a, const auto& b) { return a.target > b.target; });
        for (std::size_t i = 0; i < study.runs.size(); ++i)
            study.runs[i].run = static_cast<int>(i);
        ChartInput input = analyzeStudies({study});
        input.roofline = forward.roofline;
        const std::vector<std::string> targets = studyTargets(input.a->study);
        QVERIFY(targets.size() > 1 && !std::is_sorted(targets.begin(), targets.end()));
        QStringList expected, shown;
        for (const std::string& target : targets)
            if (seriesNamed(rooflineOf(input), QString::fromStdString(target)) != nullptr)
                expected << QString::fromStdString(target);
        const ChartData chart = rooflineOf(input);
        for (const ChartSeries& series : chart.series)
            if (series.partOf.isEmpty())
                shown << series.id;
        QCOMPARE(shown.mid(0, expected.size()), expected);
        for (const QString& later : shown.mid(expected.size()))
            QVERIFY2(later.endsWith(" roof"), qPrintable(later));
    }

    void opsLieWhereTheirFiguresPutThem() {
        const ChartInput input = recorded("matmul_ladder_h100.hscope");
        const ChartData chart = rooflineOf(input);
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        QCOMPARE(chart.x.scale, AxisScale::Log10);
        QCOMPARE(chart.y.scale, AxisScale::Log10);
        std::size_t markers = 0;
        for (const profiling::RooflineOp& op : input.roofline->ops) {
            const ChartSeries* series = seriesNamed(chart, QString::fromStdString(op.target));
            QVERIFY(series != nullptr);
            const auto at =
                std::find_if(series->points.begin(), series->points.end(), [&](const auto& point) {
                    return point.x == op.intensity() && point.y == op.flopsPerS(op.time.medianNs);
                });
            QVERIFY2(at != series->points.end(), op.detail.c_str());
            QVERIFY(at->quartiles->low <= at->y && at->y <= at->quartiles->high);
            QCOMPARE(at->n, op.time.count);
            ++markers;
        }
        QCOMPARE(markers, std::size_t(18)); // six targets, three sizes
    }

    void labelsTellOpsFromOneAnother() {
        ChartInput input = recorded("matmul_ladder_h100.hscope");
        const auto labels = [&input](const std::vector<std::string>& ops) {
            profiling::Roofline roofline = *input.roofline;
            std::erase_if(roofline.ops, [](const auto& op) { return op.target != "cuda:0/cublas"; });
            for (std::size_t i = 0; i < roofline.ops.size(); ++i)
                roofline.ops[i].op = ops[i % ops.size()];
            input.roofline = std::make_shared<const profiling::Roofline>(roofline);
            const ChartData chart = rooflineOf(input);
            QStringList found;
            for (const ChartPoint& point : chart.series.front().points)
                if (!point.label.isEmpty())
                    found << point.label;
            found.sort();
            return found;
        };
        QCOMPARE(labels({"gemm.forward"}), QStringList({"cuda:0 cublas"}));
        QCOMPARE(labels({"maxpool.forward", "maxpool.backward"}),
                 QStringList({"cuda:0 cublas, backward", "cuda:0 cublas, forward"}));
        QCOMPARE(labels({"conv2d.forward", "dense.forward", "conv2d.data"}),
                 QStringList({"cuda:0 cublas, conv2d.data", "cuda:0 cublas, conv2d.forward",
                              "cuda:0 cublas, dense.forward"}));
    }

    void roofsMeetAndSayTheirFigures() {
        const ChartData chart = rooflineOf(recorded("matmul_ladder_h100.hscope"));
        const ChartSeries* memory = seriesNamed(chart, QStringLiteral("cuda:0/memory roof"));
        const ChartSeries* fp32 = seriesNamed(chart, QStringLiteral("cuda:0/fp32 roof"));
        QVERIFY(memory != nullptr && fp32 != nullptr);
        const ChartPoint &end = memory->points.back(), &start = fp32->points.front();
        QVERIFY(qAbs(end.x / start.x - 1) < 1e-9 && qAbs(end.y / start.y - 1) < 1e-9);
        QCOMPARE(memory->points[1].label, QStringLiteral("memory 3.35 TB/s"));
        QCOMPARE(fp32->points[1].label, QStringLiteral("fp32 66.9 TFLOP/s"));
        QVERIFY(chart.caption.contains(QStringLiteral("1980 MHz")));
        QVERIFY(chart.caption.contains(QStringLiteral("NVIDIA H100")));
        for (const ChartNote& note : chart.notes) // its times are of traced samples
            QVERIFY2(!note.text.contains(QStringLiteral("untraced")), qPrintable(note.text));
    }

    void namesCoverNeitherMarkersNorEachOther_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QSizeF>("millimetres");
        for (const char* file : {"matmul_ladder_h100.hscope", "pooling_sweep_h100.hscope"})
            for (const QSizeF size : {QSizeF(174, 100), QSizeF(84, 60), QSizeF(300, 180)})
                QTest::addRow("%s %g", file, size.width()) << QString::fromLatin1(file) << size;
    }
    void namesCoverNeitherMarkersNorEachOther() {
        QFETCH(QString, file);
        QFETCH(QSizeF, millimetres);
        const ChartData chart = rooflineOf(recorded(qPrintable(file)));
        const FigureRequest asked = request(millimetres);
        const FigureLayout layout = layoutFigure(chart, asked);
        const auto labels = placeLabels(chart, asked, layout);
        if (millimetres.width() > 100) // a name each; the smallest figure has room for some
            QVERIFY(labels.size() >= 4);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            QVERIFY2(layout.plot.adjusted(-1, -1, 1, 1).contains(labels[i].rect), qPrintable(labels[i].text));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!labels[i].rect.intersects(labels[j].rect), qPrintable(labels[i].text));
            for (const ChartSeries& series : chart.series)
                for (const ChartPoint& point : series.points)
                    QVERIFY2(!labels[i].rect.contains(layout.point(point.x, point.y)),
                             qPrintable(labels[i].text));
        }
    }

    void whatTheDeviceCountedGoesWithItsTarget() {
        ChartInput input = recorded("matmul_ladder_h100.hscope");
        auto roofline = *input.roofline;
        std::size_t counted = 0;
        for (profiling::RooflineOp& op : roofline.ops) {
            op.measured = profiling::MeasuredWork{};
            op.measured->timeNs = 1e6;
            op.measured->flops = 1e9;
            op.measured->dramBytes = 1e8;
            ++counted;
        }
        QVERIFY(counted > 1);
        input.roofline = std::make_shared<const profiling::Roofline>(roofline);
        const ChartData chart = rooflineOf(input);
        const FigureLayout layout = layoutFigure(chart, request({160, 110}));
        QVERIFY(chart.series.size() > layout.legend.size());
        for (const LegendEntry& entry : layout.legend)
            QVERIFY(chart.series[static_cast<std::size_t>(entry.series)].partOf.isEmpty());
        QVERIFY(chart.caption.contains("hollow marks: as the device counted"));
        const auto part = std::find_if(chart.series.begin(), chart.series.end(),
                                       [](const ChartSeries& series) { return !series.partOf.isEmpty(); });
        QVERIFY(part != chart.series.end());
        QVERIFY(seriesNamed(chart, part->partOf) != nullptr);
        const QString all = QString::fromUtf8(chartToPgfplots(chart, {160, 110}, {}));
        QVERIFY(!all.contains("addlegendentry{" + part->name));
        const QString without = QString::fromUtf8(chartToPgfplots(chart, {160, 110}, {part->partOf}));
        QCOMPARE(all.count("addlegendentry") - without.count("addlegendentry"), 1);
    }

    void everyFormatIsWritten() {
        const ChartData chart = rooflineOf(recorded("pooling_sweep_h100.hscope"));
        for (const ExportFormatInfo& info : exportFormats()) {
            QString error;
            QVERIFY2(!renderChart(chart, info.format, {}, &error).isEmpty(), qPrintable(error));
        }
        const QString csv = QString::fromUtf8(chartToCsv(chart));
        QVERIFY(csv.contains(QStringLiteral("maxpool.forward")));
        QVERIFY(csv.contains(QStringLiteral("cuda:0/cudnn")));
        const QString latex = QString::fromUtf8(chartToPgfplots(chart, {120, 80}, {}));
        QVERIFY(latex.contains(QStringLiteral("memory 3.35 TB/s")));
        QVERIFY(latex.contains(QStringLiteral("xmode=log")));
    }

    void hiddenTargetsAreLeftOut() {
        ChartInput input = recorded("matmul_ladder_h100.hscope");
        input.options.hiddenTargets = {QStringLiteral("cuda:0/cublas")};
        const ChartData chart = rooflineOf(input);
        QVERIFY(seriesNamed(chart, QStringLiteral("cuda:0/cublas")) == nullptr);
        QVERIFY(seriesNamed(chart, QStringLiteral("cpu/openmp?threads=8")) != nullptr);
    }

    void whatIsMissingIsSaid() {
        ChartInput input = analyzeStudies({ui::test::sweepStudy()});
        QVERIFY(rooflineOf(input).reason.contains(QStringLiteral("not been read")));
        input.roofline = std::make_shared<const profiling::Roofline>();
        QVERIFY(rooflineOf(input).reason.contains(QStringLiteral("holds no operation")));
        QVERIFY(rooflineOf(input).advice.contains(QStringLiteral("tracing on")));
        profiling::RooflineOp op;
        op.time.count = 1;
        op.time.medianNs = 5;
        auto without = std::make_shared<profiling::Roofline>();
        without->ops = {op}; // neither bytes nor operations
        input.roofline = without;
        QVERIFY(rooflineOf(input).reason.contains(QStringLiteral("how many bytes")));
    }

    void theWindowDrawsItWhenTheRecordingIsRead() {
        const auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.resize(1100, 700);
        view.show();
        view.setSessions({session});
        session->openFile(
            QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/matmul_ladder_h100.hscope"));
        view.selectChart(QStringLiteral("roofline"));
        const auto* findings = view.findChild<QLabel*>(QStringLiteral("chartFindings"));
        QTRY_VERIFY_WITH_TIMEOUT(findings->text().contains(QStringLiteral("66.9 TFLOP/s")), 30000);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.selectedChart(), QStringLiteral("roofline"));
    }
};

HETEROSCOPE_UI_TEST(RooflineChartTest)
#include "roofline_chart_test.moc"
