// SPDX-License-Identifier: GPL-3.0-or-later
// Placement of texts inside the plot.
#include "ui/charts/figure_labels.h"

#include "ui/charts/figure_marks.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace heteroscope::ui {

namespace {

/// Points every few units along everything drawn: what a label must not cover.
std::vector<QPointF> occupied(const ChartData& chart, const FigureRequest& request,
                              const FigureLayout& layout) {
    std::vector<QPointF> points;
    const double step = request.style.px(3), marker = request.style.px(request.style.markerPt) / 2;
    const auto addLine = [&](const QLineF& line) {
        const auto part = clippedLine(line, layout.plot);
        if (!part)
            return;
        const int count = std::max(1, static_cast<int>(part->length() / step));
        for (int i = 0; i <= count; ++i)
            points.push_back(part->pointAt(static_cast<double>(i) / count));
    };
    const QRectF& plot = layout.plot;
    for (const ReferenceLine& line : chart.references) {
        const double at = (line.orientation == Qt::Horizontal ? layout.y : layout.x).toUnits(line.value);
        addLine(line.orientation == Qt::Horizontal ? QLineF(plot.left(), at, plot.right(), at)
                                                   : QLineF(at, plot.top(), at, plot.bottom()));
    }
    for (const ChartAnnotation& annotation : chart.annotations) {
        const double x = layout.x.toUnits(annotation.x);
        addLine({x, plot.top(), x, plot.bottom()});
    }
    for (const ChartSeries& series : chart.series) {
        if (!seriesVisible(series, request))
            continue;
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const ChartPoint& point = series.points[i];
            const QPointF at = layout.point(point.x, point.y);
            points.push_back(at);
            if (!series.derived && series.marker != MarkerShape::None)
                for (const double dx : {-marker, marker})
                    for (const double dy : {-marker, marker})
                        points.push_back(at + QPointF(dx, dy));
            if (const auto spread = shownSpread(series, point))
                addLine({layout.point(point.x, spread->low), layout.point(point.x, spread->high)});
            if (i > 0 && series.kind == SeriesKind::Line)
                addLine({layout.point(series.points[i - 1].x, series.points[i - 1].y), at});
            if (series.kind == SeriesKind::Bars) {
                const QRectF bar = barRect(series, point, layout).adjusted(0, -request.style.px(14), 0, 0);
                for (int row = 0; row * step <= bar.height(); ++row)
                    addLine({bar.left(), bar.top() + row * step, bar.right(), bar.top() + row * step});
            }
            if (series.kind == SeriesKind::Boxes)
                for (const QPointF& sample : samplePositions(point, layout))
                    points.push_back(sample);
        }
    }
    return points;
}

class Placer {
  public:
    Placer(const ChartData& chart, const FigureRequest& request, const FigureLayout& layout)
        : m_layout(layout), m_points(occupied(chart, request, layout)) {}

    /// The first candidate that covers nothing; the one that covers least when all cover something.
    QRectF place(const std::vector<QRectF>& candidates) {
        QRectF best = candidates.front();
        int least = std::numeric_limits<int>::max();
        for (const QRectF& candidate : candidates) {
            const int cost = covered(candidate);
            if (cost < least) {
                least = cost;
                best = candidate;
            }
            if (cost == 0)
                break;
        }
        m_taken.push_back(best);
        return best;
    }

    /// The first candidate that covers nothing; nothing when all cover something.
    std::optional<QRectF> placeFree(const std::vector<QRectF>& candidates) {
        const auto free = std::find_if(candidates.begin(), candidates.end(),
                                       [this](const QRectF& candidate) { return covered(candidate) == 0; });
        if (free == candidates.end())
            return std::nullopt;
        m_taken.push_back(*free);
        return *free;
    }

  private:
    int covered(const QRectF& rect) const {
        if (!m_layout.plot.adjusted(-1, -1, 1, 1).contains(rect))
            return 100000;
        int cost = 0;
        for (const QRectF& taken : m_taken)
            cost += taken.intersects(rect) ? 1000 : 0;
        return cost +
               static_cast<int>(std::count_if(m_points.begin(), m_points.end(),
                                              [&](const QPointF& point) { return rect.contains(point); }));
    }

    const FigureLayout& m_layout;
    std::vector<QPointF> m_points;
    std::vector<QRectF> m_taken;
};

std::vector<QRectF> annotationCandidates(const QPointF& anchor, const QSizeF& size,
                                         const FigureLayout& layout, double gap) {
    std::vector<QRectF> candidates;
    for (double y = layout.plot.top() + gap; y + size.height() < layout.plot.bottom();
         y += size.height() * 0.6) {
        candidates.emplace_back(QPointF(anchor.x() + gap, y), size);
        candidates.emplace_back(QPointF(anchor.x() - gap - size.width(), y), size);
    }
    if (candidates.empty())
        candidates.emplace_back(layout.plot.topLeft(), size);
    return candidates;
}

std::vector<QRectF> lineNameCandidates(const ReferenceLine& line, const QSizeF& size,
                                       const FigureLayout& layout, double gap) {
    std::vector<QRectF> candidates;
    const QRectF& plot = layout.plot;
    if (line.orientation == Qt::Horizontal) {
        const double y = layout.y.toUnits(line.value);
        const double step = size.width() / 4;
        for (int i = 0; size.width() + i * step <= plot.width(); ++i) {
            const double x = plot.right() - size.width() - i * step;
            candidates.emplace_back(QPointF(x, y - gap * 0.4 - size.height()), size);
            candidates.emplace_back(QPointF(x, y + gap * 0.4), size);
        }
    } else {
        return annotationCandidates({layout.x.toUnits(line.value), plot.top()}, size, layout, gap);
    }
    if (candidates.empty())
        candidates.emplace_back(plot.topLeft(), size);
    return candidates;
}

/// Beside the point, above and below it, then around it a little further away each time.
std::vector<QRectF> pointLabelCandidates(const QPointF& anchor, const QSizeF& size, double gap) {
    std::vector<QRectF> candidates;
    const double halfWidth = size.width() / 2, halfHeight = size.height() / 2;
    for (const double distance : {1.0, 2.5, 4.5, 7.0}) {
        const double away = gap * distance;
        for (const auto& [x, y] :
             {std::pair(1, 0), {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}) {
            const QPointF center = anchor + QPointF(x * (away + halfWidth), y * (away + halfHeight));
            candidates.emplace_back(center - QPointF(halfWidth, halfHeight), size);
        }
    }
    return candidates;
}

QSizeF textSize(const QString& text, const QFont& font, double widest) {
    const QRectF rect = QFontMetricsF(font).boundingRect(QRectF(0, 0, widest, 1e6), Qt::TextWordWrap, text);
    return {std::ceil(rect.width()) + 1, rect.height()};
}

/// Names of points, in the order of series and points; what finds no room is left out (the table has it).
void placePointLabels(std::vector<PlacedLabel>& labels, Placer& placer, const ChartData& chart,
                      const FigureRequest& request, const FigureLayout& layout) {
    const FigureStyle& style = request.style;
    for (const ChartSeries& series : chart.series) {
        if (!series.directLabels || !seriesVisible(series, request))
            continue;
        for (const ChartPoint& point : series.points) {
            const QPointF anchor = layout.point(point.x, point.y);
            if (point.label.isEmpty() || !layout.plot.contains(anchor))
                continue;
            const QSizeF size = textSize(point.label, style.font(style.smallPt), layout.plot.width() * 0.42);
            if (const auto rect = placer.placeFree(pointLabelCandidates(anchor, size, style.px(5))))
                labels.push_back({*rect, point.label, anchor, LabelKind::Point});
        }
    }
}

} // namespace

std::vector<PlacedLabel> placeLabels(const ChartData& chart, const FigureRequest& request,
                                     const FigureLayout& layout) {
    std::vector<PlacedLabel> labels;
    Placer placer(chart, request, layout);
    const FigureStyle& style = request.style;
    const QFont font = style.font(style.smallPt);
    const double gap = style.px(4), widest = layout.plot.width() * 0.42;
    for (const ChartAnnotation& annotation : chart.annotations) {
        const QPointF anchor = layout.point(annotation.x, annotation.y);
        if (!layout.plot.contains(anchor))
            continue;
        const QSizeF size = textSize(annotation.text, font, widest);
        labels.push_back({placer.place(annotationCandidates(anchor, size, layout, gap)), annotation.text,
                          anchor, LabelKind::Annotation});
    }
    for (const ReferenceLine& line : chart.references) {
        const AxisMap& map = line.orientation == Qt::Horizontal ? layout.y : layout.x;
        if (line.label.isEmpty() || !map.contains(line.value))
            continue;
        const QSizeF size = textSize(line.label, font, widest);
        labels.push_back({placer.place(lineNameCandidates(line, size, layout, gap)),
                          line.label,
                          {},
                          LabelKind::Reference});
    }
    placePointLabels(labels, placer, chart, request, layout);
    return labels;
}

namespace {

/// A thin line to a point that its label had to be put away from.
void drawLeader(QPainter& painter, const PlacedLabel& label, const FigureStyle& style) {
    const QPointF nearest(std::clamp(label.anchor.x(), label.rect.left(), label.rect.right()),
                          std::clamp(label.anchor.y(), label.rect.top(), label.rect.bottom()));
    const QLineF whole(label.anchor, nearest);
    const double start = style.px(style.markerPt / 2 + 0.8);
    if (whole.length() < start + style.px(4))
        return;
    painter.setPen(QPen(style.muted, style.px(style.hairPt)));
    painter.drawLine(QLineF(whole.pointAt(start / whole.length()), nearest));
}

} // namespace

void drawLabels(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                const FigureLayout& layout) {
    const FigureStyle& style = request.style;
    painter.setFont(style.font(style.smallPt));
    for (const PlacedLabel& label : placeLabels(chart, request, layout)) {
        if (label.kind == LabelKind::Point)
            drawLeader(painter, label, style);
        if (label.kind == LabelKind::Annotation) {
            QPen pen(style.axis, style.px(0.7));
            pen.setDashPattern({2, 2});
            painter.setPen(pen);
            painter.drawLine(QPointF(label.anchor.x(), layout.plot.top()),
                             QPointF(label.anchor.x(), layout.plot.bottom()));
            painter.setPen(QPen(style.text, style.px(0.9)));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(label.anchor, style.px(4.5), style.px(4.5));
        }
        painter.setPen(label.kind == LabelKind::Reference ? style.muted : style.text);
        painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, label.text);
    }
}

} // namespace heteroscope::ui
