// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of series: lines, bands, markers, interval bars, bars, boxes. GUI thread.
#pragma once

#include "ui/charts/figure_layout.h"

#include <QLineF>
#include <QPointF>

#include <span>

class QPainter;
class QPen;

namespace heteroscope::ui {

inline constexpr double kBoxShare = 0.44; ///< of a category's slot: a box of quartiles

QPen seriesPen(const ChartSeries& series, const FigureStyle& style);
void drawMarker(QPainter& painter, MarkerShape shape, QPointF center, double size, const QColor& color,
                const QColor& inside);
/// A line of hatching at 45 degrees inside a rectangle, as plain lines.
void drawHatch(QPainter& painter, const QRectF& rect, double spacing, const QColor& color, double width);
/// All of them layer by layer, so that none covers another's curve: bands, lines, interval bars, markers.
void drawSeries(QPainter& painter, std::span<const ChartSeries* const> all, const FigureLayout& layout,
                const FigureStyle& style);

/// What the bar through a marker spans: the interval, or the quartiles where only markers are drawn.
std::optional<Interval> shownSpread(const ChartSeries& series, const ChartPoint& point);
/// The part of a segment inside a rectangle; nothing when it misses.
std::optional<QLineF> clippedLine(const QLineF& line, const QRectF& rect);
/// The rectangle of a bar in painter units.
QRectF barRect(const ChartSeries& series, const ChartPoint& point, const FigureLayout& layout);
/// Where the samples of a box are drawn: spread sideways so that equal values stay apart.
std::vector<QPointF> samplePositions(const ChartPoint& point, const FigureLayout& layout);

} // namespace heteroscope::ui
