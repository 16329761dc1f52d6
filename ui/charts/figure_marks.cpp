// SPDX-License-Identifier: GPL-3.0-or-later
// Lines, bands, markers, interval bars, bars and boxes.
#include "ui/charts/figure_marks.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QList<qreal> dashPattern(DashStyle dash) {
    switch (dash) {
    case DashStyle::Dash:
        return {4.5, 2.2};
    case DashStyle::Dot:
        return {1.2, 1.8};
    case DashStyle::DashDot:
        return {5, 2, 1.2, 2};
    case DashStyle::LongDash:
        return {8, 2.5};
    case DashStyle::Solid:
        break;
    }
    return {};
}

QPolygonF starPolygon(QPointF center, double radius) {
    QPolygonF polygon;
    for (int i = 0; i < 10; ++i) {
        const double angle = -M_PI_2 + i * M_PI / 5, r = i % 2 ? radius * 0.45 : radius;
        polygon << center + QPointF(std::cos(angle) * r, std::sin(angle) * r);
    }
    return polygon;
}

QPolygonF markerPolygon(MarkerShape shape, QPointF c, double r) {
    switch (shape) {
    case MarkerShape::Square:
        return QPolygonF(QRectF(c.x() - r * 0.88, c.y() - r * 0.88, r * 1.76, r * 1.76));
    case MarkerShape::Triangle:
        return QPolygonF(
            {c + QPointF(0, -r * 1.15), c + QPointF(r * 1.05, r * 0.75), c + QPointF(-r * 1.05, r * 0.75)});
    case MarkerShape::TriangleDown:
        return QPolygonF(
            {c + QPointF(0, r * 1.15), c + QPointF(r * 1.05, -r * 0.75), c + QPointF(-r * 1.05, -r * 0.75)});
    case MarkerShape::Diamond:
        return QPolygonF({c + QPointF(0, -r * 1.2), c + QPointF(r * 1.1, 0), c + QPointF(0, r * 1.2),
                          c + QPointF(-r * 1.1, 0)});
    case MarkerShape::Star:
        return starPolygon(c, r * 1.25);
    default:
        return {};
    }
}

void drawStrokeMarker(QPainter& painter, MarkerShape shape, QPointF c, double r, const QColor& color) {
    painter.setPen(QPen(color, r * 0.6));
    const double d = shape == MarkerShape::Cross ? r * 0.85 : 0;
    if (shape == MarkerShape::Cross) {
        painter.drawLine(c + QPointF(-d, -d), c + QPointF(d, d));
        painter.drawLine(c + QPointF(-d, d), c + QPointF(d, -d));
    } else {
        painter.drawLine(c + QPointF(-r, 0), c + QPointF(r, 0));
        painter.drawLine(c + QPointF(0, -r), c + QPointF(0, r));
    }
}

constexpr float kBandShare = 0.22F; ///< of a series' colour between its quartiles

QColor washed(const QColor& color, const QColor& background, double share) {
    const auto mix = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return QColor(mix(background.red(), color.red()), mix(background.green(), color.green()),
                  mix(background.blue(), color.blue()));
}

// Transparent: what lies behind, the grid and other bands, stays to be seen.
void drawBand(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
              const FigureStyle& style) {
    QPolygonF upper, lower;
    for (const ChartPoint& point : series.points) {
        if (!point.quartiles)
            continue;
        upper << layout.point(point.x, point.quartiles->high);
        lower.prepend(layout.point(point.x, point.quartiles->low));
    }
    if (upper.size() < 2)
        return;
    const QPolygonF band = QPolygonF(upper + lower).intersected(QPolygonF(layout.plot));
    painter.setPen(Qt::NoPen);
    QColor shade = style.seriesColor(series.color);
    shade.setAlphaF(kBandShare);
    painter.setBrush(shade);
    painter.drawPolygon(band);
}

void drawLines(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
               const FigureStyle& style) {
    painter.setPen(seriesPen(series, style));
    painter.setBrush(Qt::NoBrush);
    QPolygonF stretch; // joined while inside, so that dashes run through
    const auto flush = [&] {
        if (stretch.size() > 1)
            painter.drawPolyline(stretch);
        stretch.clear();
    };
    for (std::size_t i = 1; i < series.points.size(); ++i) {
        const QPointF from = layout.point(series.points[i - 1].x, series.points[i - 1].y);
        const QPointF to = layout.point(series.points[i].x, series.points[i].y);
        const auto part = clippedLine(QLineF(from, to), layout.plot);
        if (!part || series.points[i - 1].hasFewSamples() || series.points[i].hasFewSamples()) {
            flush();
            continue;
        }
        if (stretch.isEmpty() || stretch.last() != part->p1()) {
            flush();
            stretch << part->p1();
        }
        stretch << part->p2();
    }
    flush();
}

void drawInterval(QPainter& painter, double x, const std::optional<Interval>& interval,
                  const FigureLayout& layout, const FigureStyle& style, const QColor& color, double capPt) {
    if (!interval)
        return;
    const QLineF whole(layout.point(x, interval->low), layout.point(x, interval->high));
    const auto part = clippedLine(whole, layout.plot);
    if (!part || whole.length() < style.px(0.4))
        return;
    painter.setPen(QPen(color, style.px(0.8)));
    painter.drawLine(*part);
    const double half = style.px(capPt / 2);
    for (const QPointF end : {part->p1(), part->p2()})
        painter.drawLine(end - QPointF(half, 0), end + QPointF(half, 0));
}

void drawFewSamples(QPainter& painter, const ChartPoint& point, const FigureLayout& layout,
                    const FigureStyle& style, MarkerShape shape, const QColor& color) {
    for (const double sample : point.samples) {
        const QPointF at = layout.point(point.x, sample);
        if (layout.plot.contains(at))
            drawMarker(painter, shape, at, style.px(style.markerPt * 0.7), color, style.background);
    }
}

void drawSpreads(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
                 const FigureStyle& style) {
    const QColor color = style.seriesColor(series.color);
    for (const ChartPoint& point : series.points)
        if (!point.hasFewSamples())
            drawInterval(painter, point.x, shownSpread(series, point), layout, style, color, 4.5);
}

void drawPoints(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
                const FigureStyle& style) {
    const QColor color = style.seriesColor(series.color);
    for (const ChartPoint& point : series.points) {
        if (point.hasFewSamples()) {
            drawFewSamples(painter, point, layout, style, series.marker, color);
            continue;
        }
        const QPointF at = layout.point(point.x, point.y);
        const bool inside = layout.plot.adjusted(-1, -1, 1, 1).contains(at);
        if (inside && !series.derived)
            drawMarker(painter, series.marker, at, style.px(style.markerPt), color,
                       point.unclear ? style.background : color);
    }
}

// A label that stays readable where a reference line passes behind it.
void drawOnBackground(QPainter& painter, const QRectF& rect, const QString& text, const FigureStyle& style) {
    const int flags = Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap;
    if (text.isEmpty())
        return;
    painter.fillRect(QFontMetricsF(painter.font()).boundingRect(rect, flags, text), style.background);
    painter.drawText(rect, flags, text);
}

void drawBars(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
              const FigureStyle& style) {
    const QColor color = style.seriesColor(series.color);
    const QFont font = style.font(style.smallPt);
    for (const ChartPoint& point : series.points) {
        const QRectF bar = barRect(series, point, layout).intersected(layout.plot);
        if (point.n >= 5) {
            painter.setPen(QPen(color.darker(120), style.px(0.7)));
            painter.setBrush(point.unclear ? style.background : color);
            painter.drawRect(bar);
            if (point.unclear)
                drawHatch(painter, bar, style.px(4), color, style.px(0.8));
        } else {
            drawMarker(painter, MarkerShape::Circle, layout.point(point.x, point.y), style.px(style.markerPt),
                       color, color);
        }
        drawInterval(painter, point.x, point.interval, layout, style, style.text, series.barGroup ? 3.5 : 7);
        const double top =
            std::min(bar.top(), layout.y.toUnits(point.interval ? point.interval->high : point.y));
        painter.setPen(style.text);
        painter.setFont(font);
        const double slot = layout.categoryWidth;
        drawOnBackground(painter, {bar.center().x() - slot / 2, top - style.px(40), slot, style.px(38.5)},
                         point.label, style);
    }
}

void drawBox(QPainter& painter, const ChartPoint& point, const FigureLayout& layout, const FigureStyle& style,
             const QColor& color) {
    const double half = layout.categoryWidth * kBoxShare / 2, center = layout.x.toUnits(point.x);
    if (point.quartiles) {
        const double top = layout.y.toUnits(point.quartiles->high),
                     bottom = layout.y.toUnits(point.quartiles->low);
        const QRectF box =
            QRectF(QPointF(center - half, top), QPointF(center + half, bottom)).intersected(layout.plot);
        painter.setPen(QPen(color, style.px(0.9)));
        painter.setBrush(washed(color, style.background, kBandShare));
        painter.drawRect(box);
    }
    if (layout.y.contains(point.y)) {
        painter.setPen(QPen(style.text, style.px(1.5)));
        const double y = layout.y.toUnits(point.y);
        painter.drawLine(QPointF(center - half, y), QPointF(center + half, y));
    }
}

void drawBoxes(QPainter& painter, const ChartSeries& series, const FigureLayout& layout,
               const FigureStyle& style) {
    const QColor color = style.seriesColor(series.color);
    for (const ChartPoint& point : series.points) {
        drawBox(painter, point, layout, style, color);
        const std::vector<QPointF> positions = samplePositions(point, layout);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (!layout.plot.contains(positions[i]))
                continue;
            const OutlierKind kind = i < point.outliers.size() ? point.outliers[i] : OutlierKind::None;
            if (kind == OutlierKind::None)
                drawMarker(painter, MarkerShape::Circle, positions[i], style.px(2.6), color, color);
            else
                drawMarker(painter, kind == OutlierKind::Severe ? MarkerShape::Star : MarkerShape::Diamond,
                           positions[i], style.px(5), style.text, style.background);
        }
    }
}

} // namespace

QPen seriesPen(const ChartSeries& series, const FigureStyle& style) {
    const QColor color = style.seriesColor(series.color);
    QPen pen(series.faint ? washed(color, style.background, 0.35) : color,
             style.px(series.derived || series.faint ? 0.8 : style.linePt));
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    if (const QList<qreal> pattern = dashPattern(series.dash); !pattern.isEmpty())
        pen.setDashPattern(pattern);
    return pen;
}

void drawMarker(QPainter& painter, MarkerShape shape, QPointF center, double size, const QColor& color,
                const QColor& inside) {
    if (shape == MarkerShape::None)
        return;
    const double r = size / 2;
    if (shape == MarkerShape::Cross || shape == MarkerShape::Plus)
        return drawStrokeMarker(painter, shape, center, r * 1.15, color);
    painter.setPen(QPen(color, std::max(size * 0.16, 0.4)));
    painter.setBrush(inside);
    if (shape == MarkerShape::Circle)
        painter.drawEllipse(center, r, r);
    else
        painter.drawPolygon(markerPolygon(shape, center, r));
}

void drawHatch(QPainter& painter, const QRectF& rect, double spacing, const QColor& color, double width) {
    painter.setPen(QPen(color, width));
    const double reach = rect.width() + rect.height();
    for (int i = 1; i * spacing < reach; ++i) {
        const double offset = i * spacing;
        const QLineF line(rect.left() + offset, rect.top(), rect.left() + offset - rect.height(),
                          rect.bottom());
        if (const auto part = clippedLine(line, rect))
            painter.drawLine(*part);
    }
}

std::optional<Interval> shownSpread(const ChartSeries& series, const ChartPoint& point) {
    return point.interval || series.kind != SeriesKind::Points ? point.interval : point.quartiles;
}

std::optional<QLineF> clippedLine(const QLineF& line, const QRectF& rect) {
    const double deltas[] = {-line.dx(), line.dx(), -line.dy(), line.dy()};
    const double rooms[] = {line.x1() - rect.left(), rect.right() - line.x1(), line.y1() - rect.top(),
                            rect.bottom() - line.y1()};
    double enter = 0, leave = 1;
    for (int side = 0; side < 4; ++side) {
        if (deltas[side] == 0 && rooms[side] < 0)
            return std::nullopt;
        if (deltas[side] == 0)
            continue;
        const double at = rooms[side] / deltas[side];
        if (deltas[side] < 0)
            enter = std::max(enter, at);
        else
            leave = std::min(leave, at);
    }
    if (enter > leave)
        return std::nullopt;
    return QLineF(enter > 0 ? line.pointAt(enter) : line.p1(), leave < 1 ? line.pointAt(leave) : line.p2());
}

QRectF barRect(const ChartSeries& series, const ChartPoint& point, const FigureLayout& layout) {
    const double center = layout.x.toUnits(point.x), half = layout.categoryWidth * series.barWidth / 2;
    const double base = layout.y.toUnits(std::max(0.0, layout.y.low));
    return QRectF(QPointF(center - half, layout.y.toUnits(point.y)), QPointF(center + half, base))
        .normalized();
}

std::vector<QPointF> samplePositions(const ChartPoint& point, const FigureLayout& layout) {
    std::vector<QPointF> positions;
    const double width = layout.categoryWidth * kBoxShare * 0.8, center = layout.x.toUnits(point.x);
    double phase = 0;
    for (const double sample : point.samples) {
        phase =
            std::fmod(phase + 0.6180339887498949, 1.0); // golden ratio: even spread, same picture each time
        positions.emplace_back(center + (phase - 0.5) * width, layout.y.toUnits(sample));
    }
    return positions;
}

void drawSeries(QPainter& painter, std::span<const ChartSeries* const> all, const FigureLayout& layout,
                const FigureStyle& style) {
    const auto isDrawnByPoints = [](const ChartSeries* series) {
        return series->kind == SeriesKind::Line || series->kind == SeriesKind::Points;
    };
    for (const ChartSeries* series : all)
        if (series->kind == SeriesKind::Line && series->band)
            drawBand(painter, *series, layout, style);
    for (const ChartSeries* series : all) {
        if (series->kind == SeriesKind::Line)
            drawLines(painter, *series, layout, style);
        else if (series->kind == SeriesKind::Bars)
            drawBars(painter, *series, layout, style);
        else if (series->kind == SeriesKind::Boxes)
            drawBoxes(painter, *series, layout, style);
    }
    for (const ChartSeries* series : all)
        if (isDrawnByPoints(series))
            drawSpreads(painter, *series, layout, style);
    for (const ChartSeries* series : all)
        if (isDrawnByPoints(series))
            drawPoints(painter, *series, layout, style);
}

} // namespace heteroscope::ui
