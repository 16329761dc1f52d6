// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges, margins, ticks and legend of a figure.
#include "ui/charts/figure_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

bool isLog(AxisScale scale) {
    return scale == AxisScale::Log2 || scale == AxisScale::Log10;
}

struct Range {
    bool log = false;
    double low = INFINITY, high = -INFINITY;
    void add(double value) {
        if (!std::isfinite(value) || (log && value <= 0))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void add(const std::optional<Interval>& interval) {
        if (interval) {
            add(interval->low);
            add(interval->high);
        }
    }
    bool empty() const { return !(low <= high); }
};

void addPoint(Range& x, Range& y, const ChartSeries& series, const ChartPoint& point) {
    x.add(point.x);
    y.add(point.y);
    y.add(point.interval);
    if (series.band || series.kind == SeriesKind::Points)
        y.add(point.quartiles);
    if (series.kind == SeriesKind::Boxes || point.n < 5)
        for (const double sample : point.samples)
            y.add(sample);
}

void padLog(Range& range, double share) {
    const double span = std::max(std::log(range.high / range.low), std::log(1.5));
    range.low *= std::exp(-share * span);
    range.high *= std::exp(share * span);
}

void padLinear(Range& range, const ChartAxis& axis, double share) {
    if (axis.fromZero) {
        range.low = std::min(0.0, range.low);
        range.high = range.high <= 0 ? 1.0 : range.high * (1 + 2 * share);
        return;
    }
    const double span =
        range.high > range.low ? range.high - range.low : std::max(1e-12, std::fabs(range.high));
    range.low -= share * span;
    range.high += share * span;
}

AxisMap finishRange(Range range, const ChartAxis& axis, const std::optional<Interval>& view, double share) {
    AxisMap map;
    map.scale = axis.scale;
    if (axis.scale == AxisScale::Category) {
        map.low = -0.5;
        map.high = std::max<double>(1, axis.categories.size()) - 0.5;
    } else if (range.empty()) {
        map.low = range.log ? 0.1 : 0;
        map.high = range.log ? 10 : 1;
    } else {
        if (range.log)
            padLog(range, share);
        else
            padLinear(range, axis, share);
        map.low = range.low;
        map.high = range.high;
    }
    map.low = axis.min.value_or(map.low);
    map.high = axis.max.value_or(map.high);
    if (view && view->high > view->low) {
        map.low = view->low;
        map.high = view->high;
    }
    return map;
}

void computeRanges(FigureLayout& layout, const ChartData& chart, const FigureRequest& request) {
    Range x{isLog(chart.x.scale)}, y{isLog(chart.y.scale)};
    for (const ChartSeries& series : chart.series)
        if (seriesVisible(series, request))
            for (const ChartPoint& point : series.points)
                addPoint(x, y, series, point);
    for (const ReferenceLine& line : chart.references)
        (line.orientation == Qt::Horizontal ? y : x).add(line.value);
    layout.x = finishRange(x, chart.x, request.xView, 0.03);
    layout.y = finishRange(y, chart.y, request.yView, 0.06);
}

double textWidth(const QFont& font, const QString& text) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

double lineHeight(const QFont& font) {
    return QFontMetricsF(font).height();
}

double wrappedHeight(const QFont& font, const QString& text, double width) {
    if (text.isEmpty())
        return 0;
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text).height();
}

bool hasLegend(const ChartData& chart) {
    return std::any_of(chart.series.begin(), chart.series.end(), [](const ChartSeries& series) {
        return series.kind == SeriesKind::Line || series.kind == SeriesKind::Points || series.barGroup;
    });
}

// Rows of entries from the left; returns the height used.
double layoutLegend(FigureLayout& layout, const ChartData& chart, const FigureStyle& style,
                    const QRectF& area) {
    if (!hasLegend(chart))
        return 0;
    const QFont font = style.font(style.fontPt);
    const double height = lineHeight(font) * 1.15, gap = style.px(10);
    double x = area.left(), y = area.top();
    for (int i = 0; i < static_cast<int>(chart.series.size()); ++i) {
        if (!chart.series[static_cast<std::size_t>(i)].partOf.isEmpty())
            continue;
        const double width = style.px(kLegendSymbolPt + 4) +
                             textWidth(font, chart.series[static_cast<std::size_t>(i)].name) + style.px(2);
        if (x > area.left() && x + width > area.right()) {
            x = area.left();
            y += height;
        }
        layout.legend.push_back({QRectF(x, y, width, height), i});
        x += width + gap;
    }
    return y + height - area.top() + style.px(3);
}

bool hasWordWiderThan(const QFont& font, const QStringList& texts, double width) {
    for (const QString& text : texts)
        for (const QString& word : text.split(QLatin1Char(' ')))
            if (textWidth(font, word) > width)
                return true;
    return false;
}

double categoryLabelHeight(const ChartAxis& axis, const FigureStyle& style, double slot, bool upright) {
    double height = 0;
    const QFont font = style.font(style.smallPt);
    if (upright) {
        for (int i = 0; i < axis.categories.size(); ++i)
            height = std::max(height, textWidth(font, uprightLabel(axis, i)));
        return std::min(height, style.px(kUprightLabelPt));
    }
    for (int i = 0; i < axis.categories.size(); ++i) {
        double each = wrappedHeight(font, axis.categories[i], slot);
        if (i < axis.categoryNotes.size())
            each += wrappedHeight(font, axis.categoryNotes[i], slot);
        height = std::max(height, each);
    }
    return height;
}

void setPlot(FigureLayout& layout, const QRectF& plot) {
    layout.plot = plot;
    layout.x.start = plot.left();
    layout.x.end = plot.right();
    layout.y.start = plot.bottom();
    layout.y.end = plot.top();
}

// Ticks along y and the width that their labels need.
double layoutYTicks(FigureLayout& layout, const ChartData& chart, const FigureStyle& style, double height) {
    const QFont font = style.font(style.smallPt);
    const int most = static_cast<int>(height / (lineHeight(font) * 1.6));
    layout.yTicks =
        axisTicks(layout.y.scale, layout.y.low, layout.y.high, std::clamp(most, 2, 9), chart.y.wholeNumbers);
    double width = 0;
    for (const Tick& tick : layout.yTicks)
        width = std::max(width, textWidth(font, tick.text));
    return width;
}

bool labelsFit(const std::vector<Tick>& ticks, const AxisMap& map, const QFont& font, double gap) {
    double end = -INFINITY;
    for (const Tick& tick : ticks) {
        if (tick.text.isEmpty())
            continue;
        const double half = textWidth(font, tick.text) / 2, center = map.toUnits(tick.value);
        if (center - half < end + gap)
            return false;
        end = center + half;
    }
    return true;
}

void layoutXTicks(FigureLayout& layout, const ChartData& chart, const FigureStyle& style) {
    if (chart.x.scale == AxisScale::Category) {
        layout.categoryWidth = layout.plot.width() / std::max(1.0, layout.x.high - layout.x.low);
        for (int i = 0; i < chart.x.categories.size(); ++i)
            layout.xTicks.push_back({static_cast<double>(i), chart.x.categories[i]});
        return;
    }
    const QFont font = style.font(style.smallPt);
    for (int most = 14; most >= 2; --most) {
        layout.xTicks = axisTicks(layout.x.scale, layout.x.low, layout.x.high, most, chart.x.wholeNumbers);
        if (labelsFit(layout.xTicks, layout.x, font, style.px(5)))
            break;
    }
}

// Centred on the plot where it fits, else moved into the area beside and below it.
QRectF yTitleRect(const FigureLayout& layout, const QRectF& area, double textLength, double width) {
    const double length = std::min(textLength + 2, area.height());
    double top = layout.plot.center().y() - length / 2;
    top = std::clamp(top, area.top(), std::max(area.top(), area.bottom() - length));
    return {area.left(), top, width, length};
}

} // namespace

bool AxisMap::contains(double value) const {
    return value >= low && value <= high;
}

double AxisMap::toUnits(double value) const {
    double share = 0;
    if (isLog(scale))
        share = value > 0 ? std::log(value / low) / std::log(high / low) : -10;
    else
        share = (value - low) / (high - low);
    return start + share * (end - start);
}

double AxisMap::toValue(double units) const {
    const double share = (units - start) / (end - start);
    return isLog(scale) ? low * std::exp(share * std::log(high / low)) : low + share * (high - low);
}

bool seriesVisible(const ChartSeries& series, const FigureRequest& request) {
    return !request.hiddenSeries.contains(series.id) && !request.hiddenSeries.contains(series.partOf);
}

QString uprightLabel(const ChartAxis& axis, int index) {
    const QString& name = axis.categories[index];
    return index < axis.categoryNotes.size() ? name + QLatin1Char(' ') + axis.categoryNotes[index] : name;
}

FigureLayout layoutFigure(const ChartData& chart, const FigureRequest& request) {
    const FigureStyle& style = request.style;
    FigureLayout layout;
    layout.figure = QRectF(QPointF(0, 0), request.size);
    computeRanges(layout, chart, request);

    const double margin = style.px(4);
    QRectF area = layout.figure.adjusted(margin, margin, -margin, -margin);
    if (style.showTitle) {
        const double height = wrappedHeight(style.font(style.titlePt, true), chart.title, area.width());
        layout.title = QRectF(area.left(), area.top(), area.width(), height);
        area.setTop(area.top() + height + style.px(5));
    }
    if (style.showCaption) {
        const double height = wrappedHeight(style.font(style.smallPt), chart.caption, area.width());
        layout.caption = QRectF(area.left(), area.bottom() - height, area.width(), height);
        area.setBottom(area.bottom() - height - style.px(5));
    }
    area.setTop(area.top() + layoutLegend(layout, chart, style, area));

    const QFont titleFont = style.font(style.fontPt), tickFont = style.font(style.smallPt);
    const bool longTitle = textWidth(titleFont, chart.y.title) > area.height();
    const double yTitleWidth =
        chart.y.title.isEmpty() ? 0 : lineHeight(titleFont) * (longTitle ? 2 : 1) + style.px(3);
    const double tickGap = style.px(4.5);
    double tickWidth = 0; // the plot's height is not known yet, and other ticks have other texts
    for (const double share : {0.5, 0.75, 0.9})
        tickWidth = std::max(tickWidth, layoutYTicks(layout, chart, style, area.height() * share));
    const double left = area.left() + yTitleWidth + tickWidth + tickGap;
    const double right = area.right() - style.px(6);
    const double xTitleHeight = wrappedHeight(titleFont, chart.x.title, right - left);
    double labelHeight = lineHeight(tickFont);
    if (chart.x.scale == AxisScale::Category) {
        const double slot = (right - left) / (layout.x.high - layout.x.low) * 0.94;
        layout.uprightCategories = hasWordWiderThan(tickFont, chart.x.categories, slot) ||
                                   hasWordWiderThan(tickFont, chart.x.categoryNotes, slot);
        labelHeight = categoryLabelHeight(chart.x, style, slot, layout.uprightCategories);
    }
    const double bottom = area.bottom() - xTitleHeight - style.px(3) - labelHeight - tickGap;
    setPlot(layout, QRectF(QPointF(left, area.top() + style.px(5)), QPointF(right, bottom)));
    layout.xTitle = QRectF(left, area.bottom() - xTitleHeight, right - left, xTitleHeight);
    layout.yTitle = yTitleRect(layout, area, textWidth(titleFont, chart.y.title), yTitleWidth);
    layoutYTicks(layout, chart, style, layout.plot.height());
    layoutXTicks(layout, chart, style);
    return layout;
}

} // namespace heteroscope::ui
