// SPDX-License-Identifier: GPL-3.0-or-later
// Charts made by hand for tests of drawing and export. The figures are synthetic.
#pragma once

#include "ui/charts/chart_data.h"

namespace heteroscope::ui::test {

inline ChartPoint measuredPoint(double x, double y) {
    ChartPoint point;
    point.x = x;
    point.y = y;
    point.n = 10;
    point.interval = Interval{y * 0.97, y * 1.04};
    point.quartiles = Interval{y * 0.9, y * 1.15};
    return point;
}

inline ChartSeries line(const QString& id, const QColor& color, MarkerShape marker, DashStyle dash,
                        double slope, double offset) {
    ChartSeries series;
    series.id = series.name = id;
    series.color = color;
    series.marker = marker;
    series.dash = dash;
    series.band = true;
    for (double n = 4; n <= 4096; n *= 2)
        series.points.push_back(measuredPoint(n, offset + slope * n * n));
    return series;
}

/// Two lines that cross, log axes, a reference line and an annotation.
inline ChartData sweepChart() {
    ChartData chart;
    chart.kind = QStringLiteral("time");
    chart.title = QStringLiteral("Time against size");
    chart.x = {QStringLiteral("Input size N (elements per side), log scale"),
               AxisScale::Log2,
               {},
               {},
               false,
               true,
               {},
               {}};
    chart.y = {
        QStringLiteral("Time per run (ms), log scale"), AxisScale::Log10, {}, {}, false, false, {}, {}};
    chart.series = {line(QStringLiteral("cpu/sequential"), QColor("#0072b2"), MarkerShape::Circle,
                         DashStyle::Solid, 2e-6, 1e-5),
                    line(QStringLiteral("cpu/openmp?threads=2"), QColor("#d55e00"), MarkerShape::Square,
                         DashStyle::Dash, 3e-7, 4e-3)};
    chart.annotations.push_back({48, 4.7e-3, QStringLiteral("openmp is faster from N = 64")});
    chart.references.push_back({Qt::Horizontal, 1.0, QStringLiteral("1 ms & 100 % of_budget")});
    chart.caption = QStringLiteral("Medians with 95 % intervals. Synthetic figures.");
    return chart;
}

inline ChartData barsChart() {
    ChartData chart;
    chart.kind = QStringLiteral("speedup");
    chart.title = QStringLiteral("Speedup");
    chart.x.title = QStringLiteral("Target, with its median time at N = 1024");
    chart.x.scale = AxisScale::Category;
    chart.x.categories = {QStringLiteral("sequential"), QStringLiteral("openmp, 2 threads"),
                          QStringLiteral("onednn")};
    chart.x.categoryNotes = {QStringLiteral("3.20 ms"), QStringLiteral("0.81 ms"), QStringLiteral("1.10 ms")};
    chart.y.title = QStringLiteral("Speedup vs cpu/sequential");
    chart.y.fromZero = true;
    const double values[] = {1.0, 3.95, 2.91};
    for (int i = 0; i < 3; ++i) {
        ChartSeries bar;
        bar.id = bar.name = chart.x.categories[i];
        bar.kind = SeriesKind::Bars;
        bar.color = QColor::fromHsv(i * 100, 180, 190);
        ChartPoint point = measuredPoint(i, values[i]);
        point.unclear = i == 2;
        point.label = i == 2 ? QStringLiteral("UNCLEAR\n2.91×") : QStringLiteral("%1×").arg(values[i]);
        bar.points.push_back(point);
        chart.series.push_back(bar);
    }
    chart.references.push_back({Qt::Horizontal, 1.0, QStringLiteral("1× = cpu/sequential")});
    chart.caption = QStringLiteral("Ratio of medians. Synthetic figures.");
    return chart;
}

inline ChartData boxesChart() {
    ChartData chart = barsChart();
    chart.kind = QStringLiteral("samples");
    chart.references.clear();
    chart.y = {QStringLiteral("Time per run (ms)"), AxisScale::Linear, {}, {}, false, false, {}, {}};
    for (ChartSeries& series : chart.series) {
        series.kind = SeriesKind::Boxes;
        ChartPoint& point = series.points.front();
        for (int i = 0; i < 20; ++i)
            point.samples.push_back(point.y * (0.9 + 0.01 * i));
        point.samples.push_back(point.y * 1.6);
        point.outliers.assign(21, OutlierKind::None);
        point.outliers.back() = OutlierKind::Severe;
        point.n = point.samples.size();
        point.label.clear();
    }
    return chart;
}

} // namespace heteroscope::ui::test
