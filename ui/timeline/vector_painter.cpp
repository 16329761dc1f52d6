// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a draw list on any QPainter: one path a colour and lane, so that files stay small.
#include "ui/timeline/vector_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <map>

namespace heteroscope::ui {

namespace {

class Vector {
  public:
    Vector(QPainter& painter, const DrawList& list, const RowColors& colors, LabelCache& labels)
        : m_painter(painter), m_list(list), m_colors(colors), m_labels(labels), m_width(list.axis.width()) {}

    void paint(const TickSet& ticks) {
        m_painter.save();
        m_painter.fillRect(QRectF(0, 0, m_width, m_list.height), QColor(m_colors.background));
        for (const RowBand& band : m_list.bands)
            paintBand(band);
        paintGrid(ticks);
        for (const LaneSlice& lane : m_list.lanes)
            paintLane(lane);
        for (const CounterSlice& counter : m_list.counters)
            paintCounter(counter);
        m_painter.setFont(m_labels.font());
        for (const DrawLabel& label : m_list.labels)
            paintLabel(label);
        m_painter.restore();
    }

  private:
    /// The part of a slice inside its section and the picture.
    QRectF visible(double y, double height, bool pinned) const {
        const double top = std::max(y, pinned ? 0.0 : static_cast<double>(m_list.top));
        return {0.0, top, m_width, std::max(0.0, std::min<double>(y + height, m_list.height) - top)};
    }

    void paintBand(const RowBand& band) {
        const QRectF area = visible(band.y, band.height, band.pinned);
        if (band.group)
            m_painter.fillRect(area, QColor(m_colors.group));
        m_painter.fillRect(QRectF(0.0, area.bottom() - 0.5, m_width, 0.5), QColor(m_colors.border));
    }

    void paintGrid(const TickSet& ticks) {
        QPainterPath lines;
        for (const TimeTick& tick : ticks.ticks) {
            const double x = m_list.axis.toPixel(tick.ns);
            if (tick.major && x >= 0.0 && x <= m_width)
                lines.addRect(QRectF(x, 0.0, 0.5, m_list.height));
        }
        m_painter.fillPath(lines, QColor(m_colors.grid));
    }

    void paintLane(const LaneSlice& lane) {
        const QRectF area = visible(lane.y, lane.height, lane.pinned);
        if (area.height() <= 0.0)
            return;
        std::map<QRgb, QPainterPath> paths;
        std::size_t i = lane.first;
        while (i < lane.first + lane.count) {
            const QRgb color = m_list.colors[i];
            PixelExtent run = spanExtent(m_list.axis, m_list.step, m_list.spans[i]);
            // Neighbours of one colour that touch are one shape.
            for (++i; i < lane.first + lane.count && m_list.colors[i] == color; ++i) {
                const PixelExtent next = spanExtent(m_list.axis, m_list.step, m_list.spans[i]);
                if (next.left > run.right)
                    break;
                run.right = std::max(run.right, next.right);
            }
            const double left = std::clamp(run.left * m_list.step, 0.0, m_width);
            const double right = std::clamp(run.right * m_list.step, 0.0, m_width);
            if (right > left)
                paths[color].addRect(QRectF(left, area.top(), right - left, area.height()));
        }
        for (const auto& [color, path] : paths)
            m_painter.fillPath(path, QColor(color));
    }

    void paintCounter(const CounterSlice& slice) {
        if (slice.count == 0)
            return;
        const double scale = (slice.height - 1.0) / (slice.high - slice.low);
        const auto y = [&](double value) { return slice.y + slice.height - (value - slice.low) * scale; };
        const auto x = [&](std::int64_t ns) { return std::clamp(m_list.axis.toPixel(ns), 0.0, m_width); };
        const double zero = y(std::clamp(0.0, slice.low, slice.high));
        QPolygonF outline;
        for (std::size_t i = slice.first; i < slice.first + slice.count; ++i) {
            const profiling::CounterBin& bin = m_list.bins[i];
            const double left = x(bin.timeNs);
            const double right = i + 1 < slice.first + slice.count ? x(m_list.bins[i + 1].timeNs)
                                                                   : x(m_list.axis.limitEndNs());
            if (bin.count > 1)
                outline << QPointF(left, y(bin.max)) << QPointF(left, y(bin.min));
            outline << QPointF(left, y(bin.last)) << QPointF(right, y(bin.last));
        }
        QPolygonF area = outline;
        area << QPointF(outline.last().x(), zero) << QPointF(outline.first().x(), zero);
        m_painter.save();
        m_painter.setClipRect(visible(slice.y, slice.height, slice.pinned), Qt::IntersectClip);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(QColor(blend(slice.color, m_colors.background, slice.activity ? 0.55 : 0.3)));
        m_painter.drawPolygon(area);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(QColor(slice.color), 1.0));
        if (!slice.activity)
            m_painter.drawPolyline(outline);
        m_painter.restore();
    }

    void paintLabel(const DrawLabel& label) {
        constexpr double kInset = 4.0;
        const LaneSlice& lane = m_list.lanes[label.lane];
        const profiling::DrawSpan& span = m_list.spans[label.span];
        const QRectF area = visible(lane.y, lane.height, lane.pinned);
        const double left = std::max(0.0, m_list.axis.toPixel(span.startNs)) + kInset;
        const double right = std::min(m_width, m_list.axis.toPixel(span.endNs)) - kInset;
        const QString text = m_labels.fitted(span.name, right - left);
        if (text.isEmpty() || area.height() < lane.height) // half a row has no room for text
            return;
        const QFontMetricsF metrics(m_labels.font());
        m_painter.setPen(QColor(textOn(m_list.colors[label.span])));
        m_painter.drawText(QPointF(left, lane.y + (lane.height - metrics.height()) / 2.0 + metrics.ascent()),
                           text);
    }

    QPainter& m_painter;
    const DrawList& m_list;
    const RowColors& m_colors;
    LabelCache& m_labels;
    double m_width;
};

} // namespace

void paintVector(QPainter& painter, const DrawList& list, const TickSet& ticks, const RowColors& colors,
                 LabelCache& labels) {
    Vector(painter, list, colors, labels).paint(ticks);
}

} // namespace heteroscope::ui
