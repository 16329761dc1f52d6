// SPDX-License-Identifier: GPL-3.0-or-later
// Every chart of every synthetic study at three sizes: nothing runs out of the figure and no texts overlap.
// With HETEROSCOPE_PICTURES=FOLDER the pictures are written there to be looked at.
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/analyze_view.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/figure_labels.h"
#include "ui/charts/figure_renderer.h"
#include "ui/common/theme.h"

#include <QFontMetricsF>
#include <QListWidget>
#include <QPainter>
#include <QTemporaryDir>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

struct NamedStudies {
    const char* name;
    std::vector<Study> studies;
};

std::vector<NamedStudies> allStudies() {
    return {{"sweep", {sweepStudy()}},    {"threads", {threadStudy()}},
            {"point", {onePointStudy()}}, {"windows", {windowStudy()}},
            {"few", {sweepStudy(1, 3)}},  {"compare", {sweepStudy(1, 14, 1), sweepStudy(0.8, 14, 2)}}};
}

FigureRequest requestOf(QSizeF mm, double dpi) {
    FigureRequest request;
    request.style = FigureStyle::print(dpi);
    request.size = mm / 25.4 * dpi;
    return request;
}

// Rectangles of the tick labels along x.
std::vector<QRectF> xLabels(const ChartData& chart, const FigureLayout& layout, const FigureStyle& style) {
    std::vector<QRectF> rects;
    const QFontMetricsF metrics(style.font(style.smallPt));
    if (chart.x.scale == AxisScale::Category)
        return rects; // wrapped into their slots
    for (const Tick& tick : layout.xTicks) {
        if (tick.text.isEmpty() || !layout.x.contains(tick.value))
            continue;
        const double width = metrics.horizontalAdvance(tick.text);
        rects.emplace_back(layout.x.toUnits(tick.value) - width / 2, layout.plot.bottom(), width,
                           metrics.height());
    }
    return rects;
}

void checkApart(const std::vector<QRectF>& rects) {
    for (std::size_t i = 0; i < rects.size(); ++i)
        for (std::size_t j = i + 1; j < rects.size(); ++j)
            QVERIFY2(!rects[i].intersects(rects[j]), qPrintable(QString("%1 and %2").arg(i).arg(j)));
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT
  private slots:
    void nothingOverlaps_data() {
        QTest::addColumn<QSizeF>("mm");
        QTest::newRow("column") << QSizeF(84, 60);
        QTest::newRow("page") << QSizeF(174, 100);
        QTest::newRow("slide") << QSizeF(254, 142.9);
    }
    void nothingOverlaps() {
        QFETCH(QSizeF, mm);
        const FigureRequest request = requestOf(mm, 300);
        for (const NamedStudies& named : allStudies()) {
            const ChartInput input = analyzeStudies(named.studies);
            for (const ChartKind& kind : chartKinds()) {
                const ChartData chart = buildChart(kind, input);
                if (!chart.drawable())
                    continue;
                qInfo("%s %s", named.name, kind.id);
                const FigureLayout layout = layoutFigure(chart, request);
                QVERIFY(layout.plot.width() > layout.figure.width() * 0.5);
                QVERIFY(layout.plot.height() > layout.figure.height() * 0.3);
                QVERIFY(layout.figure.contains(layout.plot));
                QVERIFY(layout.figure.contains(layout.yTitle));
                checkApart(xLabels(chart, layout, request.style));
                std::vector<QRectF> legend;
                for (const LegendEntry& entry : layout.legend) {
                    QVERIFY(layout.figure.contains(entry.rect));
                    QVERIFY(entry.rect.bottom() <= layout.plot.top());
                    legend.push_back(entry.rect);
                }
                checkApart(legend);
                std::vector<QRectF> labels;
                for (const PlacedLabel& label : placeLabels(chart, request, layout))
                    labels.push_back(label.rect);
                checkApart(labels);
                int yTexts = 0;
                for (const Tick& tick : layout.yTicks)
                    yTexts += !tick.text.isEmpty() && layout.y.contains(tick.value);
                QVERIFY(yTexts >= 2);
            }
        }
    }

    void greyKeepsLinesApart() {
        const ChartData chart = buildChart(*findChartKind("time"), analyzeStudies({sweepStudy()}));
        QSet<int> markers, dashes;
        for (const ChartSeries& series : chart.series) {
            markers.insert(static_cast<int>(series.marker));
            dashes.insert(static_cast<int>(series.dash));
        }
        QCOMPARE(markers.size(), static_cast<int>(chart.series.size()));
        QCOMPARE(dashes.size(), static_cast<int>(chart.series.size()));
        FigureStyle style = FigureStyle::print(96);
        style.grey = true;
        const QColor shown = style.seriesColor(chart.series[1].color);
        QCOMPARE(shown.red(), shown.green());
        QCOMPARE(shown.green(), shown.blue());
    }

    // Every chart of every study as a file of each kind; for eyes in every size, else in one.
    void writesFigures() {
        const QTemporaryDir temporary;
        const bool forEyes = !pictureFolder().isEmpty();
        const QString folder = forEyes ? pictureFolder() : temporary.path();
        const auto sizes = forEyes ? figureSizes() : figureSizes().first(1);
        for (const NamedStudies& named : allStudies()) {
            const ChartInput input = analyzeStudies(named.studies);
            for (const ChartKind& kind : chartKinds()) {
                const ChartData chart = buildChart(kind, input);
                if (!chart.drawable())
                    continue;
                for (const FigureSize& size : sizes) {
                    ExportSettings settings;
                    settings.millimetres = size.millimetres;
                    settings.caption = QString(size.id) == "page";
                    for (const ExportFormat format :
                         {ExportFormat::Png, ExportFormat::Pdf, ExportFormat::Svg}) {
                        const QString name =
                            QString("%1/%2-%3-%4.%5")
                                .arg(folder, named.name, kind.id, size.id, formatSuffix(format));
                        QString error;
                        QVERIFY2(exportChart(chart, format, settings, name, &error), qPrintable(error));
                    }
                }
            }
        }
    }

    void writesViews() {
        const QTemporaryDir temporary;
        // Packing hundreds of pictures into PNG takes longer than painting them: only for eyes.
        const auto place = [&](const QString& name) {
            return pictureFolder().isEmpty() ? temporary.filePath("view.bmp")
                                             : QString("%1/%2.png").arg(pictureFolder(), name);
        };
        for (const bool dark : {false, true}) {
            Theme::instance().apply(dark ? ColorScheme::Dark : ColorScheme::Light);
            for (const NamedStudies& named : allStudies()) {
                AnalyzeView view;
                view.resize(1280, 800);
                view.show();
                view.showStudies(named.studies);
                QTRY_VERIFY(view.findChild<QListWidget*>("chartList")->isVisible());
                QStringList ids{"runs"};
                for (const ChartKind& kind : chartKinds())
                    ids << kind.id;
                for (const QString& id : ids) {
                    view.selectChart(id);
                    QTest::qWait(20);
                    QVERIFY(view.grab().save(
                        place(QString("view-%1-%2-%3").arg(dark ? "dark" : "light", named.name, id))));
                }
            }
        }
    }
};

HETEROSCOPE_UI_TEST(LayoutTest)
#include "layout_test.moc"
