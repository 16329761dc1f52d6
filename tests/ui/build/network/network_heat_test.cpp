// SPDX-License-Identifier: GPL-3.0-or-later
// Layers coloured by what a run measured and by memory: choice, values, scale, and the texts' contrast.
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/network/heat_chooser.h"

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// Of a study of model 0.
MeasuredLayersPtr times() {
    profiling::RunLayerTimes run;
    run.run = 0;
    run.target = "cpu/openmp";
    const auto add = [&](const char* name, double forward, double backward) {
        profiling::LayerTime layer;
        layer.name = name;
        layer.phases[0] = {6, summarize(std::vector<double>(6, forward)), 0};
        layer.phases[2] = {6, summarize(std::vector<double>(6, backward)), 0};
        run.layers.push_back(std::move(layer));
    };
    add("conv1", 2, 4);
    add("conv2", 6, 12);
    add("dense1", 1, 0.5);
    profiling::Study study;
    study.experiment = networkOf(modelZero());
    study.runs.resize(1);
    return measuredLayers(study, {run});
}

/// Contrast of two colours as WCAG 2.1 defines it.
double contrast(const QColor& a, const QColor& b) {
    const auto linear = [](double v) {
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const auto light = [&](const QColor& c) {
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()) + 0.05;
    };
    return std::max(light(a), light(b)) / std::min(light(a), light(b));
}

} // namespace

class NetworkHeatTest : public QObject {
    Q_OBJECT

  private slots:
    void aRunOffersBothDirectionsOfEachTarget() {
        NetworkFixture build(networkOf(modelZero()));
        auto* chooser = build.find<HeatChooser>("network-heat");
        QVERIFY(!chooser->accessibleName().isEmpty());
        QCOMPARE(chooser->count(), 3);
        QVERIFY2(chooser->toolTip().contains("or open a run of it"), qPrintable(chooser->toolTip()));
        QVERIFY(!build.canvas()->scene().heat.shown());
        build.view.setLayerTimes(times());
        QCOMPARE(chooser->count(), 5);
        QVERIFY2(chooser->toolTip().contains("by their time"), qPrintable(chooser->toolTip()));
        chooser->setFocus();
        QTest::keyClick(chooser, Qt::Key_End);
        const NetworkHeat& heat = build.canvas()->scene().heat;
        QCOMPARE(heat.title, QString("Backward time on cpu/openmp"));
        QCOMPARE(heat.most(), 12.0);
        QCOMPARE(heat.valueOf("conv1").value(), 4.0);
        QVERIFY(!heat.valueOf("relu1").has_value()); // was not measured
        QVERIFY2(heat.text(4).endsWith("24 %"), qPrintable(heat.text(4)));
        keepLightAndDark(build.view, QStringLiteral("builder-heat"));
        build.view.setLayerTimes(nullptr);
        QVERIFY(!build.canvas()->scene().heat.shown());
    }

    void nothingLiesOverThePicture() {
        NetworkFixture build(networkOf(modelZero()));
        auto* chooser = build.find<HeatChooser>("network-heat");
        const QWidget* canvas = build.canvas();
        const QRect picture(canvas->mapTo(&build.view, QPoint()), canvas->size());
        const QRect box(chooser->mapTo(&build.view, QPoint()), chooser->size());
        QVERIFY(chooser->isVisible());
        QVERIFY2(!picture.intersects(box), "the list of colours covers layers");
    }

    void onlyLayersThatComputeTheSameHaveTheTimesOfARun() {
        NetworkFixture build(networkOf(modelZero()));
        build.view.setLayerTimes(times());
        auto* chooser = build.find<HeatChooser>("network-heat");
        chooser->setCurrentIndex(3);
        QCOMPARE(build.canvas()->scene().heat.values.size(), std::size_t(3));
        build.document.setValue("/network/layers/3/filters", 48,
                                "Filters"); // conv2; dense1 reads its results
        const NetworkHeat& heat = build.canvas()->scene().heat;
        QCOMPARE(heat.values.size(), std::size_t(1));
        QCOMPARE(heat.valueOf("conv1").value(), 2.0);
        QVERIFY2(heat.text(2).endsWith(", 22 %"), qPrintable(heat.text(2))); // of all layers of the run
        keepLightAndDark(build.view, QStringLiteral("builder-heat-part"));
        build.document.undoStack().undo();
        QCOMPARE(build.canvas()->scene().heat.values.size(), std::size_t(3));
        Json other = modelZero(); // has layers of the same names, none of the same sizes
        other[0]["filters"] = 17, other[3]["filters"] = 33;
        build.document.newExperiment(networkOf(other), "test");
        QCOMPARE(chooser->count(), 3);
        QVERIFY2(chooser->toolTip().contains("No layer here computes"), qPrintable(chooser->toolTip()));
        QVERIFY(!build.canvas()->scene().heat.shown());
    }

    void memoryIsThereWithoutARun() {
        NetworkFixture build(networkOf(modelZero()));
        auto* chooser = build.find<HeatChooser>("network-heat");
        chooser->setCurrentIndex(2);
        const NetworkHeat& heat = build.canvas()->scene().heat;
        QCOMPARE(heat.valueOf("conv1").value(), 4.0 * (16 * 27 + 16));
        QCOMPARE(heat.valueOf("dense1").value(), 4.0 * (100 * 2048 + 100));
        chooser->setCurrentIndex(0);
        QVERIFY(!build.canvas()->scene().heat.shown());
    }

    void textsStayReadableOnTheHottestNode() {
        for (const auto scheme : {ColorScheme::Light, ColorScheme::Dark}) {
            Theme::instance().apply(scheme);
            const ThemeColors& colors = Theme::instance().colors();
            QVERIFY(contrast(colors.text, heatFill(1)) >= 4.5);
            QVERIFY2(contrast(colors.mutedText, heatFill(1)) >= 3.0,
                     qPrintable(QString::number(contrast(colors.mutedText, heatFill(1)))));
            QVERIFY(contrast(heatColor(1), heatColor(0)) > 2);
        }
    }
};

HETEROSCOPE_UI_TEST(NetworkHeatTest)
#include "network_heat_test.moc"
