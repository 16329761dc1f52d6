// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of networks: layers with the targets side by side, their table, models by target, and time against
// parameters; in every export format, and what is said when there is nothing to draw.
#include "tests/ui/charts/layer_study.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/chart_page.h"
#include "ui/analyze/layer_table.h"
#include "ui/analyze/options_panel.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/figure_marks.h"
#include "ui/charts/text_export.h"
#include "ui/common/language.h"
#include "ui/common/theme.h"

#include <QComboBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

class LayersChartTest : public QObject {
    Q_OBJECT

    static ChartData build(const char* id, const ChartInput& input) {
        return buildChart(*findChartKind(QLatin1String(id)), input);
    }

    static void exportEverywhere(const ChartData& chart) {
        for (const ExportFormatInfo& format : exportFormats()) {
            QString error;
            QVERIFY2(!renderChart(chart, format.format, {}, &error).isEmpty(), qPrintable(error));
        }
    }

    static void picture(const ChartData& chart, const QString& name, QWidget* below = nullptr) {
        if (pictureFolder().isEmpty())
            return;
        QWidget page;
        auto* column = new QVBoxLayout(&page);
        auto* shown = new ChartPage;
        column->addWidget(shown, 3);
        if (below != nullptr)
            column->addWidget(below, 2);
        page.resize(900, below != nullptr ? 760 : 560);
        shown->setChart(chart);
        page.show();
        keepLightAndDark(page, name);
        if (below != nullptr)
            below->setParent(nullptr);
    }

  private slots:
    void initTestCase() { Theme::instance().apply(ColorScheme::Light); }

    void layersStandSideBySide() {
        const ChartInput input = layersInput();
        const ChartData chart = build("layers", input);
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        QCOMPARE(chart.series.size(), std::size_t{4});
        QCOMPARE(chart.x.categories.size(), 16); // eight layers, both directions
        QCOMPARE(chart.x.categoryNotes[0], QString("fwd."));
        FigureRequest request;
        request.style = FigureStyle::print(96);
        request.size = {900, 500};
        const FigureLayout layout = layoutFigure(chart, request);
        QCOMPARE(layout.legend.size(), std::size_t{4});
        for (int layer = 0; layer < 16; ++layer)
            for (std::size_t s = 1; s < chart.series.size(); ++s) {
                const auto at = static_cast<std::size_t>(layer);
                const QRectF left = barRect(chart.series[s - 1], chart.series[s - 1].points[at], layout);
                const QRectF right = barRect(chart.series[s], chart.series[s].points[at], layout);
                QVERIFY(left.right() <= right.left() + 0.01);
                QCOMPARE(categoryOf(chart.series[s].points[at]), layer);
                QVERIFY(chart.series[s].points[at].interval.has_value());
            }
        exportEverywhere(chart);
        QVERIFY(chartToPgfplots(chart, {84, 60}, {}).contains("\\addlegendentry"));
        picture(chart, "layers-chart");
    }

    void namesWiderThanTheirSlotsAreTurned() {
        const ChartData chart = build("layers", layersInput());
        FigureRequest request;
        request.style = FigureStyle::print(96);
        request.size = {2400, 500};
        const FigureLayout wide = layoutFigure(chart, request);
        QVERIFY(!wide.uprightCategories);
        request.size = {500, 500};
        const FigureLayout narrow = layoutFigure(chart, request);
        QVERIFY(narrow.uprightCategories);
        QVERIFY(narrow.xTitle.top() - narrow.plot.bottom() > wide.xTitle.top() - wide.plot.bottom());
        QVERIFY(chartToPgfplots(chart, {84, 60}, {}).contains("rotate=90"));
        QVERIFY(!chartToPgfplots(chart, {300, 60}, {}).contains("rotate=90"));
    }

    void filtersChooseLayersAndDirection() {
        ChartInput input = layersInput();
        input.options.layerType = "convolution";
        input.options.layerPhase = profiling::LayerPhase::Backward;
        const ChartData chart = build("layers", input);
        QCOMPARE(chart.x.categories, (QStringList{"conv1", "conv2"}));
        QCOMPARE(chart.x.categoryNotes, (QStringList{"backward", "backward"}));
        input.options.layerType = "pooling";
        QCOMPARE(build("layers", input).x.categories, (QStringList{"pool1", "pool2"}));
        input.options.hiddenTargets = {"cpu/sequential", "cpu/openmp"};
        QCOMPARE(build("layers", input).series.size(), std::size_t{2});
        input.options.layerType = "batchnorm";
        QVERIFY(build("layers", input).reason.contains("No layer"));
    }

    void targetsWithoutKernelsSayWhy() {
        ChartInput input = layersInput();
        auto layers = *input.layers;
        layers[3].layers.clear();
        layers[3].reason = std::string("the recording holds no kernels");
        input.layers = std::make_shared<const std::vector<profiling::RunLayerTimes>>(layers);
        const ChartData chart = build("layers", input);
        QCOMPARE(chart.series.size(), std::size_t{3});
        QStringList notes;
        for (const ChartNote& note : chart.notes)
            notes << note.text;
        QVERIFY2(notes.join('\n').contains("cuda:0/cudnn has no times of layers"),
                 qPrintable(notes.join('\n')));
        QVERIFY(notes.join('\n').contains("traced samples took 1.4 % more"));
    }

    void theReasonIsSaidInTheLanguage() {
        applyLanguage("es");
        ChartInput input = layersInput();
        auto layers = *input.layers;
        layers[3].layers.clear();
        layers[3].reason = profiling::say("the recording holds no kernels that its layers launched, and the "
                                          "host's spans tell only of submitting work");
        input.layers = std::make_shared<const std::vector<profiling::RunLayerTimes>>(layers);
        QStringList notes;
        for (const ChartNote& note : build("layers", input).notes)
            notes << note.text;
        applyLanguage("en");
        QVERIFY2(notes.join('\n').contains("la grabación no contiene kernels lanzados por sus capas, y los "
                                           "tramos del anfitrión solo dicen cuándo se envió trabajo."),
                 qPrintable(notes.join('\n')));
    }

    void withoutATimelineItSaysSo() {
        ChartInput input = layersInput();
        input.layers.reset();
        QVERIFY(build("layers", input).reason.contains("has not been read"));
        input.layers = std::make_shared<const std::vector<profiling::RunLayerTimes>>();
        QVERIFY(build("layers", input).reason.contains("holds no layers"));
    }

    void theTableComparesWithTheReference() {
        const ChartInput input = layersInput();
        LayerTable table;
        table.setInput(input);
        auto* tree = table.findChild<QTreeWidget*>("layerTable");
        QVERIFY(!tree->accessibleName().isEmpty());
        QCOMPARE(tree->topLevelItemCount(), 8);
        QCOMPARE(tree->columnCount(), 2 + 4 * 2);
        const QTreeWidgetItem* conv = tree->topLevelItem(0);
        QCOMPARE(conv->text(0), QString("conv1"));
        QVERIFY(!conv->text(2).contains(QStringLiteral("×"))); // the reference itself
        QVERIFY2(conv->text(4).endsWith(QStringLiteral("4.00×")), qPrintable(conv->text(4)));
        QVERIFY(conv->data(3, CellBarDelegate::kShareRole).toDouble() >
                conv->data(2, CellBarDelegate::kShareRole).toDouble());
        picture(build("layers", input), "layers-page", &table);
    }

    void choicesAboutLayersAreThereForThemAlone() {
        OptionsPanel options;
        options.show();
        const ChartInput input = layersInput();
        options.setStudy(*input.a);
        options.setLayers(input.layers.get());
        auto* type = options.findChild<QComboBox*>("layerTypeChoice");
        QVERIFY(!type->isVisible());
        options.setLayersShown(true);
        QVERIFY(type->isVisible() && !type->accessibleName().isEmpty());
        QCOMPARE(type->count(), 4); // all, convolution, pooling, dense
        type->setFocus();
        QTest::keyClick(type, Qt::Key_Down);
        QCOMPARE(options.options().layerType, QString("convolution"));
    }

    void modelsAreGroupedByTarget() {
        const ChartData chart = build("models", analyzeStudies({modelsStudy()}));
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        QCOMPARE(chart.series.size(), std::size_t{4});
        QCOMPARE(chart.x.categories, (QStringList{"Model 0", "Model 1", "Model 2"}));
        QVERIFY2(chart.x.categoryNotes[0].contains("parameters"), qPrintable(chart.x.categoryNotes[0]));
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                QVERIFY(point.interval.has_value());
        exportEverywhere(chart);
        picture(chart, "models-chart");
    }

    void timeStandsAgainstParameters() {
        const ChartData chart = build("parameters", analyzeStudies({modelsStudy()}));
        QVERIFY2(chart.drawable(), qPrintable(chart.reason));
        QCOMPARE(chart.series.size(), std::size_t{4});
        // conv: filters x (3 x 9 + 1); dense: 10 x (filters x 32 x 32 + 1)
        QCOMPARE(chart.series[0].points[0].x, 8.0 * 28 + 10 * (8 * 1024 + 1));
        QCOMPARE(chart.series[0].points[2].x, 64.0 * 28 + 10 * (64 * 1024 + 1));
        exportEverywhere(chart);
        picture(chart, "parameters-chart");
    }

    void studiesWithoutNetworksSayWhy() {
        const ChartInput input = analyzeStudies({sweepStudy()});
        for (const char* id : {"models", "parameters", "loss", "accuracy"})
            QVERIFY2(!build(id, input).drawable(), id);
        QVERIFY(build("models", input).reason.contains("no network"));
    }
};

HETEROSCOPE_UI_TEST(LayersChartTest)
#include "layers_chart_test.moc"
