// SPDX-License-Identifier: GPL-3.0-or-later
// No series covers the curve of another: bands lie behind all lines, in pictures and in LaTeX.
#include "tests/ui/charts/sample_chart.h"
#include "tests/ui/program/ui_test.h"
#include "ui/charts/figure_layout.h"
#include "ui/charts/figure_renderer.h"
#include "ui/charts/text_export.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

/// A red line, and a blue one close by whose band lies over it.
ChartData nearLines() {
    ChartData chart = sweepChart();
    chart.series = {line("red", Qt::red, MarkerShape::None, DashStyle::Solid, 2e-6, 1e-2),
                    line("blue", Qt::blue, MarkerShape::None, DashStyle::Solid, 2e-6 * 1.08, 1.08e-2)};
    chart.references.clear();
    chart.annotations.clear();
    return chart;
}

bool isRed(const QColor& color) {
    return color.red() > 200 && color.green() < 60 && color.blue() < 60;
}

} // namespace

class LayersOfMarksTest : public QObject {
    Q_OBJECT
  private slots:
    void aBandCoversNoLine() {
        const ChartData chart = nearLines();
        FigureRequest request;
        request.style = FigureStyle::print(300);
        request.size = {2000, 1200};
        const FigureLayout layout = layoutFigure(chart, request);
        QImage image(2000, 1200, QImage::Format_RGB32);
        {
            QPainter painter(&image);
            paintFigure(painter, chart, request, layout);
        }
        const auto& points = chart.series[0].points;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const QPointF middle =
                (layout.point(points[i - 1].x, points[i - 1].y) + layout.point(points[i].x, points[i].y)) / 2;
            QVERIFY2(isRed(image.pixelColor(middle.toPoint())),
                     qPrintable(image.pixelColor(middle.toPoint()).name()));
        }
    }

    void bandsComeFirstInLatex() {
        const QString text = QString::fromUtf8(chartToPgfplots(nearLines(), {84, 60}, {}));
        const auto lastBand = text.lastIndexOf("fill between[");
        QVERIFY(lastBand > 0);
        QVERIFY(text.indexOf("\\addplot+[") > lastBand);
        QCOMPARE(text.count("fill opacity"), 2);
    }
};

HETEROSCOPE_UI_TEST(LayersOfMarksTest)
#include "layers_of_marks_test.moc"
