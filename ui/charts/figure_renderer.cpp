// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a figure: grid, axes, texts, legend, reference lines; series are drawn by figure_marks.
#include "ui/charts/figure_renderer.h"

#include "ui/charts/figure_labels.h"
#include "ui/charts/figure_marks.h"

#include <QFontMetricsF>
#include <QPainter>

namespace heteroscope::ui {

namespace {

// Lines at minor ticks help over a few decades and are noise over many.
bool gridLineAt(const Tick& tick, std::size_t ticks) {
    constexpr std::size_t kMostMinorLines = 30;
    return !tick.text.isEmpty() || ticks <= kMostMinorLines;
}

void drawGrid(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
              const FigureStyle& style) {
    const QRectF& plot = layout.plot;
    for (const Tick& tick : layout.yTicks) {
        if (!layout.y.contains(tick.value) || !gridLineAt(tick, layout.yTicks.size()))
            continue;
        painter.setPen(QPen(tick.text.isEmpty() ? style.minorGrid : style.grid, style.px(style.hairPt)));
        const double y = layout.y.toUnits(tick.value);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    if (chart.x.scale == AxisScale::Category)
        return;
    for (const Tick& tick : layout.xTicks) {
        if (!layout.x.contains(tick.value) || !gridLineAt(tick, layout.xTicks.size()))
            continue;
        painter.setPen(QPen(tick.text.isEmpty() ? style.minorGrid : style.grid, style.px(style.hairPt)));
        const double x = layout.x.toUnits(tick.value);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
}

/// Reads upwards and ends below its marks.
void drawUprightLabel(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
                      const FigureStyle& style, int index) {
    const QFont font = style.font(style.smallPt);
    const double length = style.px(kUprightLabelPt), line = QFontMetricsF(font).height();
    painter.save();
    painter.translate(layout.x.toUnits(index), layout.plot.bottom() + style.px(4));
    painter.rotate(-90);
    painter.setFont(font);
    painter.setPen(style.text);
    painter.drawText(QRectF(-length, -line / 2, length, line), Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(uprightLabel(chart.x, index), Qt::ElideMiddle, length));
    painter.restore();
}

void drawCategoryLabel(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
                       const FigureStyle& style, int index) {
    if (layout.uprightCategories)
        return drawUprightLabel(painter, chart, layout, style, index);
    const double width = layout.categoryWidth * 0.94, center = layout.x.toUnits(index);
    const QFont font = style.font(style.smallPt);
    painter.setFont(font);
    QRectF rect(center - width / 2, layout.plot.bottom() + style.px(4), width, style.px(200));
    const int flags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    painter.setPen(style.text);
    painter.drawText(rect, flags, chart.x.categories[index]);
    if (index >= chart.x.categoryNotes.size())
        return;
    rect.setTop(rect.top() +
                QFontMetricsF(font).boundingRect(rect, flags, chart.x.categories[index]).height());
    painter.setPen(style.muted);
    painter.drawText(rect, flags, chart.x.categoryNotes[index]);
}

void drawXAxis(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
               const FigureStyle& style) {
    const QRectF& plot = layout.plot;
    painter.setFont(style.font(style.smallPt));
    for (const Tick& tick : layout.xTicks) {
        if (!layout.x.contains(tick.value))
            continue;
        if (chart.x.scale == AxisScale::Category) {
            drawCategoryLabel(painter, chart, layout, style, static_cast<int>(tick.value));
            continue;
        }
        const double x = layout.x.toUnits(tick.value), length = style.px(tick.text.isEmpty() ? 1.8 : 3);
        painter.setPen(QPen(style.axis, style.px(0.7)));
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + length));
        painter.setPen(style.text);
        painter.drawText(QRectF(x - style.px(40), plot.bottom() + style.px(4), style.px(80), style.px(20)),
                         Qt::AlignHCenter | Qt::AlignTop, tick.text);
    }
}

void drawYAxis(QPainter& painter, const FigureLayout& layout, const FigureStyle& style) {
    const QRectF& plot = layout.plot;
    painter.setFont(style.font(style.smallPt));
    for (const Tick& tick : layout.yTicks) {
        if (!layout.y.contains(tick.value))
            continue;
        const double y = layout.y.toUnits(tick.value), length = style.px(tick.text.isEmpty() ? 1.8 : 3);
        painter.setPen(QPen(style.axis, style.px(0.7)));
        painter.drawLine(QPointF(plot.left() - length, y), QPointF(plot.left(), y));
        painter.setPen(style.text);
        painter.drawText(
            QRectF(plot.left() - style.px(4.5 + 100), y - style.px(10), style.px(100), style.px(20)),
            Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
}

void drawTitles(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
                const FigureStyle& style) {
    painter.setPen(style.text);
    painter.setFont(style.font(style.fontPt));
    painter.drawText(layout.xTitle, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, chart.x.title);
    painter.save();
    painter.translate(layout.yTitle.left(), layout.yTitle.center().y());
    painter.rotate(-90);
    const double length = layout.yTitle.height(), thickness = layout.yTitle.width();
    painter.drawText(QRectF(-length / 2, 0, length, thickness),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, chart.y.title);
    painter.restore();
    if (style.showTitle) {
        painter.setFont(style.font(style.titlePt, true));
        painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, chart.title);
    }
    if (style.showCaption) {
        painter.setFont(style.font(style.smallPt));
        painter.setPen(style.muted);
        painter.drawText(layout.caption, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, chart.caption);
    }
}

void drawLegend(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                const FigureLayout& layout) {
    const FigureStyle& style = request.style;
    painter.setFont(style.font(style.fontPt));
    for (const LegendEntry& entry : layout.legend) {
        const ChartSeries& series = chart.series[static_cast<std::size_t>(entry.series)];
        const bool visible = seriesVisible(series, request);
        const QRectF symbol(entry.rect.topLeft(), QSizeF(style.px(kLegendSymbolPt), entry.rect.height()));
        if (visible)
            paintLegendSymbol(painter, series, style, symbol);
        painter.setPen(visible ? style.text : style.muted);
        QFont font = style.font(style.fontPt);
        font.setStrikeOut(!visible);
        painter.setFont(font);
        painter.drawText(entry.rect.adjusted(style.px(kLegendSymbolPt + 4), 0, style.px(20), 0),
                         Qt::AlignLeft | Qt::AlignVCenter, series.name);
    }
}

void drawReferenceLines(QPainter& painter, const ChartData& chart, const FigureLayout& layout,
                        const FigureStyle& style) {
    QPen pen(style.muted, style.px(0.9));
    pen.setDashPattern({5, 3});
    painter.setPen(pen);
    for (const ReferenceLine& line : chart.references) {
        const bool horizontal = line.orientation == Qt::Horizontal;
        const AxisMap& map = horizontal ? layout.y : layout.x;
        if (!map.contains(line.value))
            continue;
        const double at = map.toUnits(line.value);
        if (horizontal)
            painter.drawLine(QPointF(layout.plot.left(), at), QPointF(layout.plot.right(), at));
        else
            painter.drawLine(QPointF(at, layout.plot.top()), QPointF(at, layout.plot.bottom()));
    }
}

void drawFrame(QPainter& painter, const FigureLayout& layout, const FigureStyle& style) {
    painter.setPen(QPen(style.axis, style.px(0.8)));
    painter.drawLine(layout.plot.bottomLeft(), layout.plot.bottomRight());
    painter.drawLine(layout.plot.topLeft(), layout.plot.bottomLeft());
}

} // namespace

void paintLegendSymbol(QPainter& painter, const ChartSeries& series, const FigureStyle& style,
                       const QRectF& rect) {
    const QColor color = style.seriesColor(series.color);
    const QPointF center = rect.center();
    if (series.kind == SeriesKind::Line) {
        painter.setPen(seriesPen(series, style));
        painter.drawLine(QPointF(rect.left(), center.y()), QPointF(rect.right(), center.y()));
    }
    if (series.kind == SeriesKind::Bars) {
        const double side = style.px(style.fontPt * 0.85);
        painter.fillRect(QRectF(rect.right() - side, center.y() - side / 2, side, side), color);
        return;
    }
    if (!series.derived)
        drawMarker(painter, series.marker, center, style.px(style.markerPt), color, color);
}

void paintFigure(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                 const FigureLayout& layout) {
    const FigureStyle& style = request.style;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.fillRect(layout.figure, style.background);
    drawGrid(painter, chart, layout, style);
    drawReferenceLines(painter, chart, layout, style);
    std::vector<const ChartSeries*> visible;
    for (const ChartSeries& series : chart.series)
        if (seriesVisible(series, request))
            visible.push_back(&series);
    drawSeries(painter, visible, layout, style);
    drawFrame(painter, layout, style);
    drawXAxis(painter, chart, layout, style);
    drawYAxis(painter, layout, style);
    drawTitles(painter, chart, layout, style);
    drawLegend(painter, chart, request, layout);
    drawLabels(painter, chart, request, layout);
}

} // namespace heteroscope::ui
